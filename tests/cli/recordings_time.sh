#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With room, the device calls of an expandable pool take less time in the cost model of `sim` than the same
# allocations without a pool, and less than PyTorch's own calls. Repeated passes need hardly any.
# shellcheck disable=SC1091,SC2016,SC2154 # sourced; it sets work; the conditions are for awk
. "$SRC/tests/support/recordings.sh"

nca='^nca-(train|inference) '
# total COLUMN: reads rows.
total() { awk "{ sum += \$$1 } END { printf \"%.0f\", sum }"; }

replay_all direct --pool direct
for policy in time balanced; do
    replay_all "$policy" --pool "expandable:$policy" --repeat 3
    completes "$policy"
    # Column 21 is column 8 of the replay without a pool.
    while read -r name rest; do
        echo "$name $rest $(grep "^$name " "$work/direct")"
    done <"$work/$policy" >"$work/both"
    each "$policy, first pass / direct" '$8 <= 0.7 * $21' <"$work/both"
    each "$policy, handles created" '$7 <= 2 * $6 + 64' <"$work/$policy"
    recorded=$(total 5 <"$work/$policy")
    at_most "$policy, sum of the first passes, ns" "$(total 8 <"$work/$policy")" "0.35 * $recorded"
done
each "time, third pass without a device call" '$11 == 0' <"$work/time"
grep -Ev "$nca" "$work/balanced" | each "balanced, third pass without a device call" '$11 == 0'
grep -E "$nca" "$work/both" | each "balanced, third pass / direct" '$10 <= 0.3 * $21'
finish
