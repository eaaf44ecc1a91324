#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each program of tests/check/kernels has one bug in or around a kernel. `tarn hipcc` compiles it, and its run reports
# the bug with the line. Comments at the top of a program describe it:
#
#   // OPTIONS: options of the compiler
#   // RUN: check (under tarn check), races (with --kernel-races too), misaligned (with --misaligned too); missing: plain
#   // EXIT: the exit status, if it matters
#   // EXPECT: a pattern that a line of the output matches
#
# SRC and TARN are set. ONLY is a pattern of names.
set -eu
: "${SRC:?}" "${TARN:?}"
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TARN_CHECK_OPTIONS TARN_CXX TARN_DEVICE
export TARN_HIP_LOG=1 ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1
failures=0

# value KEY FILE: the values of a key, one a line.
value() {
    sed -n "s|^// $1: ||p" "$2"
}

for source in "$SRC"/tests/check/kernels/${ONLY:-*}.hip; do
    name=$(basename "$source" .hip)
    # shellcheck disable=SC2046 # words
    "$TARN" hipcc -O0 -g $(value OPTIONS "$source") "$source" -o "$work/$name"
    case $(value RUN "$source") in
    check) set -- "$TARN" check --as hip -- "$work/$name" ;;
    races) set -- "$TARN" check --as hip --kernel-races -- "$work/$name" ;;
    misaligned) set -- "$TARN" check --as hip --kernel-races --misaligned -- "$work/$name" ;;
    *) set -- "$work/$name" ;;
    esac
    # The thread sanitizer does not start with addresses as random as the kernel may choose them.
    case $(value OPTIONS "$source") in *thread*) set -- setarch -R "$@" ;; esac
    status=0
    timeout 900 "$@" >"$work/log" 2>&1 || status=$?
    {
        wanted=$(value EXIT "$source")
        [ "${wanted:-$status}" = "$status" ] || echo "exit status $status, not $wanted"
        value EXPECT "$source" | while IFS= read -r pattern; do
            grep -q -e "$pattern" "$work/log" || printf 'no line matches: %s\n' "$pattern"
        done
    } >"$work/missing"
    [ -s "$work/missing" ] || continue
    echo "--- $name"
    cat "$work/missing" "$work/log"
    failures=$((failures + 1))
done
[ $failures = 0 ]
