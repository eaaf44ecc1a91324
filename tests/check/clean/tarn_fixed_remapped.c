// SPDX-License-Identifier: Apache-2.0
// A pool lies in a reservation. While it has no blocks, its memory is unmapped, and mapped again later.

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    const tarn_grant all = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_device *device = open_device();
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr base = 0;
    must(tarn_space_reserve(device, PAGE, 0, 0, &base));
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = PAGE;
    must(tarn_pool_create(&desc, &pool));
    for (int i = 0; i < 3; i++) {
        tarn_phys page = 0;
        must(tarn_phys_create(device, PAGE, NULL, &page));
        must(tarn_map(base, PAGE, page));
        must(tarn_phys_release(page));
        must(tarn_map_set_access(base, PAGE, &all, 1));
        tarn_addr block = take(pool, 1000);
        must(tarn_fill(device, block, 1, 1, 1000, TARN_STREAM_NONE));
        must(tarn_pool_free(pool, block));
        must(tarn_unmap(base, PAGE, 0));
    }
    must(tarn_pool_destroy(pool));
    must(tarn_space_release(base));
    must(tarn_device_close(device));
    return 0;
}
