#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that works long on a recording or a program shows each phase of its work on a terminal.
# The bar goes from phase to phase and never back, moves within the long phases, does not show 100 %
# before the work ends, and is gone then. TARN_PROGRESS_MS=0 shows it from the first moment.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
command -v script >/dev/null || {
    echo "skipped: needs bsdutils"
    exit 77
}
TERM=xterm
TARN_PROGRESS_MS=0
export TERM TARN_PROGRESS_MS
escape=$(printf '\033')

# Allocations and frees of blocks with stacks, up to 2000 live ones.
awk 'BEGIN {
    print "time,action,address,size,stack"
    for (i = 1; i <= 60000; i++)
        if (i % 2 == 1 || i <= 2000) {
            block[last++ % 4096] = i
            printf "%d,alloc,%d,%d,f%d;g%d;main\n", i, i, 512 * (1 + i * i % 977), i % 97, i % 7
        } else
            printf "%d,free,%d,,\n", i, block[first++ % 4096]
}' >"$work/rows.csv"
columns='--columns time=time,action=action,address=address,size=size,stack=stack'
# shellcheck disable=SC2086 # words
for file in trace tarn pickle.gz; do
    expect 0 convert $columns "$work/rows.csv" "$work/rows.$file"
done

# shows LABELS MOST ARGUMENTS...: the bar has these labels, each word in this order and no others, and no
# step of more than MOST percent within the command.
shows() {
    labels=$1 most=$2
    shift 2
    script -qec "'$TARN' $*" /dev/null >"$work/out" 2>"$work/err" </dev/null || fail "exit $? of: tarn $*"
    tr '\r' '\n' <"$work/out" | sed -n "s/^$escape\[K\(.*\) \[[# ]*\] *\([0-9]*\) %.*/\2 \1/p" >"$work/bars"
    tr '\r' '\n' <"$work/out" | grep -e "^$escape\[K" | tail -n 1 >"$work/last"
    ! grep -q '\] *[0-9]* %' "$work/last" || fail "the bar stays at the end of: tarn $*"
    found=$(cut -d ' ' -f 2- "$work/bars" | tr ' ' _ | uniq | tr '\n' ' ')
    [ "$found" = "$labels " ] || fail "the phases of tarn $* are: $found"
    awk -v most="$most" '
        $1 < last { print "back to " $1 " % from " last " %" }
        $1 >= 100 { print $1 " %" }
        $1 > last + most { print "from " last " % to " $1 " %" }
        { last = $1 }
        END { if (last < 100 - most) print "ends at " last " %" }' "$work/bars" >"$work/err"
    [ ! -s "$work/err" ] || fail "the bar of tarn $* jumps"
}

pools='direct fixed segments expandable:time expandable:balanced expandable:memory expandable:planned'
sim='--device sim:0,memory=64G'
read='reading building'
shows "$read analysing expandable:memory segments fixed expandable:planned" 15 explain "'$work/rows.tarn'"
shows "$read analysing" 24 explain --no-replay "'$work/rows.pickle.gz'"
shows "$read analysing" 24 explain --no-replay "$columns" "'$work/rows.csv'"
shows "reading analysing" 24 explain --no-replay "'$work/rows.trace'"
shows "$read $read comparing" 20 diff "'$work/rows.tarn'" "'$work/rows.pickle.gz'"
shows "$read placing writing" 15 convert "'$work/rows.pickle.gz'" "'$work/out.pickle.gz'"
for ending in trace tarn json csv; do
    shows "$read writing" 25 convert "'$work/rows.pickle.gz'" "'$work/out.$ending'"
done
shows "$read collecting $pools packing" 16 view "'$work/rows.tarn'" -o "'$work/page'"
shows "$read drawing" 40 view --svg "'$work/rows.tarn'" -o "'$work/picture'"
shows "$read $pools" 15 replay "$sim" --compare "'$work/rows.tarn'"
shows "$read expandable:balanced $read expandable:balanced" 25 replay "$sim" "'$work/rows.tarn'" "'$work/rows.pickle.gz'"
shows "$read segments" 25 replay --touch --pool segments --device host:0 "'$work/rows.tarn'"
shows "$read searching" 25 fit --jobs 2 --pool segments "'$work/rows.tarn'"
shows "$read minimising writing" 60 fit --minimise "'$work/small'" --limit 0.5x --tries 60 "'$work/rows.tarn'"
shows "run_without_an_injected_failure torture" 10 torture --no-check --jobs 2 -- "'$TARN'" info --device host:0,devices=1,memory=1G

# What an earlier run did is done at once, and does not count again.
expect 0 torture --no-check --sample 9 --resume "$work/journal" -- "$TARN" info --device host:0,devices=1,memory=1G
shows "run_without_an_injected_failure torture" 99 torture --no-check --sample 9 --resume "'$work/journal'" -- "'$TARN'" info \
    --device host:0,devices=1,memory=1G

