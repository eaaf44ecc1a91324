# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154 # work is that of cli.sh
# Sourced by tests of the formats of `tarn convert`: round() writes each recording in each format and reads it back.

python3 -c 'import ctypes; ctypes.CDLL("libzstd.so.1")' 2>/dev/null || {
    echo "skipped: needs python3 and libzstd.so.1" >&2
    exit 77
}
formats=binary,snapshot,text,pprof,chrome,csv
mkdir "$work/files"

# round LEAST FILE...: at least LEAST of the files are recordings, and each is the same again.
round() {
    least=$1
    shift
    python3 "$SRC/tests/support/roundtrip.py" "$TARN" "$work/files" "$formats" "$@" >"$work/out" 2>"$work/err" ||
        fail "the round trip ends early"
    ! grep -v '^compared ' "$work/out" >"$work/differences" || fail "a format does not read back what it wrote"
    [ "$(sed -n 's/^compared //p' "$work/out")" -ge "$least" ] || fail "fewer than $least recordings"
}
