#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `./x install PREFIX` says what it installed and prints lines that make it usable, refuses the source tree and a
# user's files, and `./x uninstall` removes it. `./x package` names the packages that are missing.
# shellcheck disable=SC1091,SC2016 # written by this test; a folder has the name a $HOME
set -eu
command -v pkg-config >/dev/null || {
    echo "skipped: needs pkg-config"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    cat "$work/out" >&2
    echo "FAILED: $*" >&2
    exit 1
}
# run STATUS ARGUMENTS...: runs ./x of the tree below.
run() {
    wanted=$1
    shift
    got=0
    PATH=$work/bin:$PATH "$work/tree/x" "$@" >"$work/out" 2>&1 || got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted, of: ./x $*"
}
says() { grep -q -e "$1" "$work/out" || fail "no line matches: $1"; }

# A tree whose build is that of the tests: this cmake configures and compiles nothing.
mkdir -p "$work/tree" "$work/bin"
cp -R "$SRC/x" "$SRC/cmake" "$SRC/packaging" "$SRC/include" "$SRC/CHANGELOG.md" "$work/tree"
cat >"$work/bin/cmake" <<END
#!/bin/sh
case \$1 in
-S) cp "$BUILD/CMakeCache.txt" build/ ;;
--build) ;;
--install)
    shift 2
    exec "$(command -v cmake)" --install "$BUILD" "\$@"
    ;;
*) exec "$(command -v cmake)" "\$@" ;;
esac
END
chmod +x "$work/bin/cmake"

run 1 install "$work/tree"
says 'is the source tree'
cd "$work"
run 1 install tree/../tree
[ ! -e "$work/tree/lib" ] || fail "files were installed into the source tree"
for prefix in tree/build tree/new/folder; do
    run 1 install "$prefix"
    says "^./x: PREFIX $prefix is the source tree or a folder of it; "
    [ ! -e "$prefix" ] || fail "files were installed into the source tree"
done

# --help is no argument of any command: it prints the lines of that command, and nothing is done.
sed -n '/^case \$command in/,/^esac/s/^\([a-z][a-z]*\)).*/\1/p' "$SRC/x" >"$work/commands"
[ "$(grep -cxE 'install|bench|python|docs|soak' "$work/commands")" = 5 ] || fail "./x has no such commands"
(cd "$work" && find . | sort) >"$work/before"
while read -r command; do
    run 0 "$command" --help
    says "^  $command  *[a-zA-Z[]"
    [ "$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$work/out" | sort -u)" = "$command" ] || fail "other commands too"
done <"$work/commands"
(cd "$work" && find . | sort) | diff "$work/before" - >"$work/out" || fail "--help left something"
run 1 nonsense --help
says "no command 'nonsense'"

# The lines that it prints are enough for a program, under a prefix that a shell would split or expand.
prefix="$work/a \$HOME"
run 0 install 'a $HOME'
says '^installed [0-9]* files in .*/a .HOME:$'
for name in bin/tarn include/tarn share/doc/tarn; do
    [ ! -e "$prefix/$name" ] || says "^    $name "
done
sed -n 's/^ *export/export/p' "$work/out" >"$work/lines"
removal=$(sed -n 's|^to remove it: ./x ||p' "$work/out")
[ "$(wc -l <"$work/lines")" = 3 ] || fail "not three lines to paste"
(
    . "$work/lines"
    "$CC" "$SRC/examples/quickstart.c" -I"$prefix/include" -L"$prefix/lib" -ltarn -o "$work/quickstart"
    "$work/quickstart" >/dev/null
    [ "$(pkg-config --variable=libdir tarn)" = "$(pkg-config --variable=prefix tarn)/lib" ]
    [ ! -e "$prefix/bin/tarn" ] || tarn --version >/dev/null
) || fail "the lines do not serve"

# A second installation replaces the first, and no file of a user.
run 0 install "$prefix"
mkdir -p "$work/other/include/tarn"
echo mine >"$work/other/include/tarn/tarn.h"
run 1 install other
says '^    include/tarn/tarn.h$'
[ "$(find other -type f)" = other/include/tarn/tarn.h ] || fail "something was installed"
[ "$(cat other/include/tarn/tarn.h)" = mine ] || fail "a user's file was replaced"
eval "run 0 $removal"
[ ! -e "$prefix" ] || [ -z "$(find "$prefix" ! -type d)" ] || fail "files are left"

# Debian packages: dpkg's tools are absent, and then packages that the build needs.
mkdir "$work/few"
for tool in sh dirname cat sed mktemp mkdir rm cp nproc; do ln -s "$(command -v $tool)" "$work/few/$tool"; done
got=0
PATH=$work/few "$work/tree/x" package >"$work/out" 2>&1 || got=$?
[ "$got" = 1 ] || fail "status $got without dpkg-dev"
says 'sudo apt-get install dpkg-dev$'
cat >"$work/bin/dpkg-checkbuilddeps" <<'END'
#!/bin/sh
echo 'dpkg-checkbuilddeps: error: Unmet build dependencies: debhelper-compat (= 13) pkgconf | pkg-config help2man' >&2
exit 1
END
chmod +x "$work/bin/dpkg-checkbuilddeps"
run 1 package
says 'sudo apt-get install debhelper pkgconf help2man$'
