// SPDX-License-Identifier: Apache-2.0
// Plain and pinned memory, copied to and fro.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    static char from[4096];
    tarn_addr addr = 0;
    void *host = NULL;
    must(tarn_memory_alloc(device, sizeof from, &addr));
    must(tarn_host_alloc(device, sizeof from, 0, &host));
    must(tarn_copy(device, addr, TARN_ADDR(from), sizeof from, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(host), addr, sizeof from, TARN_STREAM_NONE));
    must(tarn_host_free(host));
    must(tarn_memory_free(addr, 0));
    must(tarn_device_close(device));
    return 0;
}
