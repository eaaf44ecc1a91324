#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A pool that learns holds, in each pass of twelve public recordings, no more than one that does not. From the second
# planned pass on, it holds 1.01 times what lives in all but one of them, and calls no device.
# shellcheck disable=SC1091,SC2016,SC2154 # sourced; it sets work; the conditions are for awk
. "$SRC/tests/support/recordings.sh"

# passes ARGUMENTS...: a row for each recording and pass: name, pass, held, peak of live bytes, calls.
passes() {
    for file in $files; do
        name=${file##*/}
        "$TARN" replay "$file" --device "$device" --json --repeat 5 "$@" >"$work/out" 2>"$work/err" </dev/null ||
            fail "exit $? of: tarn replay $file $*"
        awk -v name="${name%%.*}" '
            { key = $1; gsub(/[":]/, "", key); value = $2; sub(/,$/, "", value) }
            key == "peak_live_bytes" { live = value }
            key == "peak_held_bytes" { held = value }
            held != "" && key == "driver_calls" { print name, ++pass, held, live, value; held = "" }' "$work/out"
    done
}

for policy in time balanced memory; do
    passes --pool "expandable:$policy" >"$work/without"
    passes --pool "expandable:$policy" --plan learn >"$work/with"
    [ "$(wc -l <"$work/with")" = 60 ] || fail "not five passes of twelve recordings"
    paste -d ' ' "$work/without" "$work/with" | each "$policy: learning holds more" '$8 <= $3'
    grep -v gpu-generate-10-streams "$work/with" | awk '$2 >= 4' |
        each "$policy: held / live and calls of planned passes" '$3 <= 1.01 * $4 && $5 == 0'
done
finish
