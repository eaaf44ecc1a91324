#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn channel top sees the channels of a running process, which takes no part in it.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

"$TARN" channel bench --sizes 64K --time 3600000 >"$work/bench" 2>&1 &
bench=$!
trap 'kill $bench 2>/dev/null || true; rm -rf "$work"' EXIT
until "$TARN" channel top $bench --once | grep -q 'sent [1-9]'; do
    kill -0 $bench || fail "no channel in the process"
    sleep 0.05
done
# A process that gets no time between two samples has sent nothing.
until grep -q 'channel to [0-9]*: sent [0-9]* ([1-9][0-9]*/s' "$work/out" 2>/dev/null; do
    expect 0 channel top $bench --count 2 --interval 0.05
done
says out "^process $bench\$"
says out 'arena .* live .* peak'
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
