#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command reads a table whose columns the user names, with the same options, and names what is wrong in them.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim="--device sim:0,memory=80G"
samples="$SRC/tests/fuzz/corpus/trace_csv"

# shellcheck disable=SC2086 # a list of words
{
    expect 0 replay "$samples/rmm" $sim --json
    says out '"peak_live_bytes": 7864320'
    expect 0 replay "$samples/rmm" $sim --json \
        --columns time=Time,action=Action,address=Pointer,size=Size,stream=Stream
    says out '"peak_live_bytes": 7864320'
    expect 2 replay "$samples/rmm" $sim --columns addr=Pointer,size=Size
    says err '"addr" is no role'
    expect 2 replay "$samples/rmm" $sim --columns address=Pointer,size=Bytes
    says err 'rmm:1: no column is named "Bytes"'
    # Sums without blocks are read, and cannot be replayed.
    expect 2 replay "$samples/npu-sums" $sim
    says err 'sums without blocks'
}

# A table that no reader knows: 3 MiB and 1 MiB are live together.
cat >"$work/calls.csv" <<'END'
When,What,Where,Much (KB),Who
1,malloc'd alloc,0x1000,3072,weights
2,malloc'd alloc,0x9000,1024,activations
3,free,0x9000,,
END
columns="--columns=time=When,action=What,address=Where,size=Much (KB),stack=Who"
expect 2 explain "$work/calls.csv"
says err 'looks like a text or a table of another program, which --columns describes'
expect 0 replay "$work/calls.csv" "$columns" --device sim:0,memory=80G --json
[ "$(json peak_live_bytes)" = 4194304 ] || fail "replay has another peak"
expect 0 explain "$work/calls.csv" "$columns" --no-replay --json
says out '"live_bytes": 4194304'
expect 0 fit "$work/calls.csv" "$columns" --pool segments --json
says out '"peak_live_bytes": 4194304'
expect 0 diff "$work/calls.csv" "$work/calls.csv" "$columns" --json
says out '4194304'
expect 0 view "$work/calls.csv" "$columns" --svg -o "$work/page.svg"
grep -q 'weights' "$work/page.svg" || fail "the picture has no stack"
expect 0 convert "$work/calls.csv" "$work/calls.trace" "$columns"
grep -q '^a .* 1048576$' "$work/calls.trace" || fail "the trace lacks a block"

# The limits of reading are options of every command too.
set -- "$work/calls.csv"
for command in "replay $1" "explain $1" "fit $1" "diff $1 $1" "view $1 -o $work/x" "convert $1 $work/x.csv"; do
    # shellcheck disable=SC2086 # a list of words
    expect 5 $command "$columns" --max-events 2
    says err 'calls.csv.*more than the 2 .* allowed'
done

# 300 blocks of 2^58 bytes are more than a sum of 63 bits. Every command refuses the event that exceeds it.
awk 'BEGIN { print "addr,size"; for (i = 1; i <= 300; i++) print i ",288230376151711744" }' >"$work/vast.csv"
for words in explain fit replay 'view -o -' 'convert --to csv'; do
    got=0
    case $words in convert*) to=- ;; *) to= ;; esac
    # shellcheck disable=SC2086 # words
    "$TARN" $words --columns address=addr,size=size "$work/vast.csv" $to >"$work/out" 2>"$work/err" </dev/null || got=$?
    [ "$got" = 2 ] || fail "exit $got, not 2, of tarn $words"
    says err 'device 0, event 32 (position 33): 288230376151711744 bytes bring a sum of the recording above 9223372036854775807$'
    [ ! -s "$work/out" ] || fail "tarn $words printed something"
done

expect 2 explain "$work/calls.csv" --max-events 0
says err '[-]-max-events takes a number from 1 to 1000000000, not "0"'
expect 2 explain "$work/calls.csv" --max-memory none
says err '[-]-max-memory takes a size such as 64K or 1.5G, not "none"'
expect 5 explain "$samples/../trace_json/torch-snapshot.json" --max-memory 1K
says err 'torch-snapshot.json: the values need more than the 1024 bytes allowed'

# The blocks that were live at the start of a table of Tarn are read by their columns too.
printf 'Act,At,Much\nstart,1,100\nstart,2,200\nfree,1,\nstart,,\n' >"$work/start.csv"
expect 0 convert "$work/start.csv" "$work/start.trace" --columns=action=Act,address=At,size=Much
printf 'a 0 0 100\na 0 1 200\nf 0 0\n' | cmp -s - "$work/start.trace" || fail "rows of start are lost"

# So are those of the host, with stacks as Tarn writes them.
printf 'Act,At,Much,On,Who\nalloc,1,100,host,"f (a.py:3); g (b.py:4)"\nalloc,1,200,0,\n' >"$work/host.csv"
expect 0 convert "$work/host.csv" "$work/host.out.csv" --columns=action=Act,address=At,size=Much,device=On,stack=Who
grep -q '^host,alloc,.*"f (a.py:3); g (b.py:4)"' "$work/host.out.csv" || fail "memory of the host is lost"
