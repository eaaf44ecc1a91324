#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn replay --plan` follows the plan in a file, or learns one, and shows whether it still fits. A failure names the pass.
# shellcheck disable=SC1091,SC2046,SC2086,SC2154 # sourced; lists of words; it sets work
. "$SRC/tests/support/cli.sh"

sim="--device sim:0,memory=80G"

# steps N: each step keeps 10 MiB until the end and needs 30 MiB for a moment.
steps() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n; i++)
            printf "a 0 %d 10485760\na 0 %d 31457280\nf 0 %d\n", 2 * i, 2 * i + 1, 2 * i + 1
        for (i = 0; i < n; i++) print "f 0 " 2 * i
    }'
}
steps 200 >"$work/long"
steps 100 >"$work/short"

# held: the most bytes that each pass holds.
held() { sed -n 's/^      "peak_held_bytes": \([0-9]*\),$/\1/p' "$work/out" | tr '\n' ' '; }

expect 0 replay "$work/short" $sim --json --repeat 3
set -- $(held)
without=$2
expect 0 plan --whole "$work/long" -o "$work/plan"
expect 0 replay "$work/long" $sim --json --repeat 3 --plan "$work/plan"
[ "$(json planned) $(json unplanned) $(json late)" = '1200 0 0' ] || fail "the plan does not fit its own recording"
[ "$(grep -c '"driver_calls": 0,' "$work/out")" = 2 ] || fail "a pass that follows the plan calls the device"

# Half as many steps need half of the plan: after one pass the pool holds no more than without it.
expect 0 replay "$work/short" $sim --json --repeat 3 --plan "$work/plan"
is_json
[ "$(json plan)" = "$work/plan" ] || fail "the result does not name the plan"
set -- $(held)
holds "$1 > 1.8 * $without"
holds "$2 <= $without"
holds "$3 <= $without"

for policy in time balanced memory; do
    expect 0 replay "$work/short" $sim --json --repeat 5 --pool "expandable:$policy" --plan learn
    set -- $(held)
    holds "$5 <= 1.003 * $(json peak_live_bytes)"
    tail -n 40 "$work/out" | grep -q '"driver_calls": 0,' || fail "$policy: the last pass calls the device"
done

# With --compare one kind has the plan.
expect 0 replay "$work/short" $sim --compare --plan "$work/plan"
says out '^expandable:balanced .* 1.0[0-9] GiB'
says out '^expandable:planned .* 1.98 GiB'

expect 2 replay "$work/short" $sim --pool direct --plan "$work/plan"
says err '[-]-plan needs a pool, and --pool direct has none'
expect 2 replay "$work/short" $sim --plan "$work/missing"
says err 'the plan ".*/missing" is not a readable file'
expect 2 replay "$work/short" $sim --plan "$work/short"
says err 'cannot be created with --plan .*/short: no plan begins with'

# The pass that does not fit.
expect 3 replay "$work/short" $sim --limit 1000M --repeat 4
says err 'short:.*: event .* in pass 1 of 4: '
says out '(limit) in pass 1$'
expect 3 replay "$work/short" $sim --limit 1000M --repeat 4 --json
[ "$(json pass)" = 1 ] || fail "the result does not name the pass"
