/* SPDX-License-Identifier: Apache-2.0 */
/* What programs that annotate memory of AscendCL by MSTX have in common. */
#ifndef CHECK_SUPPORT_ACL_MSTX_H
#define CHECK_SUPPORT_ACL_MSTX_H

#include <acl/acl.h>

#include "check/support/mstx.h"

#define must(call) must_be((call), #call)

UNUSED static void must_be(aclError error, const char *call) {
    if (error != ACL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", call, error);
        exit(2);
    }
}

UNUSED static char *begin_acl(size_t bytes) {
    void *memory = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return (char *)memory;
}

UNUSED static void end_acl(void *memory) {
    must(aclrtFree(memory));
    must(aclrtResetDevice(0));
    must(aclFinalize());
}

#endif
