#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn explain` judges failures, leaks and holders as a calculation by hand does, and has a line for each question.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

MIB=1048576

# snapshot NAME: makes a memory snapshot of PyTorch, protocol 2, of the lines of standard input:
#   segment ADDRESS SIZE | alloc ADDRESS SIZE FUNCTION LINE | free ADDRESS | oom SIZE FREE | state
# The state at the end follows from them. With `state` it is all that is recorded.
snapshot() {
    # shellcheck disable=SC2059 # the escapes are the bytes
    printf "$(awk '
        function bytes(n, count) { for (; count > 0; count--) { printf "\\%03o", n % 256; n = int(n / 256) } }
        function text(s) { printf "X"; bytes(length(s), 4); printf "%s", s }
        function number(key, n) { text(key); printf "\\212\\010"; bytes(n, 8) }
        function frames(k) {
            text("frames"); printf "]("
            if (name[k] != "") {
                printf "}("; text("name"); text(name[k]); text("filename"); text("model.py"); number("line", line[k]); printf "u"
                printf "}("; text("name"); text("main"); text("filename"); text("main.py"); number("line", 1); printf "u"
            }
            printf "e"
        }
        { kind[NR] = $1; at[NR] = $2; size[NR] = $3; name[NR] = $4; line[NR] = $5 }
        $1 == "oom" { size[NR] = $2; at[NR] = $3; name[NR] = $4; line[NR] = $5 }
        $1 == "state" { state = 1 }
        $1 == "segment" { held[$2] = $3 }
        $1 == "alloc" { live[$2] = NR }
        $1 == "free" { size[NR] = size[live[$2]]; delete live[$2] }
        END {
            printf "\\200\\002}("; text("segments"); printf "]("
            for (s in held) {
                printf "}("; number("device", 0); number("address", s); number("total_size", held[s]); number("stream", 0)
                text("segment_type"); text("large"); text("blocks"); printf "]("
                for (b in live) if (b + 0 >= s + 0 && b + 0 < s + held[s]) {
                    printf "}("; number("address", b); number("size", size[live[b]]); text("state"); text("active_allocated")
                    frames(live[b]); printf "u"
                }
                printf "eu"
            }
            printf "e"; text("device_traces"); printf "](]("
            for (i = 1; i <= NR && !state; i++) {
                action = kind[i] == "segment" ? "segment_alloc" : kind[i] == "free" ? "free_completed" : kind[i]
                printf "}("; text("action"); text(action); number(action == "oom" ? "device_free" : "addr", at[i])
                number("size", size[i]); number("stream", 0); number("time_us", 1700000000000000 + i); frames(i); printf "u"
            }
            printf "eeu."
        }')" >"$work/$1"
}

# answers FILE NUMBER PATTERN: the answer to the question is one line that matches.
answers() {
    expect 0 explain --question "$2" "$1"
    [ "$(wc -l <"$work/out")" = 1 ] || fail "question $2 of $1 has not one line"
    says out "$3"
}

# is KEY VALUE: the first value of this key in the JSON.
is() {
    [ "$(json "$1")" = "$2" ] || fail "$1 is $(json "$1"), not $2"
}

# A shortage: 80 of 100 MiB are live. 64 MiB are asked, 20 are free in the segment, 10 on the device: 34 are missing.
A=$((256 * MIB))
snapshot shortage <<LINES
segment $A $((100 * MIB))
alloc $A $((60 * MIB)) grow 10
alloc $((A + 60 * MIB)) $((20 * MIB)) grow 11
oom $((64 * MIB)) $((10 * MIB)) ask 30
LINES
expect 0 explain --json "$work/shortage"
is_json
is cause shortage
is verdict_kind shortage
says out '"verdict": "34.0 MiB are missing: 64.0 MiB were asked at event 4, and 30.0 MiB were free; grow (model.py:10, 11) holds'
says out '"remedy": "hold 34.0 MiB less at event 4, first in grow (model.py:10, 11), or use a device with 34.0 MiB more"'
is asked_bytes $((64 * MIB))
is usable_free_bytes $((20 * MIB))
is missing_bytes $((34 * MIB))
is would_have_fitted_bytes $((20 * MIB))
is hole_bytes $((20 * MIB))
is name 'grow (model.py:10)'
answers "$work/shortage" 1 'event 4 of 4 (device_traces.0..3.): 64.0 MiB (67,108,864 bytes) asked, 10.0 MiB free on the device, 80.0 MiB live in 100.0 MiB reserved: a shortage'
answers "$work/shortage" 2 '34.0 MiB are missing'
answers "$work/shortage" 5 'asked by ask (model.py:30) < main'
answers "$work/shortage" 11 '^34.0 MiB less live'
answers "$work/shortage" 14 'the live and the refused 144.0 MiB:'

# Fragmentation: a block of 4 MiB lies at 20 MiB in each of two segments of 40. 30 MiB are asked, the pieces have 20 and 16.
B=$((512 * MIB))
snapshot pieces <<LINES
segment $A $((40 * MIB))
segment $B $((40 * MIB))
alloc $A $((20 * MIB)) first 1
alloc $((A + 20 * MIB)) $((4 * MIB)) pin 2
alloc $((B + 20 * MIB)) $((4 * MIB)) pin 3
free $A
oom $((30 * MIB)) $((5 * MIB))
LINES
expect 0 explain --json "$work/pieces"
is cause fragmentation
is usable_free_bytes $((72 * MIB))
is largest_free_bytes $((20 * MIB))
is missing_bytes 0
is holes 4
answers "$work/pieces" 1 'fragmentation'
answers "$work/pieces" 2 'at most 20.0 MiB would have fitted'
answers "$work/pieces" 5 'the failed request has no stack; the allocation before it is by pin (model.py:3)'
expect 0 explain "$work/pieces"
says out '40.0 MiB, by pin (model.py:2)  *36.0 MiB'

# The moment is chosen: before the free, 28 MiB were live in three blocks.
expect 0 explain --json --at 5 "$work/pieces"
is kind event
is verdict_kind holes # at another moment, the refused request is not the verdict
is live_blocks 3
is name 'first (model.py:1)'
answers "$work/pieces" 4 'peak 28.0 MiB at event 5 of 7'

# Steps: each allocates 30 blocks and frees them. In the leaking run each leaves 1,000 bytes.
steps() {
    awk -v leak="$1" -v marks="$2" 'BEGIN {
        for (s = 1; s <= 8; s++) {
            if (marks) print "m", t++, "step " s
            for (i = 0; i < 30; i++) print "a", t++, id++, 4096 * (i + 1)
            if (leak) print "a", t++, id++, 1000
            for (i = 0; i < 30; i++) print "f", t++, id - 30 - (leak ? 1 : 0) + i
        }
    }'
}
for marks in 0 1; do
    steps 0 $marks >"$work/steady"
    answers "$work/steady" 7 '^no: '
    steps 1 $marks >"$work/leaks"
    expect 0 explain --json --no-replay "$work/leaks"
    is growth_bytes 1000
    is leak_bytes 1000
    # Without marks and stacks, what recurs may be a layer.
    if [ $marks = 0 ]; then
        is leak unknown
        is grows false
        answers "$work/leaks" 7 'cannot be told: a sequence of 31 allocations recurs 7 times, .*; each leaves 1000 B, '
    else
        is leak yes
        is grows true
        is leak_steps 5
        answers "$work/leaks" 7 '^yes: 1000 B a step stay to the end, in each of 5 steps (from mark to mark, "step 1"): '
    fi
done
answers "$work/leaks" 8 '^8 blocks, 7.81 KiB, allocated'

# Every question has its line on the screen, and the list ends with a sum of the rest.
for file in shortage pieces leaks; do
    expect 0 explain "$work/$file"
    [ "$(grep -c '^[ 12][0-9] [A-Z].*[.]$' "$work/out")" = 20 ] || fail "$file: not 20 answers"
done
expect 0 explain --top 1 "$work/pieces" --at 5
says out '  the rest  *8.00 MiB  *2  *28.6%'

# A state without history tells who holds memory, and nothing else.
snapshot state <<LINES
segment $A $((20 * MIB))
alloc $A $((2 * MIB)) init 88
state
LINES
for number in 1 4 7 8; do
    answers "$work/state" $number 'cannot be told: the recording is a state without history'
done
answers "$work/state" 3 'of 2.00 MiB live when it was recorded: 2.00 MiB init (model.py:88), 1 block[.]'

# A plan of many requests takes long, so explain does not try it by the way.
awk 'BEGIN { for (i = 0; i < 100001; i++) printf "a %d %d 512\nf %d %d\n", 2 * i, i, 2 * i + 1, i }' >"$work/long"
answers "$work/long" 13 '; with a plan: not tried for more than 200,000 events (.tarn fit. does); '

# Bad requests name the value.
expect 2 explain
expect 2 explain --device 9 "$work/pieces"
says err 'no device 9: the recording has 1 device'
expect 2 explain --at 8 "$work/pieces"
says err 'no event 8: device 0 has 7'
expect 2 explain --question 21 "$work/pieces"
says err 'from 1 to 20'
expect 2 explain "$work/absent"
says err 'absent'
head -c 200 "$work/pieces" >"$work/cut"
expect 2 explain "$work/cut"
says err 'cut: byte 200'

# A plan of two streams that take turns has places for one of them only. The other one gets memory beside them.
action() { # NAME SIZE STREAM TIME
    printf '{"action": "%s", "addr": 268435456, "size": %d, "stream": %d, "time_us": %d, "frames": []}' "$1" "$2" "$3" "$4"
}
printf '{"segments": [], "device_traces": [[%s, %s, %s, %s]]}' "$(action alloc $((40 * MIB)) 0 1)" \
    "$(action free_completed $((40 * MIB)) 0 2)" "$(action alloc $((20 * MIB)) 7 3)" \
    "$(action free_completed $((20 * MIB)) 7 4)" >"$work/turns.json"
answers "$work/turns.json" 13 \
    'with a plan: .* (of 2 large requests 1 with 20.0 MiB get no place: 1 not in the plan, 0 because the place is taken);'
