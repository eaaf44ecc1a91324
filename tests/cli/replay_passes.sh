#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each repetition reports its own peak and its own device time. A limit may be relative to the peak of live
# bytes, and streams may be ignored.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim="--device sim:0,memory=80G"
printf 'a 1 0 1000000\na 2 1 3000000\nf 4 0\na 5 2 500000\n' >"$work/small"

# Three allocations and three frees of 100 us each in both passes; the pool keeps its memory.
# shellcheck disable=SC2086 # a list of words
expect 0 replay "$work/small" $sim --json --pool direct --repeat 2
is_json
[ "$(grep -c '^      "device_ns": 600000,$' "$work/out")" = 2 ] || fail "direct: not 0.6 ms in each pass"
[ "$(json device_ns)" = 1200000 ] || fail "direct: not 1.2 ms in total"
[ "$(json created_handles)" = 6 ] || fail "direct: not three allocations in each pass"
# shellcheck disable=SC2086
expect 0 replay "$work/small" $sim --json --pool segments --repeat 3
[ "$(grep -c '^      "device_ns": 100000,$' "$work/out")" = 1 ] || fail "segments: not one allocation"
[ "$(grep -c '^      "device_ns": 0,$' "$work/out")" = 2 ] || fail "segments: a repeated pass is not free"
[ "$(grep -c '^      "peak_held_bytes": 33554432,$' "$work/out")" = 3 ] || fail "segments: wrong peaks"

# The settings of a pool are options.
# shellcheck disable=SC2086
expect 0 replay "$work/small" $sim --json --pool segments --segment 64M
[ "$(json peak_reserved_bytes)" = 67108864 ] || fail "segments: not one of 64 MiB"
# shellcheck disable=SC2086
expect 0 replay "$work/small" $sim --json --pool expandable:memory --page 8M
[ "$(json peak_reserved_bytes)" = 8388608 ] || fail "memory: not one page of 8 MiB"
printf 'a 1 0 41943040\na 2 1 41943040\nf 3 0\na 4 2 62914560\n' >"$work/hole"
# shellcheck disable=SC2086
expect 0 replay "$work/hole" $sim --json --pool expandable:time
holds "$(json peak_reserved_bytes) >= 146800640"
# shellcheck disable=SC2086
expect 0 replay "$work/hole" $sim --compare --segment 64M --page 4M
# shellcheck disable=SC2086
expect 2 replay "$work/small" $sim --segment lots
says err 'segment takes a size such as 64K or 1.5G, not "lots"'

# The options of the cost model are the device's.
expect 0 replay "$work/small" --device sim:0,memory=80G,allocate_ns=7,free_ns=3 --json --pool direct
[ "$(json device_ns)" = 30 ] || fail "direct: not 10 ns for each pair"
# shellcheck disable=SC2086
expect 0 replay "$work/small" $sim --compare --repeat 2
says out '^  pass  peak reserved'
[ "$(grep -c '^     2 ' "$work/out")" = 7 ] || fail "not one line for the second pass of each pool"

# Handles of an expandable pool are created and mapped once: 5 us to create and 3 to map with rights. The pool's
# time is that of the device's own clock.
expect 0 replay "$work/small" --device sim:0,memory=80G,create_ns=5000,map_ns=1000,access_ns=2000 --json --repeat 2 \
    --pool expandable
[ "$(json created_handles)" = "$(json mapped_handles)" ] || fail "expandable: not all handles were mapped once"
[ "$(json moved_handles) $(json unmapped_handles)" = "0 0" ] || fail "expandable: handles moved without need"
[ "$(json device_ns)" = $(($(json created_handles) * 8000)) ] || fail "expandable: not 8 us for each handle"
# "expandable" is its default policy.
# shellcheck disable=SC2086
expect 0 replay "$work/small" $sim --json --pool expandable
[ "$(json pool)" = expandable:balanced ] || fail "the default policy is $(json pool)"
# shellcheck disable=SC2086
expect 2 replay "$work/small" $sim --pool expandable:cheap

# --- limits relative to the peak of live bytes, which is 4,000,000
# shellcheck disable=SC2086
for case in "1x 4000000 3" "2x 8000000 0" "1.5x 6000000 3" "+1M 5048576 3" "+2M 6097152 3" "+3M 7145728 0" "8M 8388608 0"; do
    set -- $case
    expect "$3" replay "$work/small" $sim --json --pool direct --limit "$1"
    [ "$(json limit_bytes)" = "$2" ] || fail "--limit $1 is $(json limit_bytes), not $2"
done
for limit in 0x 1.5 2xx x 1.2.3x + 0 -1 1xx; do
    # shellcheck disable=SC2086
    expect 2 replay "$work/small" $sim --limit $limit
done

# --- the recorded allocator and the streams of a snapshot
snapshot=$SRC/tests/fuzz/corpus/trace_pickle/lost_beginning-p4
# shellcheck disable=SC2086
expect 0 replay "$snapshot" $sim --json --streams ignore
[ "$(json streams_option)" = ignore ] || fail "the streams are not ignored"
holds "$(json recorded_starting_segments) > 0"
holds "$(json recorded_virtual_ns) == 100000 * ($(json recorded_starting_segments) + $(json recorded_segment_events))"
# shellcheck disable=SC2086
expect 2 replay "$snapshot" $sim --streams some
says err 'streams takes honour|ignore'
