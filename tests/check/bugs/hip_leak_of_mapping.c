// SPDX-License-Identifier: Apache-2.0
// The handle is released, and the mapping, which keeps the memory, is not undone.
// EXPECT: ERROR resource-leak: 1 reservation of 2097152 byte(s) in all
// EXPECT: ERROR resource-leak: 1 mapping of 2097152 byte(s) in all
// EXPECT: SUMMARY: 2 error(s), 0 warning(s), 2097152 byte(s) leaked in 1 region(s), 0 suppressed, 2097152 byte(s) of address space leaked

#include "check/support/hip.h"

int main(void) {
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE);
    (void)map_name(handle, PAGE);
    must(hipMemRelease(handle));
    return 0;
}
