/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that annotate memory of AscendCL by MSTX. */
#pragma once

#include "check/support/acl.h"
#include "check/support/mstx.h"

UNUSED static char *begin_acl(size_t bytes) {
    open_device();
    return take(bytes);
}

UNUSED static void end_acl(void *memory) {
    must(aclrtFree(memory));
    close_device();
}
