// SPDX-License-Identifier: Apache-2.0
// Memory of the program is registered once and unregistered twice.
// EXPECT: ERROR double-free: aclrtHostUnregister of 0x... again, a registration of host memory of 8192 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_unregister_twice.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_unregister_twice.c:17
// EXPECT:   first freed by thread
// EXPECT:     ... main .../acl_unregister_twice.c:18

#include "check/support/acl.h"

int main(void) {
    static _Alignas(4096) char buffer[8192];
    void *device = NULL;
    open_device();
    must(aclrtHostRegister(buffer, sizeof buffer, ACL_HOST_REGISTER_MAPPED, &device));
    must(aclrtHostUnregister(buffer));
    (void)aclrtHostUnregister(buffer);
    close_device();
    return 0;
}
