#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The holder of each block is the program's own function also where the compiler inlined it, and where Tarn is
# linked into the program.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/record.sh"

# Templates, an allocator of containers and a lambda, all inlined.
if command -v g++ >/dev/null; then
    program=$SRC/tests/compat/hip/programs/templates.cpp
    g++ -std=c++17 -O2 -g -I "$SRC/compat/hip/include" -I "$SRC/compat/kernel/include" -I "$SRC/tests/compat/hip" "$program" \
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

# The C library has debug information where a program may have none: its functions own nothing either.
if command -v "${CC:-cc}" >/dev/null; then
    cat >"$work/handler.c" <<'END'
#include <stdlib.h>
#include <tarn/tarn.h>
static tarn_device *device;
void last_request(void);
void last_request(void) {
    tarn_addr addr;
    if (tarn_memory_alloc(device, 4096, &addr) == TARN_OK)
        (void)tarn_memory_free(addr, 0);
    (void)tarn_device_close(device);
}
int main(void) {
    return tarn_device_open("host:0,memory=64M", &device) != TARN_OK || atexit(last_request) != 0;
}
END
    "${CC:-cc}" -I "$SRC/include" "$work/handler.c" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib" \
        -o "$work/handler" 2>"$work/err" || fail "cannot compile"
    record_owners -- "$work/handler"
    grep -q "^last_request ($work/handler:0)\$" "$work/owners" || fail "$(cat "$work/owners")"
fi
