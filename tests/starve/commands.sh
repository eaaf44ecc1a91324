#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each call of the system and of libc fails in turn in whole programs: the command, and programs under
# `tarn check`. A run succeeds, or fails with a line on standard error; it neither crashes nor hangs.
# A replay or a view that succeeds prints all lines.
# TARN_TEST_STARVE=all takes every call instead of a spread, of a command that makes many some hundreds.
set -eu
: "${TARN:?the path of the command}" "${SRC:?the root of the sources}" "${BUILD:?}" "${PRELOAD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
points=12
[ "${TARN_TEST_STARVE:-}" != all ] || points=400
# Vendors' libraries may end the process without memory.
TARN_CUDA_LIBRARY=/dev/null TARN_HIP_LIBRARY=/dev/null TARN_ASCEND_LIBRARY=/dev/null
export TARN_CUDA_LIBRARY TARN_HIP_LIBRARY TARN_ASCEND_LIBRARY

# run_point POINT ARGUMENTS...: sets `code`.
run_point() {
    point=$1
    shift
    code=0
    rm -f "$work/count"
    timeout 900 env STARVE_POINT="$point" STARVE_COUNT="$work/count" LD_PRELOAD="$PRELOAD" \
        MALLOC_ARENA_MAX=1 "$TARN" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
}

blame() {
    printf 'point %s, exit %s, of: tarn %s\n' "$point" "$code" "$*" >&2
    head -c 2000 "$work/err" >&2
    failures=$((failures + 1))
}

# sweep ARGUMENTS...
sweep() {
    run_point 0 "$@"
    [ "$code" = 0 ] || blame "$@"
    calls=$(sort -n "$work/count" | tail -n 1) # of the process that makes most
    lines=$(wc -l <"$work/out")
    step=$((calls / points + 1))
    at=$calls # from the last one, which belongs to the output
    while [ "$at" -ge 1 ]; do
        run_point "$at" "$@"
        # A checker without memory for its tables cannot continue: it says so, and ends the program.
        if [ "$code" = 134 ] && grep -q "^tarn-check: out of memory for the checker's own tables" "$work/err"; then
            code=1
        fi
        if [ "$code" = 124 ] || [ "$code" -ge 128 ] || { [ "$code" != 0 ] && [ ! -s "$work/err" ]; }; then
            blame "$@"
        elif { [ "$1" = replay ] || [ "$1" = view ]; } && [ "$code" = 0 ] && [ "$(wc -l <"$work/out")" != "$lines" ]; then
            blame "$@"
        fi
        at=$((at - step))
    done
    printf '%s points: tarn %s\n' "$calls" "$*"
}

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 60 >"$work/short.trace"
sweep info
sweep info --json
sweep layout --rule acl 100 5000 70000
sweep replay --device host:0,memory=256M --pool expandable --touch "$work/short.trace"
sweep replay --device sim:0 --compare --json "$work/short.trace"
sweep view "$work/short.trace" -o -
sweep view "$work/short.trace" --svg -o -
sweep check -- "$BUILD/tests/bin/example_quickstart"
sweep check -- "$BUILD/tests/bin/example_mstx_regions"
[ "$failures" = 0 ] || exit 1
