#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_run.sh PROGRAM CORPUS SCRATCH: fuzzes for TARN_FUZZ_SECONDS (default 5) starting from the saved
# corpus. New inputs and crash files go to SCRATCH, never into the tree.
set -eu
program=$1 corpus=$2 scratch=$3
mkdir -p "$scratch/found"
exec "$program" -max_total_time="${TARN_FUZZ_SECONDS:-5}" -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="$scratch/" "$scratch/found" "$corpus"
