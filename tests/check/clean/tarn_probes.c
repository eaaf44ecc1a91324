// SPDX-License-Identifier: Apache-2.0
// A program asks about addresses, handles and limits, and is refused for wrong arguments. It makes
// no mistake that concerns memory.

#include "check/support/tarn.h"

enum { BYTES = 4096 };

static void refused(tarn_status status) {
    if (status == TARN_OK) exit(1);
}

int main(void) {
    tarn_device *device = open_device();
    tarn_address_info info = TARN_INIT(tarn_address_info);
    static char host[BYTES];
    tarn_addr block = 0;
    must(tarn_memory_alloc(device, BYTES, &block));
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_address_query(block, &info));
    must(tarn_address_query(block + BYTES / 2, &info));
    must(tarn_address_query(TARN_ADDR(host), &info));
    refused(tarn_fill(device, 0, 1, 1, BYTES, TARN_STREAM_NONE));
    refused(tarn_fill(device, block, 1, 3, 1, TARN_STREAM_NONE));
    refused(tarn_copy(device, block, block + 8, 64, TARN_STREAM_NONE));
    refused(tarn_copy(NULL, block, TARN_ADDR(host), 64, TARN_STREAM_NONE));
    refused(tarn_memory_alloc(device, 0, &block));
    refused(tarn_stream_synchronize(0x1234, TARN_FOREVER)); // was never a stream
    must(tarn_free(0, 0));
    must(tarn_memory_free(block, 0));
    must(tarn_address_query(block, &info)); // asks, and touches nothing
    must(tarn_device_close(device));
    return 0;
}
