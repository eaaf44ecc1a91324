// SPDX-License-Identifier: Apache-2.0
// The staging buffer of an engine is never freed.
// EXPECT: ERROR resource-leak: 1 block of pinned memory of ... byte(s) in all
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pinned_leak.c:12

#include "check/support/acl.h"

int main(void) {
    void *staging = NULL;
    open_device();
    must(aclrtMallocHost(&staging, 10000));
    memset(staging, 0, 10000);
    return 0;
}
