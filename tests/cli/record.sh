#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn record`: a recording replays to the peak that the program had, the program keeps its exit status,
# and wrong options and outputs are named.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset MSTX_INJECTION_PATH LD_PRELOAD TARN_RECORD_FILE
file=$work/program.tarn
recorder=$(dirname "$TARN")/../lib/tarn/record/libtarn-record.so
[ -e "$recorder" ] || {
    echo "skipped: the recorder is not built" >&2
    exit 77
}
# A sanitizer must be the first library of a program, so that nothing can be preloaded.
skip_sanitized "a sanitizer refuses preloaded libraries"

# A program with a pool of its own: the replay of a text trace. Its recording has the same peak.
cat >"$work/small.txt" <<'END'
a 0 1 1048576
a 0 2 2097152
f 0 1
a 0 3 4194304
f 0 2
f 0 3
END
expect 0 replay --json "$work/small.txt"
peak=$(json peak_live_bytes)
expect 0 record -o "$file" -- "$TARN" replay "$work/small.txt"
says out 'small.txt: 6 events'
expect 0 replay --json "$file"
[ "$peak" = 6291456 ] || fail "the program's peak is $peak"
[ "$(json peak_live_bytes)" = "$peak" ] || fail "peak $(json peak_live_bytes), not $peak"

# A program that annotates a pool of its own by MSTX, and one that uses a face.
bin=$BUILD/tests/bin
if [ -x "$bin/example_mstx_regions" ]; then
    expect 0 record -o "$file" -- "$bin/example_mstx_regions"
    expect 0 replay --json "$file"
    [ "$(json peak_live_bytes)" = 256 ] || fail "peak of MSTX: $(json peak_live_bytes)"
fi
if [ -x "$bin/example_hip_grow" ]; then
    expect 0 record -o "$file" --as hip -- "$bin/example_hip_grow"
    says out '5000000 numbers in 20 MiB'
    expect 0 replay --json "$file"
    [ "$(json peak_live_bytes)" = 20971520 ] || fail "peak of a face: $(json peak_live_bytes)"
fi
if [ -x "$bin/program_hip_graph_memory" ]; then
    expect 0 record -o "$file" --as hip -- "$bin/program_hip_graph_memory"
    expect 0 explain --no-replay "$file"
    says out 'memory of a graph  *2.00 MiB  *2  *66.7%'
fi
if [ -x "$BUILD/tests/check/clean/hip_graph_by_hand" ]; then
    expect 0 record -o "$file" --as hip -- "$BUILD/tests/check/clean/hip_graph_by_hand"
    expect 0 explain --no-replay "$file"
    says out 'memory of a graph  *4.00 KiB  *1  *20.0%'
fi

# A program for CUDA's driver, which prints its own peak.
driver=$bin/unit_record_cuda_linked
if [ -x "$driver" ]; then
    expect 0 record -o "$file" -- "$driver" kinds
    peak_of_driver=$(cut -d ' ' -f 1 "$work/out")
    expect 0 replay --json "$file"
    [ "$(json peak_live_bytes)" = "$peak_of_driver" ] || fail "peak of a driver: $(json peak_live_bytes)"
fi

# The exit status is that of the program, also by _exit, and by a signal.
expect 3 record -o "$file" -- sh -c 'exit 3'
says err '^tarn record: nothing was recorded: no process of sh loaded Tarn'
expect 122 record -o "$file" -- true
says err '^tarn record: nothing was recorded: no process of true loaded Tarn'
expect 122 record -o "$file" -- "$TARN" version
says err '^tarn record: nothing was recorded: .* loads Tarn and made no call that uses memory'
expect 143 record -o "$file" -- sh -c 'kill -TERM $$'
expect 127 record -o "$file" -- "$work/absent"
[ ! -e "$file" ] || fail "an empty recording was left"

# A program that another starts is recorded, and a second one beside it.
expect 0 record -o "$file" -- sh -c "'$TARN' replay '$work/small.txt'; '$TARN' replay '$work/small.txt'; exit 0"
[ -s "$file" ] || fail "no recording"
for second in "$file".*; do
    expect 0 replay --json "$second"
    [ "$(json peak_live_bytes)" = "$peak" ] || fail "the second recording has another peak"
done

# An old recording and an empty file are replaced, and a file that Tarn did not write stays as it is.
expect 0 record -o "$file" --stacks off -- "$TARN" replay "$work/small.txt"
: >"$work/empty"
expect 0 record -o "$work/empty" -- "$TARN" replay "$work/small.txt"
expect 0 replay "$work/empty"
for text in 'of a user, and longer than the head of a recording' short; do
    echo "$text" >"$work/notes.txt"
    expect 125 record -o "$work/notes.txt" -- touch "$work/ran"
    says err "tarn record: $work/notes.txt exists and is no recording; name another file"
    [ "$(cat "$work/notes.txt")" = "$text" ] || fail "a user's file was replaced"
done

# Started stopped, nothing is recorded.
expect 0 record -o "$file" --start-stopped -- "$TARN" replay "$work/small.txt"
! "$TARN" replay "$file" >/dev/null 2>"$work/err" || fail "a recording without events"

# A full disk is one line and the failure of the command; the program does not notice it.
expect 125 record -o /dev/full -- "$TARN" replay "$work/small.txt"
[ "$(wc -l <"$work/err")" = 1 ] || fail "more than one line of errors"
says err '^tarn record: /dev/full: cannot write: No space left on device'

# A wrong option is named, and the program does not run.
expect 125 record -o "$work/absent/file" -- touch "$work/ran"
says err "tarn record: $work/absent/file: No such file or directory"
expect 125 record --stacks 49 -- touch "$work/ran"
says err 'stacks takes a number from 0 to 48, not "49"'
expect 125 record --signal KILL -- touch "$work/ran"
says err '"KILL" is none of off, USR1'
expect 125 record
[ ! -e "$work/ran" ] || fail "the program was started"
