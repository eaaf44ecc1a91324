// SPDX-License-Identifier: Apache-2.0
// What a caching allocator of a framework says: heaps that are statistics, fields
// that are garbage, domains made at each call.

#include "check/support/mstx.h"

int main(void) {

    for (unsigned i = 0; i < 8; i++) {
        mstxMemVirtualRangeDesc_t part = {DEVICE, range + 512 * i, 512};
        mstxMemHeapDesc_t desc = {(mstxMemHeapUsageType)0x55aa, (mstxMemType)0x77, &part};
        mstxMemRegionsRegisterBatch_t batch = {(mstxMemHeapHandle_t)(void *)0x1234, (mstxMemType)9,
                                               1, &part, (mstxMemRegionHandle_t *)(void *)0x10};
        part.size = RANGE;
        (void)mstxMemHeapRegister(mstxDomainCreateA("ptaCaching"), &desc);
        part.size = 512;
        mstxMemRegionsRegister(mstxDomainCreateA("ptaCaching"), &batch);
    }
    for (unsigned i = 0; i < 8; i++) end_pointer(mstxDomainCreateA("ptaCaching"), range + 512 * i);
    return 0;
}
