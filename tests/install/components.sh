#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each file belongs to one component of the installation, the libraries need no other component, and
# uninstalling removes what was installed and nothing else.
set -eu
work=$BUILD/tests/components
rm -rf "$work"
mkdir -p "$work"
fail() {
    echo "$*" >&2
    exit 1
}
files() { (cd "$1" && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort); }

prefix="$work/of a user"
cmake --install "$BUILD" --prefix "$prefix" >/dev/null
files "$prefix" | grep -v '^share/tarn/manifest.txt$' >"$work/whole"
for component in runtime dev tools faces doc licence; do
    cmake --install "$BUILD" --prefix "$work/$component" --component $component >/dev/null
    files "$work/$component" >"$work/$component.files"
    [ -s "$work/$component.files" ] || fail "component $component is empty"
done
cat "$work"/*.files | LC_ALL=C sort | diff -u "$work/whole" - >&2 ||
    fail "'-': in no component; '+': in two components, or not in the whole installation"
! grep -v '\.so\.[0-9.]*$' "$work/runtime.files" || fail "runtime has more than the library"

# The package file for CMake serves without the faces, too.
cp -r "$work/runtime" "$work/both"
cp -r "$work/dev/." "$work/both"
cmake -S "$SRC/tests/install/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/both" \
    -DCMAKE_C_COMPILER="$CC" >/dev/null
cmake --build "$work/cmake" --target consumer_shared >/dev/null

[ "$(LC_ALL=C sort "$prefix/share/tarn/manifest.txt")" = "$(cat "$work/whole")" ] ||
    fail "the manifest does not list what is installed"
mkdir -p "$prefix/include/other"
touch "$prefix/lib/other"
mv "$prefix" "$work/moved"
cmake "-DPREFIX=$work/moved" -P "$SRC/cmake/uninstall.cmake"
[ "$(cd "$work/moved" && find . | LC_ALL=C sort | tr '\n' ' ')" = ". ./include ./include/other ./lib ./lib/other " ] ||
    fail "after uninstalling: $(cd "$work/moved" && find .)"
said=$(cmake "-DPREFIX=$work/moved" -P "$SRC/cmake/uninstall.cmake" 2>&1) && fail "uninstalled twice"
case $said in
*manifest.txt*) ;;
*) fail "the error does not name the manifest: $said" ;;
esac
