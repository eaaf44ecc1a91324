#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs of CUDA's APIs compile with our headers. Each C file of cuda_headers/ is compiled as C99, C11
# and C++, and each C++ file by old and new standards, at both levels, with one default stream and with
# one for each thread, without a warning. With the toolkit's headers the same files compile too, except two,
# so they use nothing that only ours have.
set -eu

# cuda_headers.sh one HEADERS COMPILER LANGUAGE STANDARD DEFINE FILE compiles one; the script calls itself.
if [ "${1:-}" = one ]; then
    warnings='-Wall -Wextra -Wpedantic -Werror'
    [ "$2" = "$SRC/compat/cuda/include" ] || warnings=-w
    # shellcheck disable=SC2086 # words
    "$3" -x "$4" -std="$5" -D"$6" $warnings -fsyntax-only -I "$2" -I "$SRC/compat/kernel/include" "$7" && exit
    echo "${7#"$SRC"/} does not compile with $3 -std=$5 -D$6 -I $2" >&2
    exit 1
fi

list=$BUILD/tests/cuda_headers.list
mkdir -p "$BUILD/tests"
: >"$list"
# add HEADERS COMPILER LANGUAGE STANDARD FILE: at each level, and with the streams of threads.
add() {
    for define in TARN_CUDA_LEVEL=13 TARN_CUDA_LEVEL=12 CUDA_API_PER_THREAD_DEFAULT_STREAM; do
        printf '%s\n' one "$1" "$2" "$3" "$4" "$define" "$5" >>"$list"
    done
}
# all HEADERS FILE: by each compiler and standard.
all() {
    if [ "${2##*.}" = c ]; then
        add "$1" gcc c c99 "$2"
        add "$1" gcc c c11 "$2"
    fi
    add "$1" g++ c++ c++11 "$2"
    add "$1" g++ c++ c++20 "$2"
    command -v clang++ >/dev/null || return 0
    [ "${2##*.}" != c ] || add "$1" clang c c99 "$2"
    add "$1" clang++ c++ c++17 "$2"
}

own=$SRC/compat/cuda/include
toolkit=
for folder in "${CUDA_HOME:-}/include" "${CUDA_PATH:-}/include" /usr/local/cuda/include; do
    [ ! -f "$folder/cuda.h" ] || toolkit=$folder
done
for file in "$SRC"/tests/lint/cuda_headers/*; do
    all "$own" "$file"
    case $toolkit:${file##*/} in :* | *:nvml.c | *:nvcc.cpp) continue ;; esac
    add "$toolkit" g++ c++ c++17 "$file"
done
for header in $(cd "$own" && ls ./*.h); do
    header=${header#./}
    grep -rqE "^#include <$header>" "$SRC/tests/lint/cuda_headers" "$own" || { echo "no file uses $header" >&2 && exit 1; }
done
xargs -d '\n' -P "$(nproc)" -n 7 "$0" <"$list"
