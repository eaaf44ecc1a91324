// SPDX-License-Identifier: Apache-2.0
// A block of a pool is freed while another stream, of which the pool does not know, still reads it. The
// next block lies at the same address.
#include "planted.h"

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_stream owner = new_stream(), reader = new_stream();
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr first = 0, second = 0;
    unsigned *word = new_word();
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    must(tarn_pool_create(&desc, &pool));
    must(tarn_pool_alloc(pool, 1 << 20, owner, &first));
    must(tarn_fill(device, first, 1, 1, 1 << 20, owner));
    order(owner, reader);
    must(tarn_copy(device, TARN_ADDR(word), first, 1, reader));
    if (right) must(tarn_pool_used_on(pool, first, reader));
    must(tarn_pool_free(pool, first));
    must(tarn_pool_alloc(pool, 1 << 20, owner, &second));
    must(tarn_fill(device, second, 2, 1, 1 << 20, owner));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    return ends(*word == 1);
}
