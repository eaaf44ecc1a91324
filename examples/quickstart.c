// SPDX-License-Identifier: Apache-2.0
// The README's example: a pool on a device, a block from it, bytes in and out.
#include <stdio.h>
#include <tarn/tarn.h>

int main(void) {
    tarn_device *device;
    tarn_pool *pool;
    tarn_addr block;
    char text[6] = "";
    if (tarn_device_open("host:0", &device) != TARN_OK) return 1;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    if (tarn_pool_create(&desc, &pool) != TARN_OK) return 1;
    if (tarn_pool_alloc(pool, 1 << 20, TARN_STREAM_NONE, &block) != TARN_OK) return 1;
    bool good = tarn_copy(device, block, TARN_ADDR("hello"), 6, TARN_STREAM_NONE) == TARN_OK &&
                tarn_copy(device, TARN_ADDR(text), block, 6, TARN_STREAM_NONE) == TARN_OK;
    if (good) printf("%s from 0x%llx\n", text, (unsigned long long)block);
    tarn_pool_free(pool, block);
    tarn_pool_destroy(pool);
    return tarn_device_close(device) == TARN_OK && good ? 0 : 1;
}
