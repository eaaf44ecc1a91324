#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn torture compares errors by kind, place and block with those of the run without an injected failure: an error or
# a leak of that run hides no other one, and is listed first. Uncaught exceptions of one pattern are one finding.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "a sanitizer's library must come first in a program"

# build NAME COMPILER: compiles NAME.
build() {
    "$2" -g "$work/$1" -I "$SRC/include" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib" -o "$work/${1%.*}"
}

# With "old" the program has an error of its own kind and a leak at its end; the failing copy leads to an error of the
# same number and a leak of the same size elsewhere. With "same" the error path does what the end does.
cat >"$work/paths.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <tarn/tarn.h>

static void free_twice(tarn_addr block) {
    (void)tarn_memory_free(block, 0);
    (void)tarn_memory_free(block, 0);
}

int main(int argc, char **argv) {
    bool old = strcmp(argv[1], "old") == 0, same = strcmp(argv[1], "same") == 0;
    tarn_device *device;
    tarn_addr first = 0, second = 0;
    char byte = 1;
    if (argc < 2 || tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK ||
        tarn_memory_alloc(device, 1 << 20, &first) != TARN_OK ||
        tarn_memory_alloc(device, 1 << 20, &second) != TARN_OK)
        return 2;
    if (tarn_copy(device, first, TARN_ADDR(&byte), 1, 0) != TARN_OK) {
        if (same) free_twice(second);
        (void)tarn_memory_free(first, 0);
        if (!same) (void)tarn_fill(device, first, 0, 1, 1, 0);
        return 0;
    }
    if (old || same) free_twice(second);
    if (!old && !same) (void)tarn_memory_free(second, 0);
    if (!old) (void)tarn_memory_free(first, 0);
    return 0;
}
END
build paths.c "${CC:-cc}"
expect 77 torture --only copy --json="$work/json" -- "$work/paths" old
says out '^the program has 2 error(s) without an injected failure:$'
says out '^    double-free: .*, in free_twice paths\.c:7$'
says out '^    resource-leak: 1 block of device memory of 1048576 byte(s) in all, in main paths\.c:[0-9]*$'
says out '^copy:1: checker: use-after-free: '
grep -q 'ERROR double-free' "$work/out" && fail "an error of the program itself is shown with a case"
says out '^1 finding(s) in 1 run(s); the program has 2 error(s) without an injected failure$'
cp "$work/json" "$work/out"
is_json
says out '"kind": "double-free"'
[ "$(json errors)" = 2 ] || fail "the JSON has $(json errors) errors of the plain run"
# The same error from the same place is not new, wherever the call is made from is.
expect 77 torture --only copy -- "$work/paths" same
says out '^copy:1: checker: double-free: '
# Errors of the program alone are no success either.
expect 77 torture --only memory_alloc -- "$work/paths" old
says out '^0 finding(s) in 2 run(s); the program has 2 error(s) without an injected failure$'
expect 77 torture --only copy -- "$work/paths" new
grep -q 'without an injected failure:' "$work/out" && fail "the program has no error of its own"
says out '^copy:1: checker: use-after-free: '

# A block that another path loses is new, although as many bytes are lost as without the failure.
cat >"$work/swap.c" <<'END'
#include <tarn/tarn.h>

int main(void) {
    tarn_device *device;
    tarn_addr first = 0, second = 0;
    char byte = 1;
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK) return 2;
    (void)tarn_memory_alloc(device, 1 << 20, &first);
    (void)tarn_memory_alloc(device, 1 << 20, &second);
    bool copied = tarn_copy(device, first, TARN_ADDR(&byte), 1, 0) == TARN_OK;
    return tarn_memory_free(copied ? second : first, 0) == TARN_OK ? 0 : 3;
}
END
build swap.c "${CC:-cc}"
expect 77 torture --only copy -- "$work/swap"
says out '^the program has 1 error(s) without an injected failure:$'
says out '^    resource-leak: 1 block of device memory of 1048576 byte(s) in all, in main swap\.c:8$'
says out '^copy:1: leak: 1 block of device memory of 1048576 byte(s) in all$'
says out ' main .*swap\.c:9$'

# ---- exceptions

cat >"$work/throws.cpp" <<'END'
#include <stdexcept>
#include <string>
#include <tarn/tarn.h>

struct device_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

static void check(tarn_status status, int line) {
    if (status != TARN_OK)
        throw device_error("status " + std::to_string(status) + " at line " + std::to_string(line));
}
#define CHECK(call) check(call, __LINE__)

int main(int, char **argv) {
    tarn_device *device;
    tarn_addr block = 0, other = 0;
    CHECK(tarn_device_open("host:0,devices=1,memory=64M", &device));
    CHECK(tarn_memory_alloc(device, 4096, &block));
    CHECK(tarn_fill(device, block, 1, 1, 4096, 0));
    if (tarn_memory_alloc(device, 4096, &other) != TARN_OK && argv[1] != nullptr)
        throw std::logic_error("no second block");
    CHECK(tarn_device_synchronize(device, TARN_FOREVER));
    CHECK(tarn_memory_free(block, 0));
    CHECK(tarn_memory_free(other, 0));
    CHECK(tarn_device_close(device));
}
END
build throws.cpp "${CXX:-c++}"
expect 77 torture --only 'tarn_[mf]*' --json="$work/json" -- "$work/throws"
says out '^tarn_fill:1: exception: device_error: status -[0-9]* at line 20$'
says out '^    also: tarn_memory_alloc:1$'
says out '^1 finding(s) in 3 run(s)$'
awk '/tarn: crash: signal 6/ { getline; exit !/#[0-9]* check\(tarn_status, int\) .*throws.cpp:11$/ }' "$work/out" ||
    fail "the frame that threw is not on top"
cp "$work/json" "$work/out"
says out '"exception": "device_error"'
says out '"tarn_memory_alloc:1"'
expect 77 torture --only 'tarn_[mf]*' -- "$work/throws" other
says out '^tarn_memory_alloc:2: exception: std::logic_error: no second block$'
says out '^2 finding(s) in 3 run(s)$'
