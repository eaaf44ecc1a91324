#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Expandable pools complete twelve public recordings in little more memory than was live at the peak.
# shellcheck disable=SC1091,SC2016,SC2154 # sourced; it sets work; the conditions are for awk
. "$SRC/tests/support/recordings.sh"

all=$files
# of_size WHICH: -E selects the recordings with less than 2 GiB live, -Ev the others.
of_size() {
    files=$(for file in $all; do echo "$file"; done | grep "$1" '/(gpu-train-step|train-step-fp32)[.]')
}

of_size -Ev
replay_all memory-1.012 --pool expandable:memory --limit 1.012x
replay_all memory-1.02 --pool expandable:memory --limit 1.02x --repeat 4
replay_all balanced-1.02 --pool expandable:balanced --limit 1.02x
replay_all direct --pool direct
for rows in memory-1.012 memory-1.02 balanced-1.02; do
    completes "$rows"
done
# Column 21 is column 8 of the replay without a pool.
[ -s "$work/balanced-1.02.failed" ] || paste -d ' ' "$work/balanced-1.02" "$work/direct" |
    each "balanced at its limit, first pass / direct + 40 ms" '$8 <= $21 + 40e6'

# The setting for the least memory completes in what `balanced` needs.
for file in $all; do
    for policy in balanced memory; do
        "$TARN" fit "$file" --pool "expandable:$policy" --tries 40 --json </dev/null 2>/dev/null |
            sed -n 's/.*"completes_from_bytes": \([0-9]*\),/\1/p' >"$work/$policy.least"
        [ -s "$work/$policy.least" ] || misses "$file: $policy: fit has no figure"
    done
    paste -d ' ' "$work/balanced.least" "$work/memory.least" | each "$file: least of balanced and memory" '$2 <= $1'
done

# At 1.05 times, every policy completes every recording.
files=$all
for policy in time balanced memory; do
    replay_all "$policy-1.05" --pool "expandable:$policy" --limit 1.05x
    completes "$policy-1.05"
done

# Below 2 GiB the granule of 2 MiB decides.
of_size -E
replay_all memory-small --pool expandable:memory --limit +48M
replay_all balanced-small --pool expandable:balanced --limit +56M
completes memory-small
completes balanced-small
finish
