#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn channel top sees the channels of a running process, which takes no part in it.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

"$TARN" channel bench --sizes 64K --time 20000 >"$work/bench" 2>&1 &
bench=$!
trap 'kill $bench 2>/dev/null || true; rm -rf "$work"' EXIT
tries=0
until "$TARN" channel top $bench --once | grep -q 'sent [1-9]'; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || fail "no channel in the process"
    sleep 0.05
done
expect 0 channel top $bench --count 2 --interval 0.05
says out "^process $bench\$"
says out 'arena .* live .* peak'
says out 'channel to [0-9]*: sent [0-9]* ([1-9][0-9]*/s'
expect 0 channel top $bench --json
is_json
says out '"in_flight"'
says out '"send_waits"'
holds "$(json sends) > 0 && $(json copies) == 0"
kill $bench
wait $bench 2>/dev/null || true

expect 0 channel top $bench --once
says out 'no process'
expect 2 channel top --interval 0
says err 'interval'
expect 2 channel top nonsense
says err 'nonsense'
