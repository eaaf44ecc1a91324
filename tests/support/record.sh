#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of recorded programs share: the owners of their blocks, compared with their sources. Sourced.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset MSTX_INJECTION_PATH LD_PRELOAD TARN_RECORD_FILE
[ -e "$(dirname "$TARN")/../lib/tarn/record/libtarn-record.so" ] || {
    echo "skipped: the recorder is not built" >&2
    exit 77
}
# A sanitizer must be the first library of a program, so that nothing can be preloaded.
if ldd "$TARN" | grep -q -e libasan -e libtsan; then
    echo "skipped: a sanitizer refuses preloaded libraries" >&2
    exit 77
fi

# record_owners OPTIONS...: records a program. $work/owners has the owner of each block once.
record_owners() {
    rm -f "$work"/p.tarn*
    expect 0 record -o "$work/p.tarn" "$@"
    for file in "$work"/p.tarn*; do
        "$TARN" convert --to csv "$file" - || fail "convert $file"
    done | tr -d '\r' | awk -F, '$2 == "alloc"' | sed 's/.*,"\([^"]*\)"$/\1/' | sort -u >"$work/owners"
    [ -s "$work/owners" ] || fail "no block was recorded"
}

# holders SOURCE MARK: the owners are the lines of SOURCE with MARK and HOLDER, in the functions that it names.
holders() {
    grep -n "$2 HOLDER " "$1" | grep -v "^[0-9]*:$2" | sed 's/:.* HOLDER / /' >"$work/wanted"
    [ -s "$work/wanted" ] || fail "no HOLDER in $1"
    while read -r line function; do
        grep -F "${1#"$SRC/"}:$line)" "$work/owners" >"$work/got" || fail "line $line owns nothing: $(cat "$work/owners")"
        ! grep -v -F "$function" "$work/got" || fail "line $line is in $function"
    done <"$work/wanted"
    sed "s|.*${1#"$SRC/"}:\([0-9]*\))\$|\1|" "$work/owners" | sort -u >"$work/got"
    cut -d ' ' -f 1 "$work/wanted" | sort -u | cmp -s - "$work/got" || fail "$1: the owners are $(cat "$work/owners")"
}
