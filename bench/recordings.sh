#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replays the public recordings of PyTorch on pools of every kind, and prints the tables of docs/performance.md: memory
# held and device time in the cost model of `sim`, with 80 GiB and at the limit. The figures are the same on every
# machine. TARN_SNAPSHOTS names the folder of the recordings; BUILD says where the programs are (default build).
# shellcheck disable=SC1091,SC2016,SC2086,SC2154 # sourced; it sets work; expressions are for awk; lists of words
set -eu
SRC=$(dirname "$0")/..
TARN=${BUILD:-$SRC/build}/bin/tarn
export SRC TARN
. "$SRC/tests/support/recordings.sh"

# column ROWS FORMAT EXPRESSION: one cell for each recording, by its row; "-" where it does not fit.
column() {
    awk -v names="$names" -v form="$2" '
        { cell[$1] = sprintf(form, '"$3"') }
        END { n = split(names, name, " "); for (i = 1; i <= n; i++) print name[i] in cell ? cell[name[i]] : "-" }' "$work/$1"
}

# heading CELLS...: the first two lines of a table.
heading() {
    for cell in "$@"; do printf '| %s ' "$cell"; done
    printf '|\n'
    for _ in "$@"; do printf '|---'; done
    printf '|\n'
}

# table COLUMNS...: joins files of cells into rows.
table() { paste -d '|' "$@" | sed 's/|/ | /g; s/^/| /; s/$/ |/'; }

names=$(for file in $files; do name=${file##*/} && printf '%s ' "${name%%.*}"; done)
policies='time balanced memory'

for pool in direct fixed segments; do replay_all $pool --pool $pool; done
for policy in $policies; do replay_all "$policy" --pool "expandable:$policy" --repeat 3; done
for policy in $policies; do replay_all "$policy-learn" --pool "expandable:$policy" --plan learn --repeat 6; done
for policy in $policies; do replay_all "$policy-six" --pool "expandable:$policy" --repeat 6; done
replay_all memory-tight --pool expandable:memory --limit 1.012x
replay_all balanced-tight --pool expandable:balanced --limit 1.02x

cd "$work"
column direct %s '$1' >c0
column direct %.2f '$2 / 2^30' >c1
column direct %.3f '$4 / $2' >c2
column fixed %.3f '$3 / $2' >c3
column segments %.3f '$3 / $2' >c4
i=5
for policy in $policies; do
    column "$policy" %.3f '$3 / $2' >c$i
    i=$((i + 1))
done
echo 'Memory held, relative to the peak of live bytes:'
echo
heading recording 'live, GiB' PyTorch 'fixed (reach)' segments $policies
table c0 c1 c2 c3 c4 c5 c6 c7

column direct %.0f '$8 / 1e6' >c1
column direct %.1f '$5 / 1e6' >c2
column segments %.1f '$8 / 1e6' >c3
i=4
for policy in $policies; do
    column "$policy" '%s; %s' 'sprintf("%.1f", $8 / 1e6), sprintf("%.1f", $10 / 1e6)' >c$i
    i=$((i + 1))
done
printf '\nDevice time of the first pass, and after it of the third, in ms:\n\n'
heading recording direct PyTorch segments $policies
table c0 c1 c2 c3 c4 c5 c6

column direct %s '$6' >c1
i=2
for policy in $policies; do
    column "$policy" %s '$7' >c$i
    i=$((i + 1))
done
column memory-tight %.0f '$8 / 1e6' >c5
column balanced-tight %.0f '$8 / 1e6' >c6
printf '\nHandles created in the first pass, and device time in ms of a pass at the limit:\n\n'
heading recording "PyTorch's segments" $policies 'memory at 1.012 x live' 'balanced at 1.02 x live'
table c0 c1 c2 c3 c4 c5 c6

i=1
for policy in $policies; do
    column "$policy-six" %.3f '$12 / $2' >c$i
    column "$policy-learn" '%s; %s; %s' 'sprintf("%.3f", $12 / $2), $13, $11' >c$((i + 1))
    i=$((i + 2))
done
printf '\nHeld in the sixth pass, relative to the peak of live bytes, without a plan and with a learnt one, and the device calls\n'
printf 'of passes 2 to 5 and of the sixth:\n\n'
heading recording time learns balanced learns memory learns
table c0 c1 c2 c3 c4 c5 c6
