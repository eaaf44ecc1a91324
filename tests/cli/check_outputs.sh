#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The files of --json and --log-path: one that cannot be opened or takes no bytes is exit status 125 and one
# line on standard error, nothing hangs, and no report of the text is lost. Without tarn check, the
# checker writes them itself by the same rules.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH TARN_CHECK_SOCKET
bad=$BUILD/tests/check/bugs/mstx_leak
good=$BUILD/tests/check/clean/mstx_no_heap
[ -x "$bad" ] || exit 0 # not built with sanitizers

# one_line PATTERN: there is one line that matches in the errors.
one_line() {
    [ "$(grep -c -e "$1" "$work/err")" = 1 ] || fail "not one line: $1"
}

# An output that cannot be opened: the program is not started.
for option in json log-path; do
    for path in "$work/absent/file" "$work"; do
        expect 125 check --$option="$path" -- sh -c "touch $work/ran"
        one_line "^tarn check: --$option $path: "
        [ ! -e "$work/ran" ] || fail "the program was started"
    done
done
expect 125 check --json="$work/%p/file" -- "$bad" # known only with the pid
one_line "^tarn check: --json $work/%p/file: No such file"
one_line 'SUMMARY: 1 error(s)'

# An output without room. The text goes to standard error then.
for option in json log-path; do
    expect 125 check --$option=/dev/full -- "$bad"
    one_line "^tarn check: --$option /dev/full: No space left on device"
    one_line 'SUMMARY: 1 error(s)'
    expect 125 check --$option=/dev/full -- "$good"
    ! grep -q 'nothing was checked' "$work/err" || fail "the process was not counted"
done
got=0
"$TARN" check -- "$bad" >/dev/null 2>/dev/full || got=$?
[ "$got" = 125 ] || fail "exit $got with a full standard error"
(
    ulimit -f 1
    expect 125 check --json="$work/limited" --log-path /dev/null -- sh -c "for i in 1 2 3 4 5 6; do '$bad'; done"
    one_line "^tarn check: --json $work/limited: File too large"
) || exit 1

# A FIFO: with a reader, without one, and with one that ends early or reads nothing.
mkfifo "$work/fifo"
cat "$work/fifo" >"$work/copy" &
expect 77 check --json="$work/fifo" -- "$bad"
wait
[ "$(grep -c '"summary": {"errors": 1' "$work/copy")" = 1 ] || fail "the FIFO's reader got no summary"
expect 125 check --json="$work/fifo" -- "$good"
one_line "^tarn check: --json $work/fifo: no process reads it"
{ head -c 1 "$work/fifo" >"$work/copy" && : >"$work/closed"; } &
expect 125 check --json="$work/fifo" -- sh -c "'$bad'; '$bad'; until [ -e '$work/closed' ]; do sleep 0.05; done; '$bad'"
one_line "^tarn check: --json $work/fifo: Broken pipe"
one_line '^tarn check: 3 processes: 3 error(s)'
wait

# Files are emptied at the start, and hold the reports of all processes. %p is a file for each.
echo old >"$work/json"
expect 77 check --json="$work/json" --log-path "$work/log" -- sh -c "'$bad'; '$bad'"
! grep -q old "$work/json" || fail "the file was not emptied"
[ "$(grep -c '"summary"' "$work/json")" = 2 ] || fail "there are not two summaries"
[ "$(grep -c 'SUMMARY' "$work/log")" = 2 ] || fail "there are not two summaries"
! grep -q 'SUMMARY' "$work/err" || fail "the text went to standard error as well"
expect 77 check --json="$work/p-%p" -- sh -c "'$bad'; '$bad'"
set -- "$work"/p-*
[ $# = 2 ] || fail "not a file for each process: $*"

# A program that outlives tarn check: its later reports go to its own standard error.
# shellcheck disable=SC2016 # for the inner shell
expect 122 check --json="$work/json" -- \
    sh -c '(while kill -0 $PPID; do sleep 0.05; done 2>/dev/null; exec "$0") >/dev/null 2>"$1" & exit 0' "$bad" "$work/late"
until grep -q 'SUMMARY: 1 error' "$work/late"; do sleep 0.5; done # for ever if the late report is lost
grep -q '"exit_code":122' "$work/json" || fail "the file does not say that nothing was checked"
! grep -q '"kind"' "$work/json" || fail "a late report is in the file"

# Without tarn check.
MSTX_INJECTION_PATH=$(cd "$(dirname "$TARN")/../lib/tarn/check" && pwd)/libtarn-check.so
export MSTX_INJECTION_PATH
# alone CODE OPTIONS PROGRAM
alone() {
    got=0
    TARN_CHECK_OPTIONS=$2 "$3" >"$work/out" 2>"$work/err" </dev/null || got=$?
    [ "$got" = "$1" ] || fail "exit $got, not $1, with $2"
}
alone 77 '' "$bad"
one_line 'SUMMARY: 1 error(s)'
alone 0 '' "$good"
alone 77 "json=$work/alone:log_path=$work/alone" "$bad"
[ "$(grep -c -e SUMMARY -e '"summary"' "$work/alone")" = 2 ] || fail "the file is not complete"
# Its descriptors are closed and used for a file of its own, which stays as it is.
alone 77 "json=$work/daemon:log_path=$work/daemon" "$BUILD/tests/check/bugs/mstx_daemon"
[ "$(grep -c -e ' ERROR bad-argument: ' -e '"summary"' "$work/daemon")" = 3 ] || fail "a report is lost"
for option in json log_path; do
    shown=$(echo $option | tr _ -)
    alone 1 "$option=/dev/full" "$good"
    one_line "^tarn check: --$shown /dev/full: No space left on device"
    alone 77 "$option=/dev/full" "$bad"
    one_line 'SUMMARY: 1 error(s)'
done
alone 1 "json=$work/fifo" "$good"
one_line "^tarn check: --json $work/fifo: no process reads it"
head -c 1 "$work/fifo" >"$work/copy" &
alone 77 "stack_depth=0:log_path=$work/fifo" "$BUILD/tests/check/bugs/mstx_many_places"
one_line "^tarn check: --log-path $work/fifo: Broken pipe"
one_line 'SUMMARY: 10300 error(s)'
wait
