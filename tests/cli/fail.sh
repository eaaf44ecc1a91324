#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --fail of tarn run and tarn check makes calls of the program fail, and a wrong spec is found before
# the program starts.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
show="info --device host:0,devices=1,memory=1G"

# The example of docs/failures.md.
expect 0 info --device 'host:0,devices=1,memory=1G,fail=phys_create:1'
says err '^tarn: injected: phys_create, call 1, fails with NO_DEVICE_MEMORY, 2097152 bytes (phys_create:1)$'
grep -qF "$(grep '^tarn: injected' "$work/err")" "$SRC/docs/failures.md" || fail "docs/failures.md shows another line"

# shellcheck disable=SC2086 # the command in words
{
    expect 0 run --fail tarn_phys_create:1:stack --fail reserve:1000 -- "$TARN" $show
    says err '^tarn: injected: tarn_phys_create, call 1, fails with NO_DEVICE_MEMORY, 2097152 bytes'
    says err '^    #0 '
    expect 1 run --fail tarn_device_open:as=NO_HANDLES -- "$TARN" $show
    says err 'tarn_device_open: call 1 was made to fail, as "tarn_device_open:as=NO_HANDLES" asks$'
    expect 0 check --fail map:1 -- "$TARN" $show
    says err '^tarn: injected: map, call 1, fails with NO_MAPPINGS'
}

# Nothing starts with a wrong spec.
expect 125 run --fail mop:3 -- touch "$work/started"
says err 'fail: "mop:3": "mop": this is not a call that can be made to fail$'
expect 125 check --fail map:never -- touch "$work/started"
says err 'fail: "map:never": "never": expected calls such as'
expect 125 run --fail hipMemMop:3 -- touch "$work/started"
says err 'fail: "hipMemMop:3": "hipMemMop": no face has this function$'
expect 125 run --fail hipMemMap:as=hipErrorOops -- touch "$work/started"
says err '"as=hipErrorOops": HIP.s runtime API has no such error$'
# So are quirks, delays and software devices, by every command that starts programs.
for command in run check 'record -o /dev/null' torture explore; do
    # shellcheck disable=SC2086 # the command in words
    {
        expect 125 $command --delay x -- touch "$work/started"
        says err 'delay: "x": "x": this is not a call of a back-end$'
        expect 125 $command --delay map -- touch "$work/started"
        says err 'delay: "map": "map": expected a duration'
        expect 125 $command --quirk pin-limit:much -- touch "$work/started"
        says err 'quirk: "pin-limit:much": "much": expected a size'
        expect 125 $command --device host:0,memory=much --as hip -- touch "$work/started"
        says err '^tarn [a-z]*: --device: host: "memory=much": expected a size'
    }
done
[ ! -e "$work/started" ] || fail "the program was started"
expect 122 run --fail 'hipMemMap:as=hipErrorUnknown;aclrtMalloc:as=507899;HIAI_Init:as=HIAI_INIT_FAIL' -- true

# A seed lets calls fail: the same ones each time.
total=0
for seed in 1 2 3 4 5 6 7 8; do
    # shellcheck disable=SC2086 # the command in words
    for time in 1 2; do
        TARN_SEED=$seed:faults "$TARN" $show >"$work/out" 2>"$work/err.$time" || true
    done
    grep '^tarn: injected: .*(TARN_SEED)$' "$work/err.1" >"$work/first" || true
    grep '^tarn: injected: .*(TARN_SEED)$' "$work/err.2" | cmp -s - "$work/first" || fail "seed $seed: other calls fail"
    total=$((total + $(wc -l <"$work/first")))
done
[ $total -gt 0 ] || fail 'no seed lets a call fail'

# A wrong variable is no silent absence of failures.
TARN_FAIL=map:x
export TARN_FAIL
expect 2 info --device host:0
says err 'environment variable TARN_FAIL: fail: "map:x": "x": expected'
