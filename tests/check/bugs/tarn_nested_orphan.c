// SPDX-License-Identifier: Apache-2.0
// A block of a pool is freed while an arena inside it is alive.
// EXPECT: ERROR nested-heap-orphaned: region R1 ends with live heap H2 [0x...,0x...) in it
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:23
// EXPECT: ERROR double-heap-unregister: heap H2 [0x...,0x...) ended again; it ended by thread ..., with the region around it
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:26
// EXPECT:   first freed by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../tarn_nested_orphan.c:24

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 65536);
    must(tarn_annotate_heap_begin(block, 65536, "arena"));
    must(tarn_pool_free(pool, block));
    (void)tarn_annotate_heap_end(block);
    end_pool(device, pool);
    return 0;
}
