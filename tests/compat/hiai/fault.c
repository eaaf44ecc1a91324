// SPDX-License-Identifier: Apache-2.0
// Functions that fail because TARN_FAIL names them: the code, the last error, and no effect.
#include <stdlib.h>

#include "support/hiai.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_counts),
    };
    (void)setenv("TARN_FAIL", "HIAI_Init:1:as=HIAI_INIT_FAIL;HIAI_DMalloc:2", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
