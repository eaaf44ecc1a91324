#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_run.sh PROGRAM CORPUS SCRATCH: runs the saved corpus alone, in an order of its own each time, with a
# search for leaks at exit. Then it fuzzes, starting from the corpus, until TARN_FUZZ_SECONDS (default 5) have passed
# since its own start. New inputs and crash files go to SCRATCH, never into the tree. TARN_FUZZ_SEED repeats an order.
set -eu
program=$1 corpus=$2 scratch=$3
end=$(($(date +%s) + ${TARN_FUZZ_SECONDS:-5}))
mkdir -p "$scratch/found"
seed=${TARN_FUZZ_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
replay() { "$program" -timeout=600 -rss_limit_mb=2048 -artifact_prefix="$scratch/" "$@"; }

echo "the corpus in the order of TARN_FUZZ_SEED=$seed"
replay -runs=0 -shuffle=1 -seed="$seed" "$corpus"
left=$((end - $(date +%s)))
[ "$left" -gt 0 ] || exit 0 # fuzzing runs the corpus again first
echo "fuzzing for $left s"
replay -max_total_time="$left" -print_final_stats=1 -verbosity=1 "$scratch/found" "$corpus"
