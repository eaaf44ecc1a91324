#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table has a heading and a legend, and -v shows the marks.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

printf 'm 0 warm up\na 1 0 1000000\na 2 1 3000000\nm 3 half way\nf 4 0\na 5 2 500000\n' >"$work/small"
expect 0 replay "$work/small" --device sim:0,memory=80G --compare -v
[ ! -s "$work/err" ] || fail "progress although standard error is no terminal"
for pool in direct fixed segments expandable:time expandable:balanced expandable:memory expandable:planned; do
    says out "^$pool .* %"
done
says out 'small: 6 events, 3 allocations, peak live 3.81 MiB'
says out ' warm up$'
says out ' half way$'
says out '^utilisation '
expect 0 replay "$work/small" "$work/small" --device sim:0,memory=80G --json -v
is_json
[ "$(grep -c '"label": "half way"' "$work/out")" = 2 ] || fail "the marks are missing"
[ "$(json peak_live_bytes)" = 4000000 ] || fail "wrong peak"
expect 0 replay "$work/small" --device sim:0,memory=80G --json --scale 3 --repeat 5
[ "$(json peak_live_bytes)" = 12000000 ] || fail "wrong peak at --scale 3"
[ "$(json events)" = 6 ] || fail "repetitions count as events"
expect 0 replay "$work/small" --device sim:0,memory=80G --pool direct --json
[ "$(json peak_reserved_bytes)" -ge 4000000 ] || fail "direct reserves less than is live"
expect 0 replay "$work/small" --device sim:0,memory=80G --pool fixed --json
holds "$(json reach_bytes) >= 4000000 && $(json reach_bytes) < 5000000"
[ "$(json peak_reserved_bytes)" = "$(json reach_bytes)" ] || fail "a fixed pool's peak is not its reach"
