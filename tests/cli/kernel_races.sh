#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No program in C++ of tests/compat/hip/programs, and no program without a bug of tests/check/clean, has a race within a
# kernel or with work in flight, in code that compilers have optimised. By day every twelfth program is compiled and run,
# in turn; TARN_TEST_SWEEP=all takes all, with each compiler.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX TARN_CHECK_OPTIONS
[ -e "$(dirname "$TARN")/../lib/tarn/hip/libamdhip64.so.6" ] || { echo "skipped: needs the face hip"; exit 77; }
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"
programs=$SRC/tests/compat/hip/programs
export TARN_HIP_DEVICE=host:0,devices=2,memory=1G MODULES="$work"

compilers=g++
[ "${TARN_TEST_SWEEP:-}" != all ] || ! command -v clang++ >/dev/null || compilers='g++ clang++'
turn=${TARN_TEST_SEED:-0}
count=0
for compiler in $compilers; do
    export TARN_CXX="$compiler"
    expect 0 hipcc --genco --kernel-races "$programs/modules/vector.hip" -o "$work/vector.co"
    for source in "$programs"/*.hip "$programs"/*.cpp; do
        turn=$((turn + 1))
        [ "${TARN_TEST_SWEEP:-}" = all ] || [ $((turn % 12)) = 0 ] || continue
        expect 0 hipcc --kernel-races -O2 -I "$SRC/tests/compat/hip" "$source" -o "$work/program"
        expect 0 check --as hip --kernel-races -- "$work/program"
        says err 'SUMMARY: 0 error(s), 0 warning(s)'
        count=$((count + 1))
    done
done

# Nor do programs without a bug race with work in flight, although the host's loads and stores are observed: compiled as
# C++, but for those that describe kernels themselves, or are C only. Clang does not convert integers to enumerations.
export TARN_CXX=g++
for source in "$SRC"/tests/check/clean/hip_*.c "$SRC"/tests/check/clean/cuda_*.c "$SRC"/examples/hip-grow/grow.c \
    "$SRC"/examples/cuda-pool/main.c; do
    case $source in *_arena.c | */cuda_arrays.c | */hip_clean_kernels.c | */hip_clean_unseen.c) continue ;; esac
    turn=$((turn + 1))
    [ "${TARN_TEST_SWEEP:-}" = all ] || [ $((turn % 12)) = 0 ] || continue
    case $source in */cuda*) set -- nvcc cuda cu ;; *) set -- hipcc hip hip ;; esac
    cp "$source" "$work/source.$3"
    expect 0 "$1" --kernel-races -O1 -fpermissive -w -I "$SRC/tests" "$work/source.$3" -o "$work/program"
    expect 0 check --as "$2" --kernel-races -- "$work/program"
    says err 'SUMMARY: 0 error(s), 0 warning(s)'
    count=$((count + 1))
done
expect 0 hipcc --kernel-races -O2 "$SRC/examples/hip-kernel/main.hip" "$SRC/examples/hip-kernel/mean.hip" -o "$work/program"
expect 0 check --as hip --kernel-races -- "$work/program"
[ "$count" -gt 3 ] || fail "$count programs have run"

# A program does not tell anybody about races without the option of the checker.
expect 0 hipcc --kernel-races -g "$SRC/tests/check/kernels/race_blocks.hip" -o "$work/program"
expect 0 check --as hip -- "$work/program"
expect 77 check --as hip --kernel-races --json="$work/json" -- "$work/program"
grep -q '"kind": *"kernel-race"' "$work/json" || fail "no race in the JSON output"
"$work/program" || fail "the program runs by itself"

# Misaligned accesses are reported on request.
expect 0 hipcc --kernel-races -g "$SRC/tests/check/kernels/misaligned_store.hip" -o "$work/program"
expect 0 check --as hip --kernel-races -- "$work/program"
expect 77 check --as hip --kernel-races --misaligned -- "$work/program"
expect 125 check --as hip --misaligned -- "$work/program"
says err '^tarn check: --misaligned needs --kernel-races$'

# Both sanitizers would be called for an access.
expect 1 hipcc --kernel-races -fsanitize=thread "$SRC/tests/check/kernels/race_blocks.hip" -o "$work/none"
says err 'kernel-races excludes -fsanitize=thread'
