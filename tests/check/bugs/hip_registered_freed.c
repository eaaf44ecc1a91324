// SPDX-License-Identifier: Apache-2.0
// Memory of malloc() is freed while it is registered.
// EXPECT: ERROR free-while-registered: free of 0x..., where 8192 byte(s) at 0x... are still registered
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_registered_freed.c:
// EXPECT:   registered by thread
// EXPECT:     ... hipHostRegister

#include <stdint.h>

#include "check/support/hip.h"

int main(void) {
    void *memory = malloc(8192);
    must(hipHostRegister(memory, 8192, hipHostRegisterDefault));
    uintptr_t address = (uintptr_t)memory;
    free(memory);
    must(hipHostUnregister((void *)address));
    return 0;
}
