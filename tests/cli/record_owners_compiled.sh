#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The holder of each block is the program's own function also where the compiler inlined it, and where Tarn is
# linked into the program.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/record.sh"

# Templates, an allocator of containers and a lambda, all inlined.
if command -v g++ >/dev/null; then
    program=$SRC/tests/compat/hip/programs/templates.cpp
    g++ -std=c++17 -O2 -g -I "$SRC/compat/hip/include" -I "$SRC/tests/compat/hip" "$program" \
        -L "$BUILD/lib/tarn/hip" -lamdhip64 -o "$work/optimised" 2>"$work/err" || fail "cannot compile"
    record_owners --as hip -- "$work/optimised"
    holders "$program" //
    grep -q '^(anonymous namespace)::pinned_allocator<int>::allocate (' "$work/owners" ||
        fail "the class of an inlined function is lost: $(cat "$work/owners")"
fi

# Tarn linked into the program, with and without debug information of the program.
if [ -e "$BUILD/lib/libtarn.a" ] && command -v "${CC:-cc}" >/dev/null; then
    for debug in -g -Wl,-S; do
        "${CC:-cc}" -O2 $debug -I "$SRC/include" "$SRC/examples/quickstart.c" "$BUILD/lib/libtarn.a" \
            -lm -lpthread -ldl -o "$work/static" 2>"$work/err" || fail "cannot link"
        record_owners -- "$work/static"
        case $debug in
        -g) wanted='^main (.*examples/quickstart.c:[0-9]*)$' ;;
        *) wanted="^main ($work/static:0)\$" ;;
        esac
        grep -q -e "$wanted" "$work/owners" || fail "$debug: $(cat "$work/owners")"
    done
fi
