// SPDX-License-Identifier: Apache-2.0
// Memory of the program is freed while it is registered with AscendCL.
// EXPECT: ERROR free-while-registered: free of 0x..., where 8192 byte(s) at 0x... are still registered
// EXPECT:     ... main .../acl_registered_freed.c:

#include <stdint.h>

#include "check/support/acl.h"

int main(void) {
    void *memory = aligned_alloc(4096, 8192), *on_device = NULL;
    open_device();
    must(aclrtHostRegister(memory, 8192, ACL_HOST_REGISTER_MAPPED, &on_device));
    uintptr_t address = (uintptr_t)memory;
    free(memory);
    must(aclrtHostUnregister((void *)address));
    close_device();
    return 0;
}
