// SPDX-License-Identifier: Apache-2.0
// Two layers of a program describe the same memory in domains of their own: the allocator its blocks, the
// framework the tensors in them.
#include "check/support/mstx.h"

int main(void) {
    mstxDomainHandle_t allocator = mstxDomainCreateA("allocator"),
                       framework = mstxDomainCreateA("framework");
    mstxMemRegionHandle_t block = region(allocator, NULL, range, 4096);
    mstxMemRegionHandle_t tensors[2] = {region(framework, NULL, range, 1000),
                                        region(framework, NULL, range + 1024, 1000)};
    for (int i = 0; i < 2; i++) end_handle(framework, tensors[i]);
    end_handle(allocator, block);
    return 0;
}
