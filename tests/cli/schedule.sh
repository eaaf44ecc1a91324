#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A missing wait between two streams shows under schedule=late, each time, and under some seed of random; the
# mended program is right under every schedule.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
program=$BUILD/tests/bin/example_streams
[ -x "$program" ] || exit 77

# arrives NUMBER OPTIONS [WORD]
arrives() {
    TARN_DEVICE=host:0,$2 timeout 900 "$program" ${3:+"$3"} >"$work/out" 2>"$work/err" || true
    grep -qx "42 was sent, $1 arrived" "$work/out" || fail "$2 $3: not $1"
}

for _ in 1 2 3; do
    arrives 42 schedule=eager ''
    arrives 0 schedule=late ''
    arrives 42 schedule=prompt ''
done
wrong=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
    arrives 42 "schedule=random,seed=$seed" wait
    TARN_DEVICE=host:0,schedule=random,seed=$seed "$program" >"$work/once" || wrong=$((wrong + 1))
    TARN_DEVICE=host:0,schedule=random,seed=$seed "$program" >"$work/out" || true
    cmp -s "$work/once" "$work/out" || fail "seed $seed: two runs differ"
    TARN_SEED=$seed "$program" >"$work/out" || true
    cmp -s "$work/once" "$work/out" || fail "seed $seed: TARN_SEED is another seed"
done
[ $wrong -gt 0 ] || fail 'no seed shows the mistake'
TARN_SEED=x "$program" 2>"$work/err" && fail 'TARN_SEED=x is a seed'
grep -q 'TARN_SEED: expected a number, .* not "x"' "$work/err" || fail 'TARN_SEED=x: no reason'
[ "$(TARN_SEED=3 TARN_DEVICE=host:0,schedule=late "$program")" = '42 was sent, 0 arrived' ] ||
    fail 'TARN_SEED goes before a schedule'
for schedule in parallel eager late prompt; do
    arrives 42 "schedule=$schedule" wait
done
