/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that use AscendCL: a device, streams and memory. A call that must succeed,
 * and does not, ends the program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acl/acl.h>

#define UNUSED     __attribute__((unused))
#define must(call) must_be((call), #call)

UNUSED static void must_be(aclError error, const char *call) {
    if (error != ACL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", call, (int)error);
        exit(2);
    }
}

UNUSED static void open_device(void) {
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
}

UNUSED static void close_device(void) {
    must(aclrtResetDevice(0));
    must(aclFinalize());
}

UNUSED static char *take(size_t bytes) {
    void *memory = NULL;
    must(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return (char *)memory;
}

UNUSED static aclrtStream make_stream(void) {
    aclrtStream stream = NULL;
    must(aclrtCreateStream(&stream));
    return stream;
}
