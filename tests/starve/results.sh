#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each call for memory and of files fails in turn in `tarn fit` and `tarn view`. A run that succeeds has the result of an
# undisturbed run. One that fails says so, leaves the old file and no other.
# TARN_TEST_STARVE=all takes about 400 calls of each command instead of 12.
set -eu
: "${TARN:?the path of the command}" "${SRC:?the root of the sources}" "${PRELOAD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
points=12
[ "${TARN_TEST_STARVE:-}" != all ] || points=400

# run_point POINT ARGUMENTS...: sets `code`. The command may write to `file` in a folder of its own.
run_point() {
    point=$1
    shift
    code=0
    rm -rf to count
    mkdir to
    echo old >to/file
    timeout 900 env STARVE_POINT="$point" STARVE_COUNT="$work/count" STARVE_FILES=1 LD_PRELOAD="$PRELOAD" \
        MALLOC_ARENA_MAX=1 "$TARN" "$@" >out 2>err </dev/null || code=$?
}

# judge_point: a result is complete, or it is absent with a message. --json=FILE has the message too, and has it alone
# where the call that failed was to write it to standard error. Memory has a status of its own.
judge_point() {
    [ "$(ls to)" = file ] || return 1
    case $code in
    0) cmp -s out good.out && cmp -s to/file good.file ;;
    1 | 2) ! grep -q 'ut of \(host \)\{0,1\}memory' err && is_failed ;;
    5) is_failed ;;
    *) return 1 ;;
    esac
}

is_failed() { is_error to/file || { grep -q '^tarn' err && [ "$(cat to/file)" = old ]; }; }

# is_error FILE: one object with an error.
is_error() { [ "$(wc -l <"$1")" = 1 ] && grep -q '^{"command":"fit",.*,"error":{.*}}$' "$1"; }

# sweep ARGUMENTS...
sweep() {
    run_point 0 "$@"
    [ "$code" = 0 ] || {
        printf 'exit %s without a failure: tarn %s\n' "$code" "$*" >&2
        cat err >&2
        exit 1
    }
    cp out good.out
    cp to/file good.file
    calls=$(sort -n count | tail -n 1)   # of the process that makes most,
    [ "$1" != fit ] || calls=$((calls + 1500)) # but for those of the searches, which count for themselves
    step=$((calls / points + 1))
    at=$calls
    while [ "$at" -ge 1 ]; do
        run_point "$at" "$@"
        judge_point || {
            printf 'point %s, exit %s, of: tarn %s\n' "$at" "$code" "$*" >&2
            head -c 1000 err >&2
            ls to >&2
            cmp out good.out >&2 || true
            failures=$((failures + 1))
        }
        at=$((at - step))
    done
    printf '%s points: tarn %s\n' "$calls" "$*"
}

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 60 >short.trace
story=$SRC/tests/fuzz/corpus/trace_pickle/story-newest
sweep fit short.trace --tries 12
sweep fit short.trace --tries 12 --jobs 1 --json
sweep fit "$story" --as-recorded --tries 5 --pool fixed --json=to/file
sweep fit short.trace --minimise to/file --limit 0.5x --pool fixed
sweep view short.trace -o to/file
sweep view "$story" -o to/file
sweep view "$story" -o -
sweep view short.trace --svg -o to/file
[ "$failures" = 0 ] || exit 1
