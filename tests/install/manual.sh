#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed manual pages name the documents by their installed paths, under any prefix and with DESTDIR.
set -eu
[ -e "$BUILD/man/man1/tarn.1" ] || {
    echo "skipped: the manual pages are not built"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
# check PREFIX ROOT: the pages below ROOT/PREFIX name files below PREFIX, which are there.
check() {
    for page in "$2$1"/share/man/man1/*.1; do
        path=$(sed -n 's/^\.I \(\/.*\.md\)$/\1/p' "$page")
        case $path in
        "$1"/*) [ -e "$2$path" ] && continue ;;
        esac
        echo "${page##*/} names '$path', which is not installed" >&2
        bad=1
    done
}
cmake --install "$BUILD" --prefix "$work/a prefix" >/dev/null
check "$work/a prefix" ""
DESTDIR=$work/root cmake --install "$BUILD" --prefix /usr >/dev/null
check /usr "$work/root"
exit $bad
