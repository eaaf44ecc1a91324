// SPDX-License-Identifier: Apache-2.0
// A cache moves to a larger reservation, and a copy still goes to the released one.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by hipMemcpy, in a mapping of 2097152 byte(s) at 0x... that was unmapped
// EXPECT:   freed by thread
// EXPECT: hipMemUnmap

#include "check/support/hip.h"

int main(void) {
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE);
    char bytes[64] = {1};
    char *old = map_name(handle, PAGE);
    end_name(old, PAGE);
    char *now = reserve(2 * PAGE);
    must(hipMemMap(now, PAGE, 0, handle, 0));
    allow(now, PAGE, hipMemAccessFlagsProtReadWrite);
    (void)hipMemcpy(old, bytes, sizeof bytes, hipMemcpyHostToDevice);
    must(hipMemUnmap(now, PAGE));
    must(hipMemAddressFree(now, 2 * PAGE));
    must(hipMemRelease(handle));
    return 0;
}
