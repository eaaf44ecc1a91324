#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every example and every kind of replay meets every quirk of a device and ends by itself: with the right result,
# or with an error. None crashes, hangs, or leaves memory behind. By day each quirk meets every fifth program, in
# turn; TARN_TEST_SWEEP=all takes all.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced; it sets work; the inner shell expands
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
unset TARN_QUIRK TARN_DELAY

# The list that users see.
expect 0 info --quirks
names=$(awk '{ print $1 }' "$work/out")
[ "$(echo "$names" | wc -l)" -ge 13 ] || fail 'quirks are missing from the list'
expect 0 info --quirks --json
is_json
for name in $names; do
    says out "\"name\": \"$name\""
    grep -q "^| \`$name\`" "$SRC/docs/quirks.md" || fail "docs/quirks.md does not describe $name"
done

# What a user writes wrong is reported before the program starts.
expect 125 run --quirk late-mop -- true
says err 'quirk takes held-memory|.*, not "late-mop"; did you mean "late-map"?'
expect 125 run --quirk -- true
expect 125 check --quirk late-mop -- true
expect 122 run --quirk no-vmm --quirk pin-limit:1M --delay map:1ms --delay copy:2us -- \
    sh -c 'echo "$TARN_QUIRK,$TARN_DELAY"'
says out '^no-vmm;pin-limit:1M,map:1ms;copy:2us$'
expect 0 info --device 'sim:0,quirk=no-vmm;pin-limit:1M,delay=map:1ms'
says out 'quirk  *pin-limit:1M  *uri'
says out 'delay  *map:1ms  *uri'
TARN_QUIRK=no-vmm "$TARN" info --device sim:0 >"$work/out" || fail 'the environment is refused'
says out 'quirk  *no-vmm  *environment'

# ends WHAT COMMAND...: the exit status is a success or an error, and no signal or time limit.
ends() {
    what=$1
    shift
    got=0
    timeout 900 "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
    case $got in
    0 | 1 | 2 | 3) ;;
    *) fail "exit $got: $what" ;;
    esac
}

# takes_part: true for every fifth call. There are 13 programs, so each quirk meets others than the one before it.
turn=${TARN_TEST_SEED:-0}
takes_part() {
    turn=$((turn + 1))
    [ "${TARN_TEST_SWEEP:-}" = all ] || [ $((turn % 5)) = 0 ]
}

# run_example NAME WORDS: a success prints its usual words.
run_example() {
    takes_part && [ -x "$BUILD/tests/bin/$1" ] || return 0
    ends "$1 with $quirk" "$TARN" run --quirk "$quirk" -- "$BUILD/tests/bin/$1"
    [ "$got" != 0 ] || grep -q "$2" "$work/out" || fail "$1 with $quirk: a wrong result"
}

replay() {
    takes_part || return 0
    ends "replay $* with $quirk" "$TARN" run --quirk "$quirk" -- \
        "$TARN" replay "$work/trace" "$@"
    [ "$got" = 0 ] || says err 'tarn replay: '
}

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 3000 >"$work/trace"
for quirk in $names late-map:4- dead-tail:every=3 empty-map:1- fragmented:1- fragmented:40- fragmented:rate=0.1 \
    address-quota:1M device-lost:20; do
    run_example example_quickstart '^hello from'
    run_example example_pools '^awake: weights'
    run_example example_overflow 'and was 0x00'
    run_example example_streams '^42 was sent, 42'
    run_example example_hip_grow ''
    run_example example_acl_pool ''
    run_example example_hiai_frames ''
    run_example frames_host ''
    for pool in direct segments expandable:time expandable:memory; do
        replay --pool "$pool" --device sim:0,memory=80G
    done
    replay --touch --pool expandable --device host:0
done
