#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn plan` describes and writes plans; a replay that follows one holds little more than is live, and calls the
# device in its first pass only.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim=sim:0,memory=16T

# Two blocks of 40 MiB end in the way of one of 80 MiB; with a plan it lies where they lay.
{
    printf 'a 1 0 41943040\na 2 1 41943040\na 3 2 41943040\nf 4 0\nf 5 2\na 6 3 83886080\n'
} >"$work/holes"
expect 0 plan "$work/holes" -o "$work/holes.plan" --json
is_json
[ "$(json requests) $(json bound_bytes) $(json plan_bytes)" = '4 125829120 125829120' ] || fail "not 120 MiB"
[ "$(head -c 8 "$work/holes.plan")" = tarnplan ] || fail "no plan was written"
expect 0 plan "$work/holes"
says out '^plan  *120.0 MiB, 1.0000 times the bound$'
says out '^search .*: no plan needs less memory$'

# Marks divide the recording into passes. Two in a row are equal; the third has another request.
pass() {
    printf 'm %d step\na %d %d 41943040\nf %d %d\na %d %d 20971520\n' $((10 * $1)) $((10 * $1 + 1)) $((2 * $1)) \
        $((10 * $1 + 2)) $((2 * $1)) $((10 * $1 + 3)) $((2 * $1 + 1))
    [ "$1" = 0 ] || printf 'f %d %d\n' $((10 * $1 + 4)) $((2 * $1 - 1))
}
{
    pass 0
    pass 1
    pass 2
    printf 'm 90 end\na 91 6 1000000\n'
} >"$work/steps"
expect 0 plan "$work/steps" --json
[ "$(json requests) $(json first_event) $(json last_event)" = '2 5 9' ] || fail "not the second pass"
[ "$(json plan_bytes)" = 62914560 ] || fail "the block of the pass before is not kept"
expect 0 plan --whole "$work/steps" --json
[ "$(json requests) $(json first_event)" = '7 1' ] || fail "not the complete recording"

# planned RECORDING SCALE: the replay with a plan calls the device in the first of three passes only. It holds at most
# 1.005 times what is live, or a page of 2 MiB more than that.
planned() {
    expect 0 replay "$1" --scale "$2" --device $sim --pool expandable:planned --repeat 3 --json
    is_json
    held=$(json peak_reserved_bytes)
    live=$(json peak_live_bytes)
    [ "$held" -le $((live + 2097152)) ] || holds "$held <= 1.005 * $live"
    [ "$(grep -c '"driver_calls": 0,' "$work/out")" = 2 ] || fail "$1: passes with calls of the device"
}
planned "$work/holes" 1
for trace in gpt-train lora-ckpt cnn-train serve; do
    planned "$SRC/traces/$trace.trace.gz" 1
    planned "$SRC/traces/$trace.trace.gz" 16
done

# The same plan on every machine: a search that its steps end makes the same bytes again.
for plan in first second; do
    expect 0 plan --steps 5 "$SRC/traces/serve.trace.gz" -o "$work/$plan"
    says out '^search .*: --steps ended it'
done
cmp "$work/first" "$work/second" || fail "two plans of one recording"
expect 0 plan --steps 9999 --time-limit 1 "$SRC/traces/serve.trace.gz"
says out '^search .*: --time-limit ended it'

# Blocks with a pattern never overlap.
expect 0 replay "$work/steps" --device host:0 --pool expandable:planned --touch --repeat 3

# Errors name what is wrong.
expect 2 plan "$work/nothing"
says err nothing
expect 2 plan
expect 2 plan --time-limit 0 "$work/holes"
expect 2 plan --steps 0 "$work/holes"
expect 1 plan "$work/holes" -o "$work/none/at/all"
says err 'none/at/all'
printf 'm 1 x\n' >"$work/empty"
expect 2 plan "$work/empty"
says err 'no allocation is recorded'
