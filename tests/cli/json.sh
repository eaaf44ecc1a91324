#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command that has --json prints one object, which begins with its name and the version of the
# results and has the members that docs/command.md names. The document has an example of each. --json=FILE
# writes the object to FILE and the text to standard output, and wrong input is an object with an error.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced; it sets work; backquotes of the document
. "$SRC/tests/support/cli.sh"
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
build=$(cd "$(dirname "$TARN")/.." && pwd)

cat >"$work/read.py" <<'END'
import json
import sys

command, *members = sys.argv[1:]
result = json.load(sys.stdin)
assert list(result)[:2] == ["command", "schema"], list(result)
assert result["command"] == command and result["schema"] == 1, result
missing = [name for name in members if name not in result and name not in result.get("error", {})]
assert not missing, f"no member {missing} in {list(result)}"
END

cd "$work" || exit
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 400 | "$TARN" convert - recording.tarn
cp recording.tarn before.tarn
cp recording.tarn after.tarn
printf '0,64\n64,64\n' >segments
[ ! -x "$build/tests/bin/example_quickstart" ] || cp "$build/tests/bin/example_quickstart" program
[ -e "$build/lib/tarn/check/libtarn-check.so" ] || rm -f program # commands need it
# Rows "| `tarn EXAMPLE` | `member`, ... |".
sed -n 's/^| `\(tarn .*\)` | \(.*\) |$/\1|\2/p' "$SRC/docs/command.md" | grep -e --json >rows

# One process runs all commands and reads their results.
cat >rows.py <<'END'
import json
import os
import re
import subprocess

TARN, BUILD = os.environ["TARN"], os.environ["build"]
os.environ["PATH"] = os.path.dirname(TARN) + ":" + os.environ["PATH"]


def run(words, shell=False):
    return subprocess.run(words, shell=shell, stdin=subprocess.DEVNULL, capture_output=True)


def check(text, command, members, what):
    try:
        result = json.loads(text)
    except ValueError:
        raise SystemExit(f"no JSON object from: {what}")
    assert list(result)[:2] == ["command", "schema"], (what, list(result))
    assert result["command"] == command and result["schema"] == 1, (what, result)
    missing = [name for name in members if name not in result and name not in result.get("error", {})]
    assert not missing, f"no member {missing} in {list(result)} of: {what}"


shown = set()
for row in open("rows"):
    line, members = row.rstrip("\n").split("|", 1)
    command = line.removeprefix("tarn ").split(" -")[0]
    shown.add(command)
    if "./program" in line and not os.access("program", os.X_OK):
        continue
    if "--as hip" in line and not os.path.exists(f"{BUILD}/lib/tarn/hip"):
        continue
    members = re.findall("`([^`]*)`", members.split(";")[0])
    got = run(line, shell=True)
    allowed = {0, 4} if command == "layout" else {0}
    assert got.returncode in allowed, f"exit {got.returncode} of: {line}: {got.stderr}"
    out = got.stdout
    if command == "check":  # its program prints, too
        out = b"".join(line for line in out.splitlines(True) if line.startswith(b"{"))
    if command == "run":
        out = out[out.index(b"{\n"):]
    check(out, command, members, line)

    got = run(line.replace("--json", "--json=file"), shell=True)
    with open("file") as file:
        check(file.read(), command, members, f"{line}, in the file")
    assert b'"schema"' not in got.stdout, f"the file is not instead of standard output: {line}"
    assert command == "check" or got.stdout, f"no text with a file: {line}"
    os.remove("file")
assert not [name for name in os.listdir() if name.startswith("-")], "a file is called like an option"

# Wrong input, before and behind the option.
for command in sorted(shown):
    for words in ["--json", "--no-such-option"], ["--no-such-option", "--json"], ["--json=file", "--no-such-option"]:
        what = f"tarn {command} {' '.join(words)}"
        got = run([TARN, *command.split(), *words])
        assert got.returncode in (2, 125), f"exit {got.returncode} of: {what}"
        out = got.stdout.decode()
        if os.path.exists("file"):
            with open("file") as file:
                out = file.read()
            os.remove("file")
        check(out, command, ["exit_code", "message"], what)
        error = re.sub('[";].*', "", re.sub(".*: ", "", got.stderr.decode().split("\n")[0]))
        assert error in out, f"another error in: {what}"
with open("shown", "w") as file:
    file.writelines(f"{command}\n" for command in sorted(shown))
END
build=$build python3 rows.py >out 2>err || fail "a command of docs/command.md"
# fails CODE COMMAND ARGUMENTS...: the object of an error.
fails() {
    expect "$@"
    python3 read.py "$2" exit_code message <"$work/out" || fail "no error from: tarn $*"
}
fails 2 explain --json absent.tarn
fails 2 fit --json recording.tarn --device none:0
fails 2 diff --json before.tarn
fails 2 layout --json nonsense
fails 2 layout --json --verify absent
fails 122 check --json -- true
fails 3 check --json -- sh -c 'exit 3'
fails 125 check --json --leaks=5 -- true
fails 122 torture --json -- true
fails 1 torture --json -- false
expect 2 info --json --device none:0
says out '^  "error": {$'
expect 2 replay --json absent.tarn
says out '^  "error": {$'
expect 1 version --json=/dev/full
says err '^tarn version: --json=/dev/full: No space left on device$'
expect 1 layout --json=absent/file 4K
says err '^tarn layout: --json=absent/file: No such file or directory$'

# One question of twenty.
expect 0 explain --json --no-replay --question 3 recording.tarn
python3 -c 'import json, sys; assert [q["number"] for q in json.load(sys.stdin)["questions"]] == [3]' <"$work/out" ||
    fail "other questions than 3"
! grep -q by_function "$work/out" || fail "more than question 3"

# Every command with the option is shown.
for command in $("$TARN" complete -- '' | cut -f1) 'channel bench' 'channel top'; do
    # shellcheck disable=SC2086 # words
    "$TARN" help $command | grep -q -e ' --json' || continue
    grep -qx "$command" shown || fail "docs/command.md shows no tarn $command --json"
done
