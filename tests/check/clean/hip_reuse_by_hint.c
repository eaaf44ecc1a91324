// SPDX-License-Identifier: Apache-2.0
// A cache that grows releases its reservation and asks for twice as much at the same place. The base
// pointer that it has kept is valid again.

#include "check/support/hip.h"

int main(void) {
    hipMemGenericAllocationHandle_t handle = make_handle(PAGE);
    char *base = NULL;
    char byte = 0;
    for (size_t pages = 1; pages <= 8; pages *= 2) {
        void *now = NULL;
        must(hipMemAddressReserve(&now, pages * PAGE, 0, base, 0));
        if (base != NULL && now != base) return 1;
        base = now;
        must(hipMemMap(base, PAGE, 0, handle, 0));
        allow(base, PAGE, hipMemAccessFlagsProtReadWrite);
        must(hipMemset(base, (int)pages, PAGE));
        must(hipMemcpy(&byte, base, 1, hipMemcpyDeviceToHost));
        if (byte != (char)pages) return 1;
        must(hipMemUnmap(base, PAGE));
        must(hipMemAddressFree(base, pages * PAGE));
    }
    must(hipMemRelease(handle));
    return 0;
}
