#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each call for memory and of files fails in turn in `tarn convert`, for each format that it writes and reads. A run that
# succeeds has written what an undisturbed run writes. One that fails says so, leaves the old file and no other.
# TARN_TEST_STARVE=all takes every call instead of a spread.
set -eu
: "${TARN:?the path of the command}" "${SRC:?the root of the sources}" "${PRELOAD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
points=25
name='file'
[ "${TARN_TEST_STARVE:-}" != all ] || points=1000000

# run_point POINT FROM FORMAT: converts to $work/to/$name, which has other contents before, and sets `code`.
run_point() {
    code=0
    rm -rf "$work/to" "$work/count"
    mkdir "$work/to"
    echo old >"$work/to/$name"
    timeout 900 env STARVE_POINT="$1" STARVE_COUNT="$work/count" STARVE_FILES=1 LD_PRELOAD="$PRELOAD" MALLOC_ARENA_MAX=1 \
        "$TARN" convert --to "$3" "$2" "$work/to/$name" >"$work/out" 2>"$work/err" </dev/null || code=$?
}

# judge_point GOOD: the file is complete or the old one.
judge_point() {
    [ "$(ls "$work/to")" = "$name" ] || return 1
    case $code in
    0) cmp -s "$work/to/$name" "$1" ;;
    1 | 2 | 5) grep -q '^tarn' "$work/err" && [ "$(cat "$work/to/$name")" = old ] ;;
    *) return 1 ;;
    esac
}

# sweep FROM FORMAT
sweep() {
    run_point 0 "$1" "$2"
    [ "$code" = 0 ] || {
        printf 'exit %s without a failure: %s to %s\n' "$code" "$1" "$2" >&2
        exit 1
    }
    cp "$work/to/$name" "$work/good"
    calls=$(sort -n "$work/count" | tail -n 1)
    step=$((calls / points + 1))
    at=$calls
    while [ "$at" -ge 1 ]; do
        run_point "$at" "$1" "$2"
        judge_point "$work/good" || {
            printf 'point %s, exit %s, of: tarn convert --to %s %s\n' "$at" "$code" "$2" "$1" >&2
            head -c 1000 "$work/err" >&2
            ls "$work/to" >&2
            failures=$((failures + 1))
        }
        at=$((at - step))
    done
    printf '%s points: %s to %s\n' "$calls" "${1##*/}" "$2"
}

# Each format is written from a snapshot, and read again.
story=$SRC/tests/fuzz/corpus/trace_pickle/story-newest
for format in binary snapshot chrome pprof csv; do
    sweep "$story" "$format"
    "$TARN" convert --to "$format" "$story" "$work/$format"
    sweep "$work/$format" binary
done
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 300 >"$work/short.trace"
sweep "$work/short.trace" text
sweep "$work/short.trace" snapshot
sweep "$SRC/tests/fuzz/corpus/trace_sqlite/nsys" binary
name='file.gz'
sweep "$story" csv
[ "$failures" = 0 ] || exit 1
