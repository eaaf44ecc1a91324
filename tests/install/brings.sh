#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A vendor's headers include others, and programs rely on it. Each file of brings/ uses what the headers
# that its first lines name must bring. It is compiled with each of them alone: with the first one by each
# standard, C11 and C++ if it is C, and with the others by the oldest and the newest, because newer standard
# headers include less. Its name begins with that of the face.
set -eu

# brings.sh one STANDARD HEADER FILE INCLUDE compiles one; the script calls itself.
if [ "${1:-}" = one ]; then
    compiler=g++ language=c++
    [ "$2" != c11 ] || compiler=gcc language=c
    "$compiler" -x "$language" -std="$2" -Wall -Wextra -Werror -fsyntax-only -I "$5" -I "$SRC/compat/kernel/include" -include "$3" "$4" && exit
    echo "$4 does not compile with <$3> alone and -std=$2" >&2
    exit 1
fi

list=$BUILD/tests/brings.list
: >"$list"
for file in "$SRC"/tests/install/brings/*; do
    face=${file##*/}
    first=c++11
    [ "${file##*.}" != c ] || first="c11 c++11"
    standards="$first c++14 c++17 c++20"
    headers=$(sed -n 's|^// HEADERS:||p' "$file")
    for header in $headers; do
        for standard in $standards; do
            printf '%s\n' one "$standard" "$header" "$file" "$SRC/compat/${face%%[_.]*}/include" >>"$list"
        done
        standards="$first c++20"
    done
done
[ -s "$list" ] # something is compiled
xargs -d '\n' -P "$(nproc)" -n 5 "$0" <"$list"
