// SPDX-License-Identifier: Apache-2.0
// Functions that fail because TARN_FAIL names them: the code, the last error, and no effect.
#include <stdlib.h>

#include "support/hiai.h"

#define FAILURES "HIAI_Init:1:as=HIAI_INIT_FAIL;HIAI_DMalloc:2;HIAIX_RegisterEngine:1"

static void each_call_counts(void **state) {
    (void)state;
    assert_int_equal(HIAI_Init(0), HIAI_INIT_FAIL); // call 1
    assert_int_equal(HIAI_Init(0), HIAI_OK);
    void *block = HIAI_DMalloc(4096, 0, MEMORY_ATTR_AUTO_FREE);
    assert_non_null(block);
    assert_null(HIAI_DMalloc(4096, 0, MEMORY_ATTR_AUTO_FREE)); // call 2
    assert_int_equal(HIAIX_GetLastError(), HIAI_MEMORY_EXHAUSTED);
    assert_int_equal(HIAI_DFree(block), HIAI_OK);
}

static HIAI_StatusT process(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)port;
    (void)arg;
    return msg != NULL ? HIAI_OK : HIAI_ERROR;
}

static HIAI_StatusT registered;

__attribute__((constructor)) static void register_as_static_objects_do(void) {
    (void)setenv("TARN_FAIL", FAILURES, 1);
    registered = HIAIX_RegisterEngine("Early", 1, 1, process, NULL);
}

static void registrations_of_static_objects_do_not_count(void **state) {
    (void)state;
    assert_int_equal(registered, HIAI_OK);
    assert_int_equal(HIAIX_RegisterEngine("Late", 1, 1, process, NULL), HIAI_MEMORY_EXHAUSTED);
    assert_int_equal(HIAIX_UnregisterEngine("Early"), HIAI_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_counts),
        cmocka_unit_test(registrations_of_static_objects_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
