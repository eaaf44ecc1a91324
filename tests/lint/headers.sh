#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, and twice, as C11 and as C++17, without a warning; and each
# internal header compiles alone as C11.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'
bad=0

# alone COMPILER LANGUAGE STANDARD INCLUDE-DIRECTORY HEADER [MORE]
alone() {
    printf '#include <%s>\n#include <%s>\n' "$5" "$5" >"$work/alone"
    # shellcheck disable=SC2086 # lists of words
    if ! "$1" -x "$2" -std="$3" $strict ${6-} -I "$SRC/include" -I "$4" "$work/alone"; then
        echo "$5 does not compile alone with $1 -std=$3" >&2
        bad=1
    fi
}

cd "$SRC"
for header in include/tarn/*.h; do
    name=${header#include/}
    for pair in gcc/g++ clang/clang++; do
        command -v "${pair%/*}" >/dev/null || continue
        alone "${pair%/*}" c c11 include "$name"
        alone "${pair#*/}" c++ c++17 include "$name"
    done
done
for header in $(find src -name '*.h' | sort); do
    alone gcc c c11 src "${header#src/}" -D_GNU_SOURCE
done
exit $bad
