#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each format reads back what it wrote: recordings that are made to be hard, those of the fuzzers' corpora and one of the
# repository's traces: by day its first 30000 events, with TARN_TEST_SWEEP=all all of them.
# tests/support/roundtrip.py has a model of what each format holds.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/roundtrip.sh"

corpus=$SRC/tests/fuzz/corpus
mkdir "$work/made"
python3 "$SRC/tests/support/recordings_made.py" "$work/made"
round 24 "$work"/made/*
round 30 "$corpus"/trace_binary/* "$corpus"/trace_csv/* "$corpus"/trace_json/* "$corpus"/trace_pickle/* \
    "$corpus"/trace_protobuf/* "$corpus"/trace_sqlite/* "$corpus"/trace_text/*
large=$SRC/traces/lora-ckpt.trace.gz
if [ "${TARN_TEST_SWEEP:-}" != all ]; then
    gzip -dc "$large" | head -n 30000 | gzip -1 >"$work/made/large.trace.gz"
    large=$work/made/large.trace.gz
fi
round 1 "$large"
