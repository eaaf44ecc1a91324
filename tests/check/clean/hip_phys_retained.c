// SPDX-License-Identifier: Apache-2.0
// A handle is released once it is mapped, and got back by the address of its mapping.

#include "check/support/hip.h"

int main(void) {
    hipMemAllocationProp prop;
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE), again = NULL;
    char *base = reserve(2 * PAGE);
    must(hipMemMap(base, PAGE, 0, handle, 0));
    must(hipMemRelease(handle));
    must(hipMemRetainAllocationHandle(&again, base));
    must(hipMemUnmap(base, PAGE));
    must(hipMemGetAllocationPropertiesFromHandle(&prop, again));
    must(hipMemMap(base + PAGE, PAGE, 0, again, 0));
    must(hipMemRelease(again));
    must(hipMemUnmap(base + PAGE, PAGE));
    must(hipMemAddressFree(base, 2 * PAGE));
    return 0;
}
