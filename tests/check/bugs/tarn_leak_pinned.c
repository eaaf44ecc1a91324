// SPDX-License-Identifier: Apache-2.0
// Pinned host memory is never freed.
// EXPECT: ERROR resource-leak: 1 ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    void *host = NULL;
    must(tarn_host_alloc(device, 4096, 0, &host));
    return 0;
    must(tarn_device_close(device));
    return 0;
}
