#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a recording tells the memory of its card, the commands repeat it in that memory: a pool that needs more
# does not fit. Where it does not, they say that there was no limit.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

MIB=1048576

# story FREE: four segments of 30 MiB with a block of 24 MiB each, of which two are freed; 40 MiB are refused while
# the device has FREE bytes.
story() {
    printf '{"segments": ['
    for i in 2 4; do
        [ $i = 2 ] || printf ','
        printf '{"device": 0, "address": %d, "total_size": %d, "stream": 0, "segment_type": "large", "blocks": [{"address": %d, "size": %d, "state": "active_allocated"}]}' \
            $((i * 1000 * MIB)) $((30 * MIB)) $((i * 1000 * MIB)) $((24 * MIB))
    done
    printf '], "device_traces": [['
    for i in 1 2 3 4; do
        for action in segment_alloc:30 alloc:24; do
            printf '{"action": "%s", "addr": %d, "size": %d, "stream": 0},' ${action%:*} $((i * 1000 * MIB)) \
                $((${action#*:} * MIB))
        done
    done
    for i in 1 3; do
        printf '{"action": "free_completed", "addr": %d, "size": %d, "stream": 0},' $((i * 1000 * MIB)) $((24 * MIB))
    done
    printf '{"action": "oom", "device_free": %s, "size": %d, "stream": 0},' "$1" $((40 * MIB))
    for i in 1 3; do
        printf '{"action": "segment_free", "addr": %d, "size": %d, "stream": 0},' $((i * 1000 * MIB)) $((30 * MIB))
    done
    printf '{"action": "segment_alloc", "addr": %d, "size": %d, "stream": 0}, {"action": "alloc", "addr": %d, "size": %d, "stream": 0}' \
        $((9000 * MIB)) $((32 * MIB)) $((9000 * MIB)) $((31 * MIB))
    printf ']]}'
}


story $((10 * MIB)) >"$work/refused.json"
expect 0 explain --question 13 "$work/refused.json"
says out 'replayed in the 130.0 MiB that the program had or could get when a request was refused'
expect 0 explain --json "$work/refused.json"
[ "$(json replay_memory_bytes)" = $((130 * MIB)) ] || fail "not 130 MiB"
# The blocks that are freed leave two holes of 24 MiB, which a fixed pool cannot join.
expect 0 explain --question 13 "$work/refused.json"
says out 'expandable:memory 9[0-9]*.0 MiB'
says out 'fixed 127.0 MiB'
story 0 >"$work/full.json"
expect 0 explain --question 13 "$work/full.json"
says out 'fixed does not fit'
says out 'replayed in the 120.0 MiB'

# A profile has the size of the card, part of which is not the pool's.
kineto=$SRC/tests/fuzz/corpus/trace_json/kineto.pt.trace.json
expect 0 explain --question 12 "$kineto"
says out 'replayed on the recorded card of [0-9.]* GiB, less 512.0 MiB for the context'
printf 'a 1 0 4096\n' >"$work/nothing"
expect 0 explain --question 12 "$work/nothing"
says out 'replayed without a limit, since the recording does not tell the memory of the card'
expect 0 explain --json "$work/nothing"
[ "$(json replay_memory_bytes)" = 0 ] || fail "a limit that is not recorded"

# `tarn fit` lists the card, with its own context if that is part of it.
expect 0 fit "$work/full.json" --as-recorded --pool fixed --card none --context 1G
says out '^  the recording.s card *-8.00 MiB'
expect 0 fit "$kineto" --pool segments --card none --context 16G --json
[ "$(json segments)" -lt 0 ] || fail "no context on a whole card"
expect 0 fit "$kineto" --pool segments --card none --context 0 --json
[ "$(json segments)" -gt 0 ] || fail "a context on a whole card"
expect 0 fit "$work/nothing" --card none
! grep -q '^Room on a card' "$work/out" || fail "a table without a card"
expect 2 fit "$work/nothing" --card no-such-card
says err 'no card in the table is called "no-such-card"'

# The page says the same.
command -v python3 >/dev/null || {
    echo "skipped the rest: needs python3" >&2
    exit 0
}
for case in "full.json:in the 120.0 MiB that" "nothing:without a limit, since"; do
    expect 0 view "$work/${case%%:*}" -o "$work/page.html"
    python3 -c '
import base64, re, sys, zlib
data = re.search(r"id=\"data\"[^>]*>([^<]*)<", open(sys.argv[1], encoding="utf-8").read()).group(1)
assert f"\"replayed\":\"{sys.argv[2]}".encode() in zlib.decompress(base64.b64decode(data))
' "$work/page.html" "${case#*:}" || fail "the page of ${case%%:*} does not say its memory"
done
