#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each call of the system and of libc fails in turn in whole programs: the command, and programs under
# `tarn check`. A run succeeds, or fails with a line on standard error; it neither crashes nor hangs.
# A replay or a view that succeeds prints all lines, an explanation the same text. A report is printed, if need be without names.
# TARN_TEST_STARVE=all takes every call of an explanation and of a plan, and about 150 of another command, instead of a spread.
set -eu
: "${TARN:?the path of the command}" "${SRC:?the root of the sources}" "${BUILD:?}" "${PRELOAD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
points=12
[ "${TARN_TEST_STARVE:-}" != all ] || points=150
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

# is_short: the checker has no memory for its tables. It cannot continue then: it says so, and ends the program.
is_short() {
    [ "$code" = 134 ] && grep -q "^tarn-check: out of memory for the checker's own tables" "$work/err"
}

# judge_run ARGUMENTS...
judge_run() {
    if [ "$code" = 124 ] || [ "$code" -ge 128 ] || { [ "$code" != 0 ] && [ ! -s "$work/err" ]; }; then
        return 1
    elif { [ "$1" = replay ] || [ "$1" = view ]; } && [ "$code" = 0 ]; then
        [ "$(wc -l <"$work/out")" = "$lines" ]
    fi
}

# judge_exact ARGUMENTS...: a run that succeeds prints what an undisturbed run prints. Memory has a status of its own.
judge_exact() {
    case $code in
    0) cmp -s "$work/out" "$work/good" ;;
    5) grep -q '^tarn.*\(emory\|allowed\)' "$work/err" ;;
    1 | 2) grep '^tarn' "$work/err" | grep -qv 'ut of \(host \)\{0,1\}memory' ;;
    *) return 1 ;;
    esac
}

# judge_plan ARGUMENTS...: a plan that is made has the same pass and the same size. Its search may take another time.
judge_plan() {
    for file in "$work/out" "$work/good"; do sed -i '/^search/d' "$file"; done
    judge_exact "$@"
}

# judge_report ARGUMENTS...: the program has one bug, and ends with 2 and a line if one of its calls fails. The
# command may fail before it starts the program, and the program may lack the memory to load the checker.
judge_report() {
    case $code in
    77) grep -q '^==[0-9]*== ERROR double-free: ' "$work/err" && grep -q '^==[0-9]*==     #0 0x' "$work/err" ;;
    2) grep -q '^tarn_[a-z_]*(.*): ' "$work/err" ;;
    1 | 5 | 121 | 125) grep -q '^tarn[ a-z]*: ' "$work/err" ;;
    122) grep -q '^tarn check: nothing was checked: ' "$work/err" ;;
    *) return 1 ;;
    esac
}

# sweep_by JUDGE CODE ARGUMENTS...: CODE is the exit status of a run in which no call fails.
sweep_by() {
    judge=$1 wanted=$2
    shift 2
    run_point 0 "$@"
    [ "$code" = "$wanted" ] || blame "$@"
    calls=$(sort -n "$work/count" | tail -n 1) # of the process that makes most
    lines=$(wc -l <"$work/out")
    cp "$work/out" "$work/good"
    step=$((calls / points + 1))
    at=$calls # from the last one, which belongs to the output
    while [ "$at" -ge 1 ]; do
        run_point "$at" "$@"
        is_short || "$judge" "$@" || blame "$@"
        at=$((at - step))
    done
    printf '%s points: tarn %s\n' "$calls" "$*"
}

# sweep_every JUDGE ARGUMENTS...: with every call in the night.
sweep_every() {
    spread=$points judge=$1
    shift
    [ "$points" = 12 ] || points=1000000
    sweep_by "$judge" 0 "$@"
    points=$spread
}

sweep() { sweep_by judge_run 0 "$@"; }

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 60 >"$work/short.trace"
sweep info
sweep info --json
sweep layout --rule acl 100 5000 70000
sweep replay --device host:0,memory=256M --pool expandable --touch "$work/short.trace"
sweep replay --device sim:0 --compare --json "$work/short.trace"
sweep_every judge_exact explain "$work/short.trace"
sweep_every judge_exact explain --json "$work/short.trace"
sweep_every judge_exact explain "$SRC/tests/fuzz/corpus/trace_pickle/story-newest"
for pass in 1 2 3; do
    printf 'm %d0 step\na %d1 %d 41943040\nf %d2 %d\n' $pass $pass $pass $pass $pass
done >"$work/passes.trace"
sweep_every judge_plan plan "$work/passes.trace"
sweep view "$work/short.trace" -o -
sweep view "$work/short.trace" --svg -o -
sweep check -- "$BUILD/tests/bin/example_quickstart"
sweep check -- "$BUILD/tests/bin/example_mstx_regions"
sweep_by judge_report 77 check -- "$BUILD/tests/check/bugs/tarn_double_free"
[ "$failures" = 0 ] || exit 1
