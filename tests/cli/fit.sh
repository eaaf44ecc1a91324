#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sizes that `tarn fit` prints are those of `tarn replay --limit`: in the least one the recording completes,
# with one granule less it does not, and larger ones fail where it says so. Refused requests count, cards have
# margins, and the minimiser keeps what fails.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim=sim:0,memory=16T
granule=2097152

# needs POOL: the bytes that the JSON in $work/fit gives for a pool.
needs() {
    sed -n "/\"pool\": \"$1\"/,/needs_bytes/s/.*\"needs_bytes\": \([0-9]*\),\{0,1\}/\1/p" "$work/fit" | head -n 1
}

# agrees TRACE: the figures of each pool are boundaries of `tarn replay --limit`.
agrees() {
    expect 0 fit "$1" --json
    is_json
    cp "$work/out" "$work/fit"
    for pool in direct fixed segments expandable:time expandable:balanced expandable:memory; do
        bytes=$(needs "$pool")
        [ -n "$bytes" ] || fail "$1: no figure for $pool"
        expect 0 replay "$1" --device $sim --pool "$pool" --limit "$bytes"
        expect 3 replay "$1" --device $sim --pool "$pool" --limit $((bytes - granule))
    done
}

# Two of three blocks of 40 MiB end, and one of 80 MiB follows: the hole of the first is of no use to it.
{
    printf 'a 1 0 41943040\na 2 1 41943040\na 3 2 41943040\nf 4 0\nf 5 2\na 6 3 83886080\n'
} >"$work/holes"
agrees "$work/holes"
[ "$(needs direct)" = 125829120 ] || fail "direct: not the 120 MiB that are live"
[ "$(needs expandable:memory)" = 125829120 ] || fail "memory: does not move what is free"
[ "$(needs fixed)" = 167772160 ] || fail "fixed: not 40 + 40 + 80 MiB"
[ "$(needs expandable:planned)" = 125829120 ] || fail "planned: not the 120 MiB that are live"
expect 0 fit "$work/holes" --card L4
says out '^  with a plan: 120.0 MiB (.tarn plan.)$'
expect 0 explain "$work/holes" --question 13
says out '; with a plan: 12[02].0 MiB; '
agrees "$SRC/traces/cnn-train.trace.gz"

# random_trace SEED: 300 events with blocks of 1 to 40 MB.
random_trace() {
    awk -v seed="$1" 'function draw() { seed = (seed * 69069 + 1) % 4294967296; return int(seed / 65536) }
    BEGIN {
        for (i = 1; i <= 300; i++) {
            r = draw()
            if (n > 0 && (r % 5 < 2 || n > 24)) {
                k = int(r / 5) % n; print "f", i, live[k]; live[k] = live[--n]
            } else {
                live[n++] = i; print "a", i, i, (1 + draw() % 40) * 1000000
            }
        }
    }'
}

# outcomes: the numbers of the one pool in $work/out, in granules: the least size, the one from which on each
# completes, and the ranges that fail between.
outcomes() {
    awk -v granule=$granule '/_bytes/ { gsub(/[",:]/, ""); v[$1] = $2 / granule }
        $1 == "below_bytes" { list = list " " v["from_bytes"] " " v["below_bytes"] }
        END { print v["needs_bytes"], v["completes_from_bytes"] list }' "$work/out"
}

# each_size_agrees TRACE POOL: the command says of each size what `tarn replay --limit` does.
each_size_agrees() {
    expect 0 fit "$1" --pool "$2" --json --tries 2000
    [ "$(json untried_bytes)" = 0 ] || fail "$1: $2: not every size is known"
    # shellcheck disable=SC2046 # words
    set -- "$1" "$2" $(outcomes)
    trace=$1 pool=$2 needs=$3 above=$4
    shift 4
    [ $# -gt 0 ] || fail "$trace: $pool: no size fails above the least"
    size=$((needs - 1))
    while [ "$size" -lt $((above + 8)) ]; do
        wanted=0
        [ "$size" -ge "$needs" ] || wanted=3
        while [ $# -gt 0 ] && [ "$size" -ge "$2" ]; do shift 2; done
        [ $# = 0 ] || [ "$size" -lt "$1" ] || wanted=3
        expect "$wanted" replay "$trace" --device $sim --pool "$pool" --limit $((size * granule))
        size=$((size + 1))
    done
}

# More memory may fail: the larger sizes that do are found, each of them, and none else.
for case in 28:fixed 30:segments 3:expandable:time 35:expandable:balanced; do
    random_trace "${case%%:*}" >"$work/random"
    each_size_agrees "$work/random" "${case#*:}"
done
expect 0 fit "$work/random" --pool expandable:balanced --tries 2000
says out '^  expandable:balanced   516.0 MiB '
says out '^ *520.0 MiB .* from here on every size tried completes; 543,162,368 to 543,162,368 fail'
says out '^  expandable:balanced: not known above 1.14 GiB$'
# On a card of such a size it fails, although a smaller one would do.
expect 0 fit "$work/random" --pool expandable:balanced --card 518M --context 0
says out '^  518M  *-2.00 MiB'
expect 0 fit "$work/random" --pool expandable:balanced --card 516M --context 0
says out '^  516M  *+0 B'
# With few replays the borders are exact, and the gaps between the sizes are reported.
random_trace 26 >"$work/random"
expect 0 fit "$work/random" --pool fixed --tries 12
says out '^  fixed: not known between sizes that were tried, at most [0-9.]* MiB apart$'
expect 0 fit "$work/random" --pool fixed --tries 12 --json
least=$(json needs_bytes)
holds "$(json untried_bytes) > $granule"
expect 0 replay "$work/random" --device $sim --pool fixed --limit "$least"
expect 3 replay "$work/random" --device $sim --pool fixed --limit $((least - granule))

# Of the needs and the card the margin follows.
expect 0 fit "$work/holes" --pool fixed --card 1G --context 24M
says out '^  fixed  *160.0 MiB  133.3 %  with less, event 6 fails (80.0 MiB, '
says out '^  1G  *+840.0 MiB'
expect 0 fit "$work/holes" --pool fixed --card 100M --context 0
says out '^  100M  *-60.0 MiB'
expect 0 fit "$work/holes" --card h100
says out 'A100, H100 (80 GB)'
expect 2 fit "$work/holes" --card nothing
says err 'card: no card in the table is called "nothing"'

# A request that was refused while the recording was made counts, unless it shall not.
story=$SRC/tests/fuzz/corpus/trace_pickle/lost_beginning-p4
expect 0 fit "$story" --pool direct --json
says out '"recorded_refused_bytes": 1099511627776'
holds "$(json needs_bytes) > 1099511627776"
expect 0 fit "$story" --pool direct --json --as-recorded
holds "$(json needs_bytes) < 100000000"

# A recording without allocations needs nothing.
printf 'm 1 step\n' >"$work/marks"
expect 0 fit "$work/marks" --pool fixed --card 24G
says out '^  fixed *0 B$'
! grep -q 'not known' "$work/out" || fail "the need of nothing is not known"
says out '^  24G *+23.5 GiB'

# The minimiser keeps the blocks that make the failure, and nothing else.
{
    for i in 0 1 2 3 4 5 6 7 8 9; do printf 'a %d %d 4194304\nf %d %d\n' $i $i $i $i; done
    printf 'a 20 20 41943040\na 21 21 41943040\na 22 22 41943040\nf 23 20\nf 24 22\na 25 25 83886080\n'
    for i in 40 41 42 43; do printf 'a %d %d 4194304\n' $i $i; done
} >"$work/noisy"
expect 0 fit "$work/noisy" --minimise "$work/small" --limit 160000000 --pool fixed
says out '3 of 18 blocks still fail'
expect 3 replay "$work/small" --device $sim --pool fixed --limit 160000000
[ "$(grep -c '^a' "$work/small")" = 3 ] || fail "not three blocks"
expect 2 fit "$work/noisy" --minimise "$work/unwritten" --limit 1G --pool fixed
says err 'completes in 1G on fixed'
[ ! -e "$work/unwritten" ] || fail "a file in spite of success"
expect 1 fit "$work/noisy" --minimise /nowhere/at/all --limit 160000000 --pool fixed
says err '/nowhere/at/all: cannot write: No such file'
expect 1 fit "$work/noisy" --minimise /dev/full --limit 160000000 --pool fixed
says err '/dev/full: cannot write'
[ -e /dev/full ] || fail "removed /dev/full"

expect 2 fit
expect 2 fit "$work/absent"
says err 'absent: cannot open: No such file'
expect 2 fit "$work/holes" --minimise "$work/x"
says err 'minimise and --limit go together'
expect 2 fit "$work/holes" --pool nothing
expect 2 fit "$work/holes" --device nothing:0
expect 2 fit "$work/holes" --context much
