#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests with public recordings of PyTorch share. Sourced by tests/cli/recordings_*.sh, instead of cli.sh.
# A row describes the replay of one recording. Its columns, by number:
#   1 name, 2 peak live bytes, 3 peak held bytes of the first pass, 4 the recorded allocator's own peak,
#   5 device time of its calls, 6 segments that it held at the start or that its events name,
#   7 handles created, 8 device time and 9 device calls of the first pass, 10 to 12 time, calls and peak held bytes
#   of the last, 13 calls of the passes between
# Times are in ns of the cost model of `sim`.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

folder=$(snapshots) # ends this script where it skips
cd "$folder"        # its path may have spaces
files=$(ls ./public/*.pickle.gz ./gpu-*.snapshot.pickle.gz 2>/dev/null || true)
[ "$(printf '%s\n' "$files" | wc -l)" = 12 ] || {
    echo "skipped: not the twelve public recordings (TARN_SNAPSHOTS)" >&2
    exit 77
}
device=sim:0,memory=80G,devices=3

# row NAME: the row of the object in $work/out.
row() {
    awk -v name="$1" '
        { key = $1; gsub(/[":]/, "", key); value = $2; sub(/,$/, "", value) }
        key == "passes" { in_passes = 1 }
        in_passes && key == "peak_held_bytes" { passes++ }
        in_passes { pass[passes, key] = value; next }
        { whole[key] = value }
        END {
            for (i = 2; i < passes; i++) between += pass[i, "driver_calls"]
            print name, whole["peak_live_bytes"], pass[1, "peak_held_bytes"], whole["recorded_peak_reserved_bytes"],
                whole["recorded_virtual_ns"], whole["recorded_segment_events"] + whole["recorded_starting_segments"],
                pass[1, "created_handles"], pass[1, "device_ns"], pass[1, "driver_calls"],
                pass[passes, "device_ns"], pass[passes, "driver_calls"], pass[passes, "peak_held_bytes"],
                between + 0
        }' "$work/out"
}

# replay_all ROWS ARGUMENTS...: replays every recording and writes the rows to $work/ROWS. Those that do not fit
# are left out, and named in $work/ROWS.failed.
replay_all() {
    rows=$work/$1
    shift
    : >"$rows"
    : >"$rows.failed"
    for file in $files; do
        name=${file##*/}
        name=${name%%.*}
        got=0
        "$TARN" replay "$file" --device "$device" --json "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
        case $got in
        0) row "$name" >>"$rows" ;;
        3) echo "$name" >>"$rows.failed" ;;
        *) fail "exit $got of: tarn replay $file $*" ;;
        esac
    done
}

# misses: a requirement that does not hold. The test goes on, and fails at its end.
misses() { printf 'does not hold: %s\n' "$*" | tee -a "$work/missed" >&2; }

# each WHAT CONDITION: reads rows; the condition, in awk, holds for each.
each() {
    awk "!($2)" >"$work/broken"
    [ ! -s "$work/broken" ] || misses "$1: $2: $(cut -d ' ' -f 1 "$work/broken" | tr '\n' ' ')"
}

# median: of one number a line.
median() {
    sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# at_most WHAT VALUE BOUND
at_most() {
    awk "BEGIN { exit !($2 <= $3) }" || misses "$1: $2, not at most $3"
}

# completes ROWS: every recording fitted.
completes() {
    [ ! -s "$work/$1.failed" ] || misses "$1: does not fit: $(tr '\n' ' ' <"$work/$1.failed")"
}

finish() {
    [ ! -e "$work/missed" ] || {
        printf 'FAILED: %s requirements do not hold\n' "$(wc -l <"$work/missed")" >&2
        exit 1
    }
}
