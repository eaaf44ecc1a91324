// SPDX-License-Identifier: Apache-2.0
// NULL is freed, memory of the program is asked about, and an allocation that is too large fails.

#include "check/support/hip.h"

int main(void) {
    hipPointerAttribute_t attributes;
    void *block = NULL;
    int local = 0;
    must(hipFree(NULL));
    must(hipHostFree(NULL));
    (void)hipPointerGetAttributes(&attributes, &local);
    (void)hipMalloc(&block, (size_t)1 << 60);
    must(hipMalloc(&block, 0));
    must(hipFree(block));
    (void)hipGetLastError();
    return 0;
}
