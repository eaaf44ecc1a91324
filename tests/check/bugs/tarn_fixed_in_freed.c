// SPDX-License-Identifier: Apache-2.0
// FIXED pools are created over memory that was freed before, of a device and of a simulated one.
// EXPECT: ERROR heap-in-free-memory: heap H1 [0x...) lies in a block of device memory of 4194304 byte(s) that was freed
// EXPECT:     ... main .../tarn_fixed_in_freed.c:
// EXPECT:   freed by thread
// EXPECT: ERROR heap-in-free-memory: heap H2 [0x...) lies in a block of device memory of 4194304 byte(s) that was freed

#include "check/support/tarn.h"

enum { BYTES = 4 << 20 };

static tarn_pool *make_fixed(tarn_addr base, uint64_t bytes) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = bytes;
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

static void use_freed(const char *name) {
    tarn_device *device = NULL;
    tarn_addr memory = 0;
    must(tarn_device_open(name, &device));
    must(tarn_memory_alloc(device, BYTES, &memory));
    must(tarn_memory_free(memory, 0));
    end_pool(device, make_fixed(memory, BYTES));
}

int main(void) {
    use_freed("host:0,memory=256M");
    use_freed("sim:0");
    return 0;
}
