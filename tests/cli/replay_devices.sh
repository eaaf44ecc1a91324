#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A recording of several devices is replayed on as many devices, and contradictions are reported.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

inputs=$SRC/tests/fuzz/corpus/trace_pickle
for device in host:0 sim:0,memory=80G; do
    expect 0 replay "$inputs/lost_beginning-p4" --device $device --json -v
    is_json
    [ "$(json devices)" = 2 ] || fail "not two devices"
    [ "$(json starting_blocks)" = 3 ] || fail "not three blocks live before"
    [ "$(json peak_live_bytes)" = 2012 ] || fail "the peaks of the devices are not summed"
    [ "$(json recorded_peak_reserved_bytes)" = 6144 ] || fail "PyTorch's own peaks are not summed"
    [ "$(json contradictions)" = 0 ] || fail "contradictions where there are none"
    says out '"refused_bytes": 1099511627776'
done
# A name without a number of devices gets as many as the recording needs.
expect 0 replay "$inputs/lost_beginning-p4" --device host:1
expect 2 replay "$inputs/lost_beginning-p4" --device host:1,devices=2
says err 'the trace has 2 devices, and each needs one of its own'
expect 0 replay "$inputs/lost_beginning-p4" --device host:1,devices=3 --touch --compare

expect 0 replay "$inputs/contradictions-p4" --device host:0 --touch
says err 'the recording contradicts itself 5 times'
expect 0 replay "$inputs/contradictions-p4" --device host:0 --json
[ "$(json contradictions)" = 5 ] || fail "not five contradictions"
expect 2 replay "$inputs/circle" --device host:0
says err 'circle: segments\[0\]: not a dict'
