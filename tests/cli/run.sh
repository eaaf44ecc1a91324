#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn run starts a program with a face: the program's arguments, environment and exit status are correct,
# and impossible options are reported before it starts. `sh` and others never load Tarn, so that the command
# ends with 122 where they succeed; absent.sh has the reasons.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; the inner shell expands
. "$SRC/tests/support/cli.sh"
unset LD_LIBRARY_PATH
folder=$(cd "$(dirname "$TARN")/../lib/tarn/hip" && pwd)

# The program is unchanged: its status, its arguments, its options.
expect 122 run --as hip -- true
expect 7 run --as hip -- sh -c 'exit 7'
expect 0 run --as hip -- "$TARN" version
expect 143 run --as hip -- sh -c 'kill -TERM $$'
says err '^tarn run: sh was ended by signal 15'
expect 122 run --as hip -- printf '%s|' --as other -- 'two words'
[ "$(cat "$work/out")" = '--as|other|--|two words|' ] || fail "the arguments were changed"
expect 122 run --as=hip printf '%s|' --device x
[ "$(cat "$work/out")" = '--device|x|' ] || fail "the program's options were taken"

# A signal to the command reaches the program, also one that a terminal would send to both.
for signal in TERM INT HUP USR1; do
    : >"$work/ready"
    # The shell makes a program in the background ignore SIGINT.
    env --default-signal=INT "$TARN" run --as hip -- \
        sh -c "trap 'exit 9' $signal; echo >>'$work/ready'; while :; do sleep 0.05; done" 2>"$work/err" &
    program=$!
    until [ -s "$work/ready" ]; do sleep 0.05; done
    kill -"$signal" "$program"
    got=0
    wait "$program" || got=$?
    [ "$got" = 9 ] || fail "$signal: exit $got"
done
# Also one that arrives as soon as the program runs.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    # shellcheck disable=SC2016 # for the inner shell
    expect 9 run --as hip -- sh -c 'trap "exit 9" HUP; kill -HUP $PPID; while :; do sleep 0.05; done'
done
# The program does not outlive the command.
"$TARN" run --as hip -- sh -c 'echo $$ >"$0"; exec sleep 600' "$work/pid" &
program=$!
until [ -s "$work/pid" ]; do sleep 0.05; done
kill -KILL "$program"
while grep -q '^State:.[^Z]' "/proc/$(cat "$work/pid")/status" 2>"$work/err"; do sleep 0.05; done

# The library comes first in the search path, and nothing else is added.
show='printf "%s\n" "path=$LD_LIBRARY_PATH" "device=$TARN_HIP_DEVICE" "compat=$TARN_HIP_COMPAT" \
    "sparse=$TARN_HIP_SPARSE" "log=$TARN_HIP_LOG"'
expect 122 run --as hip -- sh -c "$show"
says out "^path=$folder\$"
says out '^device=$'
says out '^compat=$'
says out '^sparse=$'
LD_LIBRARY_PATH=/before:/last
export LD_LIBRARY_PATH
expect 122 run --as hip -- sh -c "$show"
says out "^path=$folder:/before:/last\$"
unset LD_LIBRARY_PATH
expect 122 run --as hip --device host:0,memory=1G --compat 6 --sparse --log -- sh -c "$show"
says out '^device=host:0,memory=1G$'
says out '^compat=6$'
says out '^sparse=1$'
says out '^log=1$'
show_acl='printf "%s\n" "path=$LD_LIBRARY_PATH" "device=$TARN_ACL_DEVICE" "generation=$TARN_ACL_GENERATION" \
    "log=$TARN_ACL_LOG" "compat=$TARN_HIP_COMPAT"'
expect 122 run --as acl --device host:0,devices=2 --compat 1 --log -- sh -c "$show_acl"
says out "^path=${folder%hip}acl\$"
says out '^device=host:0,devices=2$'
says out '^generation=1$'
says out '^log=1$'
says out '^compat=$'
# Each face gets its own settings.
expect 122 run --as hip,acl --compat 7 -- sh -c "$show_acl"
says out "^path=$folder:${folder%hip}acl\$"
says out '^generation=$'
says out '^compat=7$'
expect 122 run --as hip --device none -- sh -c "$show"
says out '^device=none$'

# A failure here differs from the program's own failures.
expect 127 run --as hip -- "$work/absent"
says err "absent: No such file"
PATH=/usr/bin:/bin expect 127 run --as hip -- no-such-program-anywhere
: >"$work/plain"
expect 126 run --as hip -- "$work/plain"
says err 'plain: Permission denied'
expect 125 run
says err 'expected --as'
expect 125 run --as hip
says err 'expected a program'
expect 125 run --as hap -- true
says err 'as takes hip|cuda|acl|hiai, not "hap"; did you mean "hip"?'
expect 125 run --as hip,hap -- true
says err '"hap"'
expect 125 run --as hip --compat 8 -- true
says err 'compat=8'
expect 125 run --as acl --compat 7 -- true
expect 125 run --as acl --sparse -- true
says err 'no sparse arrays'
expect 125 run --as hiai --device host:0 -- true
says err 'show no platform'
expect 122 run --as hiai --log -- sh -c 'test "$TARN_HIAI_LOG" = 1'
expect 125 run --as hip --device hots:0 -- true
says err 'no back-end has the device "hots:0"'
expect 125 run --nonsense

# Without the library, the error names the folder.
mkdir "$work/bin"
cp "$TARN" "$work/bin/tarn"
TARN=$work/bin/tarn
expect 125 run --as hip -- true
says err "libamdhip64.so.6 is not in $work/bin/.*/tarn/hip"

expect 0 run --help
for word in --as --device --compat --sparse --log RPATH LD_DEBUG 'Exit status'; do
    says out "$word"
done
