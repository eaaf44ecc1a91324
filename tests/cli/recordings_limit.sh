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
replay_all memory-1.02 --pool expandable:memory --limit 1.02x --repeat 2
replay_all balanced-1.02 --pool expandable:balanced --limit 1.02x
replay_all direct --pool direct
for rows in memory-1.012 memory-1.02 balanced-1.02; do
    completes "$rows"
done
# Column 19 is column 8 of the replay without a pool.
[ -s "$work/balanced-1.02.failed" ] || paste -d ' ' "$work/balanced-1.02" "$work/direct" |
    each "balanced at its limit, first pass / direct + 40 ms" '$8 <= $19 + 40e6'

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
