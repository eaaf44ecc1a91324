#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables whose columns the user names replay like those of known tools, and a wrong description is named.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim="--device sim:0,memory=80G"
samples="$SRC/tests/fuzz/corpus/trace_csv"

# shellcheck disable=SC2086 # a list of words
{
    expect 0 replay "$samples/rmm" $sim --json
    says out '"peak_live_bytes": 7864320'
    expect 0 replay "$samples/rmm" $sim --json \
        --columns time=Time,action=Action,address=Pointer,size=Size,stream=Stream
    says out '"peak_live_bytes": 7864320'
    expect 2 replay "$samples/rmm" $sim --columns addr=Pointer,size=Size
    says err '"addr" is no role'
    expect 2 replay "$samples/rmm" $sim --columns address=Pointer,size=Bytes
    says err 'rmm:1: no column is named "Bytes"'
    # Sums without blocks are read, and cannot be replayed.
    expect 2 replay "$samples/npu-sums" $sim
    says err 'sums without blocks'
}
