#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A folder for temporary files without room is a failure of the system: tarn torture and tarn explore end with 125 and
# name the file, or find what they find elsewhere. No program dies of it, and no run becomes a finding.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; words for a shell
. "$SRC/tests/support/cli.sh"
bin=$(cd "$(dirname "$TARN")/.." && pwd)/tests/bin
[ -x "$bin/example_torture" ] || { echo "skipped: needs the examples"; exit 77; }

# A file system of this many KiB, in a namespace of its own, whose root may mount.
mkdir "$work/small"
within() {
    kib=$1
    shift
    got=0
    unshare $user -m sh -c 'mount -t tmpfs -o size="$1"k none "$2" || exit 99; TMPDIR=$2; export TMPDIR; shift 2; "$@"' \
        sh "$kib" "$work/small" "$TARN" "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
}
user=
within 64 --version
if [ "$got" != 0 ]; then
    user=-Ur
    within 64 --version
fi
[ "$got" = 0 ] || { echo "skipped: no file system may be mounted here"; exit 77; }

refused=0
for kib in 8 32 64 80 128 160 256 400 4096; do
    within $kib torture -j 1 --only '[cm]*' -- "$bin/example_torture"
    case $got in
    0) says out '^0 finding(s) in 5 run(s)$' ;;
    125)
        refused=$((refused + 1))
        says err '^tarn torture: .*/[a-z]*: No space left on device; TMPDIR selects another folder$'
        ;;
    *) fail "exit $got with $kib KiB" ;;
    esac
    [ "$got" = 0 ] || [ "$kib" -lt 4096 ] || fail "4 MiB are not enough"
done
[ $refused -gt 0 ] || fail "no file system was too small"
within 8 explore -n 3 -- "$bin/example_streams" wait
[ "$got" = 125 ] || fail "exit $got of tarn explore"
says err 'No space left on device'
within 4096 explore -j 1 -n 3 -- "$bin/example_streams" wait
[ "$got" = 0 ] || fail "exit $got of tarn explore with 4 MiB"

# The output of a program is not limited by the folder: it does not reach it.
within 512 torture -j 1 --only map -- sh -c 'head -c 2000000 /dev/zero | tr "\0" x; exec "$0"' "$bin/example_torture"
[ "$got" = 0 ] || fail "exit $got with much output"

# A limit of file sizes is an error of the command too, and no signal that ends it.
got=0
(ulimit -f 8 && exec "$TARN" torture -- "$bin/example_torture") >"$work/out" 2>"$work/err" </dev/null || got=$?
[ "$got" = 125 ] || fail "exit $got with a limit of file sizes"
says err '/tally: File too large'
