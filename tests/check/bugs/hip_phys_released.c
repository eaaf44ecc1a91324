// SPDX-License-Identifier: Apache-2.0
// A handle is released too early: the mapping and the query of its properties come later.
// EXPECT: ERROR bad-handle: hipMemMap with 0x..., which was released
// EXPECT:     ... main .../hip_phys_released.c:
// EXPECT:   freed by thread
// EXPECT: ERROR bad-handle: hipMemGetAllocationPropertiesFromHandle with 0x..., which was released

#include "check/support/hip.h"

int main(void) {
    hipMemAllocationProp prop;
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE);
    char *base = reserve(PAGE);
    must(hipMemRelease(handle));
    (void)hipMemMap(base, PAGE, 0, handle, 0);
    (void)hipMemGetAllocationPropertiesFromHandle(&prop, handle);
    must(hipMemAddressFree(base, PAGE));
    return 0;
}
