// SPDX-License-Identifier: Apache-2.0
// See acl.h.
#include "support/acl.h"

#include "support/child.h"

void acl_assert_code(aclError got, aclError want, const char *expression, const char *file,
                     int line) {
    if (got == want) return;
    const char *why = aclGetRecentErrMsg();
    print_error("%s\n  gave %d (%s)\n  expected %d\n", expression, got, why != NULL ? why : "",
                want);
    _fail(file, line);
}

void acl_in_child(void (*body)(void *arg), void *arg, ...) {
    va_list pairs;
    va_start(pairs, arg);
    child_run(body, arg, pairs);
    va_end(pairs);
}

size_t acl_free_bytes(void) {
    size_t left = 0;
    size_t all = 0;
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM, &left, &all));
    return left;
}

size_t acl_effective_bytes(void *ptr) {
    void *base = NULL;
    size_t size = 0;
    assert_acl_ok(aclrtMemGetAddressRange(ptr, &base, &size));
    assert_ptr_equal(base, ptr);
    return size;
}

int acl_group_setup(void **state) {
    static const char *const foreign[] = {
        "TARN_ACL_GENERATION",   "TARN_ACL_MODE",   "TARN_ACL_PADDING",
        "TARN_ACL_STRICT",       "TARN_ACL_POISON", "TARN_ACL_LOG",
        "TARN_ACL_FAULT_REPORT", "TARN_HOST",       "TARN_DEVICE"};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (unsetenv(foreign[i]) != 0) return -1;
    return setenv("TARN_ACL_DEVICE", "host:0,devices=2,memory=1G,access=strict", 1);
}

int acl_use_device(void **state) {
    (void)state;
    return aclrtSetDevice(0);
}

int acl_leave_device(void **state) {
    (void)state;
    return aclrtResetDevice(0);
}
