#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Colours and progress appear on a terminal alone: never in a pipe, with NO_COLOR or TERM=dumb; and no
# progress with --quiet.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
command -v script >/dev/null || {
    echo "skipped: needs bsdutils"
    exit 77
}
unset NO_COLOR
TERM=xterm
export TERM
escape=$(printf '\033')
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 100 >"$work/trace"

# on_terminal FILE ARGUMENTS...: runs the command with a terminal of its own.
on_terminal() {
    file=$1
    shift
    script -qec "'$TARN' $*" /dev/null >"$file" 2>&1 </dev/null || true
}
coloured() { grep -q "$escape\[[0-9;]*m" "$1"; }

for words in "fit '$work/trace'" "explain --no-replay '$work/trace'" "diff '$work/trace' '$work/trace'" \
    "replay --device sim:0 '$work/trace'" info 'check --explain all' 'channel bench --sizes 64K --time 1'; do
    on_terminal "$work/out" "$words"
    coloured "$work/out" || fail "no colour on a terminal: tarn $words"
    sh -c "'$TARN' $words" >"$work/out" 2>"$work/err" </dev/null || fail "exit $? of: tarn $words"
    ! grep -q "$escape" "$work/out" "$work/err" || fail "colour in a file: tarn $words"
done
export NO_COLOR=1
on_terminal "$work/out" info
! coloured "$work/out" || fail "NO_COLOR is ignored"
export NO_COLOR=
on_terminal "$work/out" info
coloured "$work/out" || fail "an empty NO_COLOR counts"
TERM=dumb
on_terminal "$work/out" info
! grep -q "$escape" "$work/out" || fail "TERM=dumb is ignored"
# JSON is for programs, also on a terminal.
TERM=xterm
on_terminal "$work/out" info --json
! grep -q "$escape" "$work/out" || fail "colour in JSON"

# A replay without end. It is ended when its progress has shown; the others have run as long.
endless() { exec script -qec "'$TARN' replay --device sim:0 --repeat 4000000000 '$work/trace' $*" /dev/null </dev/null 2>&1; }
endless --quiet >"$work/quiet" &
quiet=$!
TERM=dumb endless >"$work/dumb" &
dumb=$!
endless >"$work/bar" &
bar=$!
until grep -q 'expandable:balanced \[#* *\] *[0-9]* %' "$work/bar"; do
    kill -0 "$bar" || fail "no progress on a terminal"
    sleep 0.1
done
kill "$quiet" "$dumb" "$bar"
wait "$quiet" "$dumb" "$bar" || true
! grep -q ' %' "$work/quiet" || fail "progress with --quiet"
! grep -q ' %' "$work/dumb" || fail "progress with TERM=dumb"
