// SPDX-License-Identifier: Apache-2.0
// A pool over a block of another.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_pool *outer = make_pool(device, TARN_POOL_EXPANDABLE), *inner = NULL;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_FIXED;
    desc.base = take(outer, 1 << 20);
    desc.bytes = 1 << 20;
    must(tarn_pool_create(&desc, &inner));
    tarn_addr block = take(inner, 1000);
    must(tarn_fill(device, block, 0, 1, 1000, TARN_STREAM_NONE));
    must(tarn_pool_free(inner, block));
    must(tarn_pool_destroy(inner));
    must(tarn_pool_free(outer, desc.base));
    must(tarn_pool_destroy(outer));
    must(tarn_device_close(device));
    return 0;
}
