// SPDX-License-Identifier: Apache-2.0
// hipMemSetAccess() names addresses that were released.
// EXPECT: ERROR use-after-free: change of rights of ... byte(s) at 0x... by hipMemSetAccess, in a reservation of ... byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: hip_rights_of_freed.c:32
// EXPECT:   allocated by thread
// EXPECT: hipMemAddressReserve
// EXPECT:   freed by thread
// EXPECT: hipMemAddressFree

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

enum { BYTES = 2 << 20 };

int main(void) {
    const hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    void *space = NULL;
    must(hipMemAddressReserve(&space, BYTES, 0, NULL, 0));
    must(hipMemAddressFree(space, BYTES));
    if (hipMemSetAccess(space, BYTES, &desc, 1) == hipSuccess) return 1;
    return 0;
}
