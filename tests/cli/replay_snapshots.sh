#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Public recordings of PyTorch on GPUs replay with their streams and starting blocks, in no more memory than
# PyTorch itself reserved. They are not part of the repository: without them the test is skipped.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

folder=$(snapshots)
sim="--device sim:0,memory=80G"

# replayed FILE STREAMS STARTING-BLOCKS PEAK-OF-PYTORCH
replayed() {
    # shellcheck disable=SC2086 # a list of words
    expect 0 replay "$folder/$1" $sim --json
    is_json
    [ "$(json streams)" = "$2" ] || fail "$1: $(json streams) streams, not $2"
    [ "$(json starting_blocks)" = "$3" ] || fail "$1: $(json starting_blocks) starting blocks, not $3"
    [ "$(json recorded_peak_reserved_bytes)" = "$4" ] || fail "$1: PyTorch's own peak is misread"
    [ "$(json contradictions)" = 0 ] || fail "$1: contradictions"
    holds "$(json peak_reserved_bytes) <= $4"
    holds "$(json peak_live_bytes) <= $(json peak_reserved_bytes)"
}

replayed gpu-train-step.snapshot.pickle.gz 1 0 1205862400
replayed gpu-generate-10-streams.snapshot.pickle.gz 10 195 22519218176

gzip -dc "$folder/gpu-train-step.snapshot.pickle.gz" >"$work/plain"
# shellcheck disable=SC2086
expect 0 replay "$work/plain" $sim --compare -v
says out '^recording .* by the recorded allocator'
says out ' Optimizer.step#'
head -c 100000 "$work/plain" >"$work/cut"
# shellcheck disable=SC2086
expect 2 replay "$work/cut" $sim
says err 'cut: byte 100000: the file ends early'
