// SPDX-License-Identifier: Apache-2.0
// The calls of NVTX's memory extension, byte for byte, as an injection library records them
// (standin/nvtx): pools in device memory are reported, and nothing else.
#include "annotate/annotate.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void emit(unsigned kind, uint32_t flags, int device, uint64_t addr, uint64_t bytes,
                 const char *name) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .flags = flags,
                                              .device = device, .addr = addr, .bytes = bytes,
                                              .other = bytes, .name = name));
}

static const char *written(void) {
    void *library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY);
    assert_non_null(library);
    void *symbol = dlsym(library, "nvtx_written");
    const char *(*ask)(void) = NULL;
    memcpy(&ask, &symbol, sizeof ask);
    return ask();
}

static void pools_of_a_card_are_reported(void **state) {
    (void)state;
    emit(TN_MEM_HEAP_BEGIN, TN_MEM_WHOLE, 0, 0x7000000, 4096, "weights");
    emit(TN_MEM_REGION_BEGIN, 0, 0, 0x7000100, 100, NULL);
    emit(TN_MEM_REGION_RESIZE, 0, 0, 0x7000100, 200, NULL);
    emit(TN_MEM_REGION_END, 0, 0, 0x7000100, 256, NULL);
    emit(TN_MEM_REGION_BEGIN, 0, 0, 0x8000000, 100, NULL); // in no heap
    emit(TN_MEM_HEAP_END, TN_MEM_WHOLE, 0, 0x7000000, 4096, NULL);
    assert_string_equal(
        written(),
        "module 1 compat 102 of NVTX 3, 20 slots\n"
        "heap compat 102 size 48 usage 1 type 1 bytes 4096 at 7000000 name weights domain (nil)\n"
        "regions compat 102 size 48 type 1 heap 7000000 count 1 each 16: 100 at 7000100\n"
        "regions end compat 102 size 32 by 1 count 1 each 8: 7000100\n"
        "regions compat 102 size 48 type 1 heap 7000000 count 1 each 16: 200 at 7000100\n"
        "regions end compat 102 size 32 by 1 count 1 each 8: 7000100\n"
        "heap end 7000000\n");
}

static void what_is_not_a_cards_is_not_reported(void **state) {
    (void)state;
    size_t before = strlen(written());
    const uint32_t flags[] = {TN_MEM_HOST_CAN, TN_MEM_NUMBERS};
    for (int i = 0; i < 2; i++) {
        emit(TN_MEM_HEAP_BEGIN, TN_MEM_WHOLE | flags[i], 0, 1 << 20, 4096, NULL);
        emit(TN_MEM_REGION_BEGIN, flags[i], 0, 1 << 20, 100, NULL);
        emit(TN_MEM_REGION_END, flags[i], 0, 1 << 20, 100, NULL);
        emit(TN_MEM_HEAP_END, TN_MEM_WHOLE | flags[i], 0, 1 << 20, 4096, NULL);
    }
    emit(TN_MEM_HEAP_BEGIN, 0, 0, 1 << 20, 4096, NULL); // pages come later
    emit(TN_MEM_HEAP_BEGIN, TN_MEM_WHOLE, -1, 1 << 20, 4096, NULL);
    emit(TN_MEM_MARK, 0, 0, 0, 0, "step");
    assert_int_equal(strlen(written()), before);
}

int main(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/standin_nvtx.so", getenv("MODULES"));
    if (setenv("NVTX_INJECTION64_PATH", path, 1) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_of_a_card_are_reported),
        cmocka_unit_test(what_is_not_a_cards_is_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
