#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn explore finds each planted mistake of tests/explore within few seeds, repeats it by its seed, and leaves at
# most three decisions, which it names; and it reports nothing in the same programs done properly. By day it runs fewer seeds
# and repeats than in the night.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; words for a shell
. "$SRC/tests/support/cli.sh"
bin=$BUILD/tests/bin
[ -x "$bin/explore_missing_wait" ] || { echo "skipped: needs the programs of tests/explore"; exit 77; }
if [ "${TARN_TEST_SWEEP:-}" = all ]; then
    seeds=200 repeats=20
else
    seeds=20 repeats=3
fi

# finds PROGRAM WORDS OPTIONS...: a seed shows the mistake, and its decisions have these words.
finds() {
    program=$1 words=$2
    shift 2
    expect 77 explore "$@" -n $seeds --minimise --json="$work/json" -- "$bin/explore_$program"
    says out "^    It does so when $words"
    if grep -q ' depends on ' "$work/out"; then fail "$program: a second run of a seed is another one: $(cat "$work/out")"; fi
    [ "$(grep -c -e '^    It does so when ' -e '^    and ' "$work/out")" -le 3 ] || fail "$program: more than three decisions"
    again=$(sed -n 's/^    again: tarn //p' "$work/out" | head -n 1)
    class=$(sed -n 's/^seed [0-9]*: \([a-z]*\):.*/\1/p' "$work/out" | head -n 1)
    for _ in $(seq $repeats); do
        # shellcheck disable=SC2086 # the command in words
        expect 77 $again
        says out "^seed [0-9]*: $class:"
    done
    expect 0 explore "$@" -n $seeds -- "$bin/explore_$program" right
    says out "^0 finding(s) in $seeds run(s)\$"
}

finds missing_wait 'the fill .* on stream 1 (missing_wait.c:[0-9]*) runs after the copy .* on stream 2 (missing_wait.c:[0-9]*)$'
cp "$work/json" "$work/kept"
finds early_query 'the copy of 1 byte(s) on stream 2 (early_query.c:[0-9]*) has not run when event 1 is queried (early_query.c:[0-9]*)$'
finds pooled_block 'the copy .* on stream 2 (pooled_block.c:[0-9]*) runs after the fill .* on stream 1 (pooled_block.c:[0-9]*)$'
finds lost_update 'the .* on stream 1 (lost_update.c:[0-9]*) runs after the .* on stream 2 (lost_update.c:[0-9]*)'
finds host_functions 'the host function on stream 1 (host_functions.c:[0-9]*) runs after the host function on stream 2'
finds lost_thread 'a thread calls tarn_copy (lost_thread.c:[0-9]*) before another one calls tarn_copy (lost_thread.c:[0-9]*)$' --threads
finds out_of_memory 'the call of .*memory_alloc (out_of_memory.c:[0-9]*) fails$' --faults

# JSON has the same, and the pairs of works.
cp "$work/kept" "$work/out"
is_json
[ "$(json runs)" = $seeds ] || fail "the JSON has $(json runs) runs"
[ "$(json class)" = fails ] || fail "the JSON has the class $(json class)"
[ "$(json decision_count)" -le 3 ] || fail "the JSON has $(json decision_count) decisions"
[ "$(json both)" -gt 0 ] || fail "no pair was seen in both orders"
[ "$(json pairs)" -gt "$(json both)" ] || fail "all pairs were seen in both orders"

# orders PROGRAM: prints the pairs that a program shows as seen in one order only, each in few words.
orders() {
    expect 0 explore -n 3 -- "$bin/explore_$1" right
    sed -n 's/^    the \([a-z]*\).* stream \([0-9]*\) (.*:\([0-9]*\)) before the \([a-z]*\).* stream \([0-9]*\) (.*:\([0-9]*\))$/\1 \2 \3, \4 \5 \6/p' \
        "$work/out"
}
# Pairs that share their first work, or their second one, are different; a loop makes equal ones, which count in the sum.
[ "$(orders lost_update)" = "copy 1 9, copy 2 9
copy 1 9, host 2 10
copy 1 9, copy 2 11
host 1 10, copy 2 9
host 1 10, host 2 10
host 1 10, copy 2 11
copy 1 11, copy 2 9
copy 1 11, host 2 10
copy 1 11, copy 2 11" ] || fail "the orders of lost_update: $(cat "$work/out")"
says out '^0 of 9 pair(s) of works'
[ "$(orders missing_wait)" = "fill 3 10, fill 1 11
fill 3 10, copy 2 13
fill 1 11, copy 2 13
fill 1 11, fill 3 14
copy 2 13, fill 3 14" ] || fail "the orders of missing_wait: $(cat "$work/out")"
says out '^0 of 13 pair(s) of works'
if grep -q 'and .* more$' "$work/out"; then fail "there are more than the pairs that are shown"; fi
# Ten pairs are shown.
cat >"$work/many.c" <<'END'
#include "planted.h"
int main(int argc, char **argv) {
    tarn_stream streams[6];
    bool right = begins(argc, argv);
    tarn_addr memory = new_memory(4096);
    for (int i = 0; i < 6; i++) {
        streams[i] = new_stream();
        if (i > 0) order(streams[i - 1], streams[i]);
        must(tarn_fill(device, memory, 1, 1, 4096, streams[i]));
    }
    must(tarn_device_synchronize(device, TARN_FOREVER));
    return ends(right);
}
END
"${CC:-cc}" -I"$SRC/include" -I"$SRC/tests/explore" "$work/many.c" -o "$work/explore_many" -L"$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib"
[ "$(bin=$work orders many | wc -l)" = 10 ] || fail "of 15 pairs not 10 are shown: $(cat "$work/out")"
says out '^0 of 15 pair(s) of works'
says out '^    and 5 more$'

# The checker, the output and the time limit find it, too.
expect 77 explore --check -n 1 -- "$bin/explore_pooled_block"
says err 'in the plain order, too, the memory checker reports'
# Memory that the plain order loses, too, is no success.
cat >"$work/loses.c" <<'END'
#include <tarn/tarn.h>
int main(void) {
    tarn_device *device;
    tarn_addr memory;
    tarn_stream stream;
    if (tarn_device_open("host:0", &device) != TARN_OK || tarn_memory_alloc(device, 4096, &memory) != TARN_OK ||
        tarn_stream_create(device, &stream) != TARN_OK)
        return 2;
    return tarn_fill(device, memory, 1, 1, 4096, stream) != TARN_OK ||
           tarn_stream_synchronize(stream, TARN_FOREVER) != TARN_OK;
}
END
"${CC:-cc}" -I"$SRC/include" "$work/loses.c" -o "$work/loses" -L"$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib"
expect 77 explore --check -n 1 -- "$work/loses"
says err 'in the plain order, too, the memory checker reports .*: 1 block of device memory of 4096 byte(s)'
says out '^0 finding(s) in 1 run(s)$'
wrong="$bin/explore_missing_wait"
expect 0 explore -n 20 -- sh -c "$wrong || true"
expect 77 explore -n 20 --same-output -- sh -c "$wrong || true"
says out '^seed [0-9]*: output: other output than in the plain order'
expect 77 explore -n 2 -t 5 -- sh -c "$wrong || sleep 100"
says out '^seed [0-9]*: hang: killed after'
says out '^1 finding(s) in 2 run(s)$'

# A finding that does not repeat is said not to: here the status changes from run to run.
echo 0 >"$work/count"
change='n=$(cat "$0"); echo $((n + 1)) >"$0"; exit $((n % 2))'
expect 77 explore -n 1 -j 1 -- sh -c "$bin/explore_missing_wait right && $change" "$work/count"
says out 'A second run of the seed ended in another way: its end depends on something that no seed decides'

# A program that fails under every seed does not do so by the order: not even a single decision is left.
expect 77 explore -n 1 --minimise --json="$work/json" -- sh -c "$bin/explore_missing_wait right"' && [ "$TARN_DECISIONS" = /dev/null ]'
says out '^    It does so in the plain order, too: not by order\.$'
cp "$work/json" "$work/out"
[ "$(json decision_count)" = 0 ] || fail "the JSON has $(json decision_count) decisions"

# A program that fails in any order, or has nothing to decide, is no finding.
expect 3 explore -- sh -c 'exit 3'
says err 'fails in the plain order: status 3$'
expect 122 explore -- true
says err 'nothing was explored'
expect 125 explore -n 0 -- true

# Programs of faces take the same decisions each time. Processes that share a channel call it in an
# order that no seed decides.
while read -r face program; do
    [ -x "$bin/$program" ] || continue
    for time in $(seq $repeats); do
        rm -f "$work/log"
        TARN_SEED=5 TARN_DECISION_LOG=$work/log "$TARN" run --as "$face" -- "$bin/$program" >"$work/out" 2>"$work/err" ||
            fail "$program fails under a seed"
        sed -e '/^stack /d' -e '/ peer\./d' -e 's/^\([a-z]*\) [0-9a-f]* [0-9]*/\1/' "$work/log" >"$work/log.$time"
        cmp -s "$work/log.1" "$work/log.$time" || fail "$program: two runs of a seed differ"
    done
done <<END
hip example_hip_kernel
hip example_hip_grow
cuda example_cuda_pool
acl example_acl_pool
hiai example_hiai_frames
END

# forced DECISION CHOICE WANTED PROGRAM...: with one decision the program ends with WANTED.
forced() {
    echo "$1 $2" >"$work/list"
    wanted=$3 got=0
    shift 3
    rm -f "$work/log"
    TARN_SEED=0:faults TARN_DECISIONS=$work/list TARN_DECISION_LOG=$work/log timeout 600 "$@" >"$work/out" 2>"$work/err" ||
        got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted"
}

# A pool that grows instead of using memory again, and less free memory, change no result.
forced reuse.0.1 1 0 "$bin/explore_pooled_block" right
grep -q ' reuse.0.1 2 1 a pool grows by 1048576 byte(s) before the work of other streams has passed' "$work/log" || fail "the pool decides nothing"
forced free.0.1 2 0 "$TARN" info --json --device host:0,devices=1,memory=1G
says out '"free_bytes": 536870912'
# A process dies at its third call of a channel. The example begins it again each time, and ends well.
if [ $repeats -gt 3 ] && [ -x "$bin/frames_host" ]; then
    (cd "$bin" && forced peer.0.3 2 0 setsid --wait ./frames_host)
    says out '^device 1: answered'
    grep -q ' peer.0.3 3 2 ' "$work/log" || fail "no process dies"
fi
