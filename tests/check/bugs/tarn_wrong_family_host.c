// SPDX-License-Identifier: Apache-2.0
// Pinned host memory is freed as device memory.
// EXPECT: ERROR wrong-family-free: tarn_memory_free of 0x..., which is ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    void *host = NULL;
    must(tarn_host_alloc(device, 4096, 0, &host));
    (void)tarn_memory_free(TARN_ADDR(host), 0);
    must(tarn_host_free(host));
    must(tarn_device_close(device));
    return 0;
}
