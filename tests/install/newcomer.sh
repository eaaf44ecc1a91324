#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A new user does what README.md says: as a user without root, in a tree whose path has a space, with nothing in
# the environment. The same program is then built in C++, by CMake, and used from Python. Each step is timed.
# Run by hand, the script builds Tarn from the sources first; as a test, it installs the build of the tests.
set -euo pipefail
source=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
for tool in python3 pkg-config c++ setpriv:util-linux; do
    command -v "${tool%:*}" >/dev/null || {
        echo "skipped: needs ${tool#*:}"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/source tree"
mkdir "$tree" "$work/home"
(cd "$source" && git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - 2>/dev/null) |
    tar -C "$tree" -xf -
if [ -n "${BUILD:-}" ]; then
    cmake --install "$BUILD" --prefix "$work/home/.local" >/dev/null
fi

# The commands of README.md as calls of step(), in its order. Blocks that build the tree are run by hand only.
SRC=$source PREFIX=$work python3 - "$source" "${BUILD:-}" >"$work/steps" <<'END_OF_PYTHON'
import pathlib, shlex, sys

sys.path.insert(0, f"{sys.argv[1]}/tests/install/documents")
sys.dont_write_bytecode = True
import run

for block in run.blocks_of((pathlib.Path(sys.argv[1]) / "README.md").read_text().split("\n")):
    session = bool(block.lines) and block.lines[0].startswith("$ ")
    reason = block.marks.get("not run")
    if (reason is None or ("it builds the tree" in reason and not sys.argv[2])) and (session or block.language == "sh"):
        for command in run.commands_of(block, "$ " if session else ""):
            print("step", command.status, shlex.quote(command.text))
END_OF_PYTHON
grep -q pkg-config "$work/steps" || {
    echo "README.md compiles no program" >&2
    exit 1
}
cat >>"$work/steps" <<'END'
step 0 'c++ -x c++ -std=c++17 -Wall -Wextra -pedantic examples/quickstart.c -x none $(pkg-config --cflags --libs tarn) -o quickstart++'
step 0 ./quickstart++
step 0 'cmake -S tests/install/consumer -B "of CMake" -DCMAKE_PREFIX_PATH="$HOME/.local"'
step 0 'cmake --build "of CMake"'
step 0 '"of CMake/consumer_shared" && "of CMake/consumer_static"'
step 0 'PYTHONPATH=python python3 -c "import tarn; print(tarn.Device(\"host:0,memory=64M\").info().memory_bytes)"'
END

cat >"$work/start" <<'END'
# step STATUS COMMAND: runs a command, and ends the script if its status is another.
step() {
    local begin=${EPOCHREALTIME/[.,]/} status=0
    eval "$2" >"$HOME/output" 2>&1 || status=$?
    local took=$((${EPOCHREALTIME/[.,]/} - begin))
    printf '%5d.%02d s  %s\n' $((took / 1000000)) $((took / 10000 % 100)) "$2"
    [ $status = "$1" ] && return
    cat "$HOME/output"
    echo "status $status instead of $1: $2"
    exit 1
}
cd "$HOME/../source tree"
. "$HOME/../steps"
END
as_user=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$work"
    chown -R 65534:65534 "$work"
    as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
"${as_user[@]}" env -i HOME="$work/home" PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb bash "$work/start"
