// SPDX-License-Identifier: Apache-2.0
// See bytes.h.
#include "support/bytes.h"

unsigned char *device_bytes(size_t size, int byte) {
    void *ptr = NULL;
    unsigned char *bytes = pageable_bytes(size, byte);
    assert_acl_ok(aclrtMalloc(&ptr, size, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMemcpy(ptr, size, bytes, size, ACL_MEMCPY_HOST_TO_DEVICE));
    free(bytes);
    return ptr;
}

unsigned char *pinned_bytes(size_t size, int byte) {
    void *ptr = NULL;
    assert_acl_ok(aclrtMallocHost(&ptr, size));
    memset(ptr, byte, size);
    return ptr;
}

unsigned char *pageable_bytes(size_t size, int byte) {
    unsigned char *ptr = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(ptr);
    memset(ptr, byte, size);
    return ptr;
}

void assert_bytes(const void *ptr, size_t size, int byte) {
    unsigned char *bytes = pageable_bytes(size, ~byte);
    assert_acl_ok(aclrtMemcpy(bytes, size, ptr, size, ACL_MEMCPY_DEFAULT));
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != (unsigned char)byte)
            fail_msg("byte %zu is 0x%x, not 0x%x", i, bytes[i], (unsigned char)byte);
    free(bytes);
}
