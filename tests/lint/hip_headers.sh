#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs rely on what AMD's headers bring. Each file of hip_headers/ uses what the header of its
# name must bring, and includes only that. C files are compiled as C11 and as C++, others as C++, by
# each standard from C++11 to C++20, without a warning.
set -eu

# hip_headers.sh one COMPILER LANGUAGE STANDARD FILE compiles one; the script calls itself.
if [ "${1:-}" = one ]; then
    "$2" -x "$3" -std="$4" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$SRC/compat/hip/include" -I "$SRC/compat/kernel/include" "$5" && exit
    echo "${5#"$SRC"/} does not compile with $2 -std=$4" >&2
    exit 1
fi

list=$BUILD/tests/hip_headers.list
mkdir -p "$BUILD/tests"
: >"$list"
for file in "$SRC"/tests/lint/hip_headers/*; do
    [ "${file##*.}" != c ] || printf '%s\n' one gcc c c11 "$file" >>"$list"
    for standard in 11 14 17 20; do
        printf '%s\n' one g++ c++ "c++$standard" "$file" >>"$list"
    done
    command -v clang++ >/dev/null || continue
    printf '%s\n' one clang++ c++ c++11 "$file" >>"$list"
    printf '%s\n' one clang++ c++ c++20 "$file" >>"$list"
done
[ -s "$list" ] # something is compiled
for header in $(cd "$SRC/compat/hip/include/hip" && ls ./*.h); do
    header=${header#./}
    [ -e "$SRC/tests/lint/hip_headers/${header%.h}.c" ] || [ -e "$SRC/tests/lint/hip_headers/${header%.h}.cpp" ] ||
        { echo "no file uses hip/$header" >&2 && exit 1; }
done
xargs -d '\n' -P "$(nproc)" -n 5 "$0" <"$list"
