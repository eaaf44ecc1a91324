#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each format reads back what it wrote: recordings that are made to be hard, those of the fuzzers' corpora, a trace of the
# repository and, if they are here, the public ones. tests/support/roundtrip.py has a model of what each format holds.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

python3 -c 'import ctypes; ctypes.CDLL("libzstd.so.1")' 2>/dev/null || {
    echo "skipped: needs python3 and libzstd.so.1" >&2
    exit 77
}
corpus=$SRC/tests/fuzz/corpus
formats=binary,snapshot,text,pprof,chrome,csv
mkdir "$work/made" "$work/files"
python3 "$SRC/tests/support/recordings_made.py" "$work/made"

# round LEAST FILE...: at least LEAST of the files are recordings, and each is the same again.
round() {
    least=$1
    shift
    python3 "$SRC/tests/support/roundtrip.py" "$TARN" "$work/files" "$formats" "$@" >"$work/out" 2>"$work/err" ||
        fail "the round trip ends early"
    ! grep -v '^compared ' "$work/out" >"$work/differences" || fail "a format does not read back what it wrote"
    [ "$(sed -n 's/^compared //p' "$work/out")" -ge "$least" ] || fail "fewer than $least recordings"
}
round 22 "$work"/made/*
round 30 "$corpus"/trace_binary/* "$corpus"/trace_csv/* "$corpus"/trace_json/* "$corpus"/trace_pickle/* \
    "$corpus"/trace_protobuf/* "$corpus"/trace_sqlite/* "$corpus"/trace_text/*
round 1 "$SRC/traces/lora-ckpt.trace.gz"
public=${TARN_SNAPSHOTS:-$SRC/../shared/traces}
if [ -d "$public/public" ]; then
    round 12 "$public"/*.snapshot.pickle.gz "$public"/public/*.pickle.gz
else
    echo "skipped: no public recordings (TARN_SNAPSHOTS)" >&2
fi
if [ -d "$public/formats" ]; then
    round 24 "$public"/formats/*.*
else
    echo "skipped: no recordings of other tools (TARN_SNAPSHOTS)" >&2
fi
