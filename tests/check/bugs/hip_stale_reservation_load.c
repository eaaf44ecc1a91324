// SPDX-License-Identifier: Apache-2.0
// The CPU reads through a pointer into a released reservation, whose size the next one has.
// EXPECT: ERROR use-after-free: read at 0x... by the CPU, instruction 0x..., in a mapping of 2097152 byte(s) at 0x... that was unmapped

#include "check/support/hip.h"

int main(void) {
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE);
    char *old = map_name(handle, PAGE);
    must(hipMemset(old, 1, PAGE));
    must(hipDeviceSynchronize());
    end_name(old, PAGE);
    char *now = map_name(handle, PAGE);
    int sum = *(volatile char *)now + *(volatile char *)old;
    end_name(now, PAGE);
    must(hipMemRelease(handle));
    return sum == 3;
}
