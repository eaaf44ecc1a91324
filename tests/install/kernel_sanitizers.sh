#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels in a program that is compiled with a sanitizer, and the library without one: ASan and TSan
# report nothing about the stacks of threads, and planted bugs with the line of the kernel.
set -eu
library=$BUILD/lib/tarn/hip
work=$BUILD/tests/kernel_sanitizers
source=$SRC/tests/install/kernels/meet.cpp
mkdir -p "$work"
unset ASAN_OPTIONS TARN_DEVICE TARN_HIP_DEVICE
export TSAN_OPTIONS=history_size=7 TARN_HIP_BARRIERS=strict

# Some kernels place more at random than older sanitizers expect.
exact=
setarch "$(uname -m)" -R true 2>/dev/null && exact="setarch $(uname -m) -R"

# run PROGRAM [BUG]: prints the output of a program.
# shellcheck disable=SC2086 # words
run() { LD_LIBRARY_PATH=$library timeout 300 $exact "$@" 2>&1; }

# check COMPILER SANITIZER BUG REPORT
check() {
    program=$work/$1_$2
    command -v "$1" >/dev/null || return 0
    "$1" -std=c++17 -g -O1 -fsanitize="$2" -D__HIP_PLATFORM_AMD__=1 -I "$SRC/compat/hip/include" -I "$SRC/compat/kernel/include" "$source" -o "$program" \
        -L "$library" -l:libamdhip64.so.6 || return 1
    output=$(run "$program") || { echo "$1 -fsanitize=$2 reports a program without a bug: $output" >&2 && return 1; }
    line=$(grep -n "// BUG" "$source" | grep "$3" | cut -d: -f1)
    for _ in 1 2 3 4 5; do # a race needs two CPUs that are free
        output=$(run "$program" "$4" || true)
        case $output in
        *"$5"*"meet.cpp:$line"*) return 0 ;;
        esac
    done
    echo "$1 -fsanitize=$2 does not report line $line: $output" >&2
    return 1
}

for compiler in g++ clang++; do
    check "$compiler" address 'copy\[' overrun "AddressSanitizer: use-after-poison"
    check "$compiler" thread 'number' race "ThreadSanitizer: data race"
done
