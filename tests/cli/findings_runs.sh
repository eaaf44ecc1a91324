#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn torture, tarn explore and tarn run --fidelity write their findings as tarn check does. The place of a crash and of an
# exception is in the program, wherever the sources of Tarn lie, and the crash report begins there.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/findings.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "a sanitizer's library must come first in a program"
cd "$work" || exit

# build NAME COMPILER: compiles NAME.
build() {
    "$2" -g "$work/$1" -I "$SRC/include" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib" -o "${1%.*}"
}

cat >wrong.c <<'END'
#include <string.h>
#include <tarn/tarn.h>

static void crash(int *at) { *at = 1; }

int main(int argc, char **argv) {
    tarn_device *device;
    tarn_addr one = 0, two = 0;
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK) return 2;
    if (tarn_memory_alloc(device, 4096, &one) != TARN_OK && argc > 1) crash(NULL);
    if (tarn_memory_alloc(device, 4096, &two) != TARN_OK) return 3;
    (void)tarn_fill(device, one, 0, 1, 4096, 0);
    (void)tarn_memory_free(one, 0);
    (void)tarn_memory_free(two, 0);
    return tarn_device_close(device) == TARN_OK ? 0 : 4;
}
END
build wrong.c "${CC:-cc}"
expect 77 torture --only tarn_memory_alloc --junit junit --sarif sarif --annotations github -- ./wrong crash
sarif sarif >results
grep -qx 'crash|error|wrong.c|4|crash' results || fail "the crash is not in the program: $(cat results)"
grep -qx 'leak|error|wrong.c|10|main' results || fail "the leak is not in the program: $(cat results)"
junit junit >cases
grep -qx 'tarn_memory_alloc:1: crash|wrong.c|4|failure crash' cases || fail "no case for the crash: $(cat cases)"
says err '^::error file=wrong.c,line=4,title=tarn torture%3A tarn_memory_alloc%3A1%3A crash::'
awk '/tarn: crash: signal 11/ { getline; exit !/#0 crash .*wrong.c:4$/ }' out || fail "the crash report does not begin in the program"
# A file of --resume keeps the places.
expect 77 torture --only tarn_memory_alloc --resume journal -- ./wrong crash
expect 77 torture --only tarn_memory_alloc --resume journal --sarif again -- ./wrong crash
sarif again | cmp -s - results || fail "the places are lost"
# Failures that the program does not notice are warnings.
expect 0 torture --only tarn_fill --sarif sarif --junit junit -- ./wrong
sarif sarif >results
same results successful 'unnoticed|warning|wrong|'"|"
junit junit >cases
grep -qx '2 0 0' cases || fail "a warning is a failure: $(cat cases)"
expect 77 torture --only tarn_fill --fail-on-warning -- ./wrong
expect 6 torture --only tarn_memory_alloc --error-exitcode 6 -- ./wrong crash
expect 0 torture --only tarn_memory_alloc --error-exitcode 0 -- ./wrong crash
expect 125 torture --junit absent/file -- ./wrong
says err '^tarn torture: --junit absent/file: No such file'
expect 122 torture --junit junit -- true
junit junit >cases
same cases '1 0 1' 'true|||error status'

# A sanitizer: the first frame that is not its own.
cat >freed.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <tarn/tarn.h>

int main(void) {
    tarn_device *device;
    tarn_addr block = 0;
    char *text = malloc(8);
    if (text == NULL || tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK) return 2;
    if (tarn_memory_alloc(device, 4096, &block) != TARN_OK) memset(text, 0, 9);
    (void)tarn_memory_free(block, 0);
    free(text);
    return 0;
}
END
if "${CC:-cc}" -g -fsanitize=address -fno-builtin "$work/freed.c" -I "$SRC/include" -L "$BUILD/lib" -ltarn \
    -Wl,-rpath,"$BUILD/lib" -o freed 2>cc; then
    expect 77 torture --no-check --only tarn_memory_alloc --sarif sarif -- ./freed
    sarif sarif >results
    same results successful 'sanitizer|error|freed.c|10|main'
fi

# An exception: the frame that threw, not that of libc which raised the signal.
cat >throws.cpp <<'END'
#include <stdexcept>
#include <tarn/tarn.h>

static void check(tarn_status status) {
    if (status != TARN_OK) throw std::runtime_error("no memory");
}

int main() {
    tarn_device *device;
    tarn_addr block = 0;
    check(tarn_device_open("host:0,devices=1,memory=64M", &device));
    check(tarn_memory_alloc(device, 4096, &block));
    check(tarn_memory_free(block, 0));
    check(tarn_device_close(device));
}
END
build throws.cpp "${CXX:-c++}"
expect 77 torture --only 'tarn_memory_*' --sarif sarif -- ./throws
sarif sarif >results
same results successful 'exception|error|throws.cpp|5|check(tarn_status)'

# tarn explore: the end of a seed.
cat >order.c <<'END'
#include <stdlib.h>
#include <tarn/tarn.h>

static void verify(int value) {
    if (value != 7) abort();
}

int main(void) {
    tarn_device *device;
    tarn_addr source = 0;
    tarn_stream first, second;
    void *word;
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK ||
        tarn_memory_alloc(device, 4096, &source) != TARN_OK || tarn_host_alloc(device, sizeof(int), 0, &word) != TARN_OK ||
        tarn_fill(device, source, 0, 1, 4096, TARN_STREAM_NONE) != TARN_OK ||
        tarn_stream_create(device, &first) != TARN_OK || tarn_stream_create(device, &second) != TARN_OK)
        return 2;
    (void)tarn_fill(device, source, 7, sizeof(int), 1, first);
    (void)tarn_copy(device, TARN_ADDR(word), source, sizeof(int), second);
    (void)tarn_device_synchronize(device, TARN_FOREVER);
    verify(*(int *)word);
    return 0;
}
END
build order.c "${CC:-cc}"
expect 77 explore -n 20 --sarif sarif --junit junit --annotations github -- ./order
sarif sarif >results
same results successful 'crash|error|order.c|5|verify'
junit junit >cases
grep -q '^seed [0-9]*: crash|order.c|5|failure crash$' cases || fail "no case for the crash: $(cat cases)"
says err '^::error file=order.c,line=5,title=tarn explore%3A seed [0-9]*%3A crash::'
expect 3 explore -n 20 --error-exitcode 3 -- ./order

# tarn run --fidelity: a row is a warning, with strict an error.
example=$BUILD/tests/bin/example_hip_grow
if [ -x "$example" ]; then
    expect 0 run --as hip --fidelity --sarif sarif --junit junit -- "$example"
    sarif sarif >results
    grep -q '^hip.reserve_alignment|warning|grow.c|[0-9]*|vector_open$' results || fail "no row: $(cat results)"
    junit junit >cases
    grep -q '^[0-9]* 0 0$' cases || fail "a row is a failure"
    expect 77 run --as hip --fidelity --fail-on-warning -- "$example"
    expect 8 run --as hip --fidelity=strict --error-exitcode 8 --sarif sarif -- "$example"
    sarif sarif >results
    grep -q '^hip.reserve_alignment|error|grow.c|' results || fail "no error: $(cat results)"
    expect 125 run --as hip --junit junit -- "$example"
    says err ' belong to --fidelity$'
fi
