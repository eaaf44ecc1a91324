#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh [--update]: compares the binary interface of the public headers with tests/abi/libtarn.abi. Any
# difference fails. --update writes that file again; it refuses if a function or type was removed or
# changed and the Unreleased part of CHANGELOG.md does not name it. install_abi compares the library itself.
set -eu
for tool in abidw abidiff; do
    command -v $tool >/dev/null || {
        echo "skipped: needs abigail-tools"
        exit 77
    }
done
[ "$(uname -m)" = x86_64 ] || {
    echo "skipped: the recorded interface is that of x86-64"
    exit 77
}
work=$BUILD/tests/abi
mkdir -p "$work"

# build_interface ROOT OUTPUT: a library with the public functions, empty, as the headers under ROOT declare
# them. It has no private types, so its dump is small and depends on nothing else. GCC always builds it,
# because Clang describes the parameters of empty functions differently.
build_interface() {
    {
        for header in "$1"/include/tarn/*.h; do
            printf '#include <tarn/%s>\n' "$(basename "$header")"
        done
        awk '/^TARN_API/ { inside = 1 } inside { print } inside && /;/ { inside = 0 }' "$1"/include/tarn/*.h |
            sed 's/ TARN_PRINTF([^)]*)//; s/;.*/ { __builtin_unreachable(); }/'
    } >"$2.c"
    major=$(sed -n 's/^#define TARN_VERSION_MAJOR \([0-9]*\).*/\1/p' "$1/include/tarn/base.h")
    gcc -std=gnu2x -g -shared -fPIC -nostdlib -I"$1/include" "$2.c" -o "$2" -ffile-prefix-map="$1/"= \
        -ffile-prefix-map="$work/"= -Wl,-soname,"libtarn.so.$major" -Wl,--version-script="$1/tarn.map"
}

dump() {
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names \
        --no-write-default-sizes --type-id-style hash --out-file "$2" "$1"
}

# broken_names OLD NEW: the functions that were removed, and the types and functions that changed.
broken_names() {
    abidiff --leaf-changes-only --no-added-syms "$1" "$2" |
        sed -nE "s/^ *\[[DC]\] .*[' *](tarn_[a-z0-9_]+)\(.*/\1/p; s/^'(struct|enum|union|typedef) (tarn_[a-z0-9_]+).* changed:.*/\2/p" |
        sort -u
}

# unannounced OLD NEW CHANGELOG: those that the Unreleased part does not name.
unannounced() {
    awk '/^## / { inside = /^## Unreleased/ } inside' "$3" >"$work/unreleased"
    for name in $(broken_names "$1" "$2"); do
        grep -qw "$name" "$work/unreleased" || printf '%s\n' "$name"
    done
}

recorded=$SRC/tests/abi/libtarn.abi
now=$work/interface.so
build_interface "$SRC" "$now"
if [ "${1:-}" = --update ]; then
    # Before 1.0 each minor release renames the version of all symbols (docs/versions.md), which is no removal.
    node=$(sed -n 's/^\(TARN_0[.0-9]*\) {.*/\1/p' "$SRC/tarn.map")
    sed -E "s/version='TARN_0[.0-9]*'/version='${node:-TARN_0}'/" "$recorded" >"$work/renamed.abi"
    missing=$(unannounced "$work/renamed.abi" "$now" "$SRC/CHANGELOG.md")
    if [ -n "$missing" ]; then
        echo "removed or changed, but not named under Unreleased in CHANGELOG.md:" >&2
        printf '%s\n' "$missing" >&2
        exit 1
    fi
    dump "$now" "$recorded"
    exit
fi
if ! abidiff "$recorded" "$now" >"$work/report"; then
    cat "$work/report" >&2
    echo "the public headers differ from tests/abi/libtarn.abi: name the change in CHANGELOG.md, then run ./x abi --update" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
wrong=0
# try FILE EXPRESSION WANTED...: with that header edited, broken_names() finds WANTED, and abidiff fails.
try() {
    edited=$1
    expression=$2
    shift 2
    rm -rf "$work/copy"
    mkdir -p "$work/copy/include"
    cp -r "$SRC/include/tarn" "$work/copy/include/"
    cp "$SRC/tarn.map" "$work/copy/"
    sed -i -E "$expression" "$work/copy/include/tarn/$edited"
    build_interface "$work/copy" "$work/copy/interface.so"
    found=$(broken_names "$recorded" "$work/copy/interface.so" | tr '\n' ' ')
    if [ "$found" != "$*${*:+ }" ] || abidiff "$recorded" "$work/copy/interface.so" >/dev/null; then
        printf '%s\n' "$edited, $expression: found '$found', expected '$*'" >&2
        wrong=1
    fi
}
try device.h '0,/^TARN_API/s//TARN_API int tarn_added(void);\nTARN_API/' # only an addition
try base.h 's/^TARN_API uint32_t tarn_version.*//' tarn_version
try base.h 's/^TARN_API uint32_t tarn_version/TARN_API uint64_t tarn_version/' tarn_version
try copy.h 's/^( *uint64_t) width;.*/\1 extra, width;/' tarn_copy_desc tarn_fill_desc
exit $wrong
