// SPDX-License-Identifier: Apache-2.0
// Claims about quirks (docs/quirks.md) as AscendCL programs see them: pinned memory that the program
// must align itself.
#include <stdlib.h>

#include "support/acl.h"

static int quirk_setup(void **state) {
    const char *quirks = "align-64";
    return setenv("TARN_QUIRK", quirks, 1) != 0 || acl_group_setup(state) != 0;
}

static void host_memory_is_aligned_to_64_bytes_only(void **state) {
    char *block = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHost((void **)&block, 1000 + 64));
    assert_int_equal((uintptr_t)block % 64, 0);
    assert_int_not_equal((uintptr_t)block % 128, 0);
    char *aligned = (char *)(((uintptr_t)block + 127) & ~(uintptr_t)127); // by the program itself
    memset(aligned, 1, 1000);
    assert_acl_ok(aclrtFreeHost(block));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(host_memory_is_aligned_to_64_bytes_only),
    };
    return cmocka_run_group_tests(tests, quirk_setup, NULL);
}
