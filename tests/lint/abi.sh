#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh [--update]: compares the binary interface of the public headers with tests/abi/libtarn.abi. Any
# difference fails. --update writes that file again; it refuses if a function or type of a header that
# tarn/tarn.h includes was removed or changed, and the Unreleased part of CHANGELOG.md does not name it. The
# other headers may change (docs/versions.md). install_abi compares the library itself.
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
    sed '/local:/d; /\*;/d' "$1/tarn.map" >"$2.map" # shows a function that the map lacks, too
    major=$(sed -n 's/^#define TARN_VERSION_MAJOR \([0-9]*\).*/\1/p' "$1/include/tarn/base.h")
    gcc -std=gnu2x -g -shared -fPIC -nostdlib -I"$1/include" "$2.c" -o "$2" -ffile-prefix-map="$1/"= \
        -ffile-prefix-map="$work/"= -Wl,-soname,"libtarn.so.$major" -Wl,--version-script="$2.map"
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

# may_change ROOT NAME: whether the name is, or was, in no header that tarn/tarn.h includes.
may_change() {
    grep -q "elf-symbol name='$2' version='[^']*_CHANGING'" "$recorded" && return
    sed -n "s|^#include <\(.*\)>|$1/include/\1|p" "$1/include/tarn/tarn.h" | xargs cat >"$work/frozen"
    ! grep -qw "$2" "$work/frozen" && cat "$1"/include/tarn/*.h | grep -qw "$2"
}

# unannounced OLD NEW CHANGELOG ROOT: the frozen ones that the Unreleased part does not name.
unannounced() {
    awk '/^## / { inside = /^## Unreleased/ } inside' "$3" >"$work/unreleased"
    for name in $(broken_names "$1" "$2"); do
        grep -qw "$name" "$work/unreleased" || may_change "$4" "$name" || printf '%s\n' "$name"
    done
}

recorded=$SRC/tests/abi/libtarn.abi
now=$work/interface.so
build_interface "$SRC" "$now"
if [ "${1:-}" = --update ]; then
    # Before 1.0 each minor release renames the version of all symbols (docs/versions.md), which is no removal.
    awk -v quote="'" '
        FNR == NR && /^TARN_/ { node = $1; first = first == "" ? node : first }
        FNR == NR { gsub(/[ ;]/, ""); of[$0] = node; next }
        match($0, "elf-symbol(-id=| name=)" quote "[a-z0-9_]+") {
            name = substr($0, RSTART, RLENGTH)
            sub(".*" quote, "", name)
            gsub(/TARN_0[.0-9A-Z_]*/, name in of ? of[name] : first)
        }
        { print }' "$SRC/tarn.map" "$recorded" >"$work/renamed.abi"
    missing=$(unannounced "$work/renamed.abi" "$now" "$SRC/CHANGELOG.md" "$SRC")
    if [ -n "$missing" ]; then
        echo "frozen, removed or changed, but not named under Unreleased in CHANGELOG.md:" >&2
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
# try KIND FILE EXPRESSION WANTED...: with that header edited, broken_names() finds WANTED, and abidiff fails. The
# changelog must name WANTED if their kind is "frozen", and not if it is "changing".
try() {
    kind=$1
    edited=$2
    expression=$3
    shift 3
    rm -rf "$work/copy"
    mkdir -p "$work/copy/include"
    cp -r "$SRC/include/tarn" "$work/copy/include/"
    cp "$SRC/tarn.map" "$work/copy/"
    sed -i -E "$expression" "$work/copy/include/tarn/$edited"
    build_interface "$work/copy" "$work/copy/interface.so"
    found=$(broken_names "$recorded" "$work/copy/interface.so" | tr '\n' ' ')
    : >"$work/copy/empty"
    demanded=$(unannounced "$recorded" "$work/copy/interface.so" "$work/copy/empty" "$work/copy" | tr '\n' ' ')
    wanted=
    [ "$kind" = changing ] || wanted="$*${*:+ }"
    if [ "$demanded" != "$wanted" ]; then
        printf '%s\n' "$edited, $expression: the changelog must name '$demanded', expected '$wanted'" >&2
        wrong=1
    fi
    if [ "$found" != "$*${*:+ }" ] || abidiff "$recorded" "$work/copy/interface.so" >/dev/null; then
        printf '%s\n' "$edited, $expression: found '$found', expected '$*'" >&2
        wrong=1
    fi
}
try frozen device.h '0,/^TARN_API/s//TARN_API int tarn_added(void);\nTARN_API/' # only an addition
try frozen base.h 's/^TARN_API uint32_t tarn_version.*//' tarn_version
try frozen base.h 's/^TARN_API uint32_t tarn_version/TARN_API uint64_t tarn_version/' tarn_version
try frozen copy.h 's/^( *uint64_t) width;.*/\1 extra, width;/' tarn_copy_desc tarn_fill_desc
try changing face.h 's/^TARN_API void tarn_annotate_handle_end.*//' tarn_annotate_handle_end
try changing channel.h 's/^( *uint64_t) largest;.*/\1 extra, largest;/' tarn_arena_desc
exit $wrong
