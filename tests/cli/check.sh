#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn check sets the environment of a program: the checker, its options, the faces. The program's status is
# the status of the command, and impossible options are reported before it starts. `sh` and others never
# load Tarn, so that the command ends with 122 where they succeed; absent.sh has the reasons.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; the inner shell expands
. "$SRC/tests/support/cli.sh"
unset LD_LIBRARY_PATH LD_PRELOAD MSTX_INJECTION_PATH TARN_CHECK_OPTIONS TARN_POOL_FENCE
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
folder=$(cd "$(dirname "$TARN")/../lib/tarn" && pwd)
library=$folder/check/libtarn-check.so

# The program is unchanged: its status, its arguments, its end by a signal. A missing report is reported.
expect 122 check -- true
says err '^tarn check: nothing was checked: no process of true loaded Tarn'
expect 7 check -- sh -c 'exit 7'
expect 122 check printf '%s|' --leaks=1 -- 'two words'
[ "$(cat "$work/out")" = '--leaks=1|--|two words|' ] || fail "the arguments were changed"
expect 143 check -- sh -c 'kill -TERM $$'
says err 'sh was ended by signal 15'
got=0
"$TARN" check -- cat <"$SRC/LICENSE" >"$work/out" 2>"$work/err" || got=$?
if [ "$got" != 122 ] || ! cmp -s "$work/out" "$SRC/LICENSE"; then
    fail "the input did not come through"
fi

# Libraries with thread-local data stay out of the program. Those of elfutils made LeakSanitizer of GCC 12 crash: at
# some addresses it takes what precedes such data for a header of glibc, and scans the range that this names.
ldd "$library" >"$work/out"
! grep -q 'libdw\|libelf' "$work/out" || fail "the checker brings elfutils into the program"

# The environment of the program.
show='printf "%s\n" "inject=$MSTX_INJECTION_PATH" "options=$TARN_CHECK_OPTIONS" "socket=$TARN_CHECK_SOCKET" \
    "preload=$LD_PRELOAD" "fence=$TARN_POOL_FENCE" "path=$LD_LIBRARY_PATH" "device=$TARN_HIP_DEVICE"'
expect 122 check -- sh -c "$show"
says out "^inject=$library\$"
says out '^options=$'
says out '^socket=tarn-check-[0-9]*-[0-9a-f]\{8\}/[0-9a-f]\{32\}$'
says out '^preload=$'
says out '^fence=$'
says out '^path=$'
expect 122 check --leaks=step --unused --order=0 --json="$work/a:b" --fence -- sh -c "$show"
says out "^options=leaks=step:unused=1:order=0:json=$work/a\\\\:b\$"
says out '^fence=1$'
expect 122 check --as hip --device host:0,memory=1G -- sh -c "$show"
says out "^path=$folder/hip\$"
says out '^device=host:0,memory=1G$'
if ! ldd "$library" | grep -q 'lib.san'; then # which must come first in a program
    expect 122 check --preload -- sh -c "$show"
    case $library in
    *' '*) # a space would end the path
        says out "^preload=${library##*/}\$"
        says out "^path=${library%/*}\$"
        ;;
    *) says out "^preload=$library\$" ;;
    esac
fi
TARN_CHECK_OPTIONS=leaks=0:exitcode=3
export TARN_CHECK_OPTIONS
expect 122 check --exitcode=4 -- sh -c "$show"
says out '^options=leaks=0:exitcode=3:exitcode=4$'
unset TARN_CHECK_OPTIONS
[ -z "$(ls "$work/tmp")" ] || fail "a file was left behind"

# Errors are named, with a status that is not the program's.
expect 125 check
says err 'expected a program'
expect 125 check --leaks=2 -- true
says err 'leaks takes 0|1|step, not "2"'
expect 125 check --nonsense -- true
for option in --log-path --canary --as --device --explain; do
    expect 125 check "$option" -- true
    says err 'the option before "--" needs a value'
done
[ ! -e ./-- ] || fail "an output is called --"
TARN_CHECK_OPTIONS=leeks=1
export TARN_CHECK_OPTIONS
expect 125 check -- true
says err 'unknown option "leeks"'
unset TARN_CHECK_OPTIONS
expect 125 check --as hap -- true
expect 125 check --as hip --device hots:0 -- true
expect 127 check -- "$work/absent"
: >"$work/plain"
expect 126 check -- "$work/plain"
# Each kind is explained.
expect 0 check --explain list
says out '^heap-overflow  *ERROR  *'
says out '^use-before-event  *ERROR'
cut -d' ' -f1 "$work/out" >"$work/kinds"
while read -r kind; do
    expect 0 check --explain "$kind"
    says out "^$kind ("
    says out '^  Example: .'
    says out '^  Cure:    .'
done <"$work/kinds"
expect 0 check --explain all
says out '^double-free (ERROR)$'
expect 125 check --explain leek
says err 'explain takes KIND, not "leek"; did you mean "leak"?'

# Without the library, the error names the folder.
mkdir "$work/bin"
cp "$TARN" "$work/bin/tarn"
TARN=$work/bin/tarn
expect 125 check -- true
says err 'libtarn-check.so is not in '
