// SPDX-License-Identifier: Apache-2.0
// Stream-ordered pools: reuse within a stream and between streams, the figures of a pool, its limit, and
// what it gives back.
#include <stdint.h>
#include <string.h>

#include "support/sample.h"

#define BYTES ((size_t)1 << 20)

static uint64_t figure(aclrtMemPool pool, aclrtMemPoolAttr which) {
    uint64_t value = 0;
    must(aclrtMemPoolGetAttr(pool, which, &value));
    return value;
}

static aclrtMemPool make_pool(size_t limit) {
    aclrtMemPoolProps properties;
    aclrtMemPool pool = NULL;
    uint64_t keep = UINT64_MAX;
    memset(&properties, 0, sizeof properties);
    properties.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    properties.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;
    properties.maxSize = limit;
    must(aclrtMemPoolCreate(&pool, &properties));
    must(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &keep));
    return pool;
}

// Each round takes a block, works in it, and gives it back without waiting for the work.
static void reuse(aclrtMemPool pool, aclrtStream stream) {
    void *first = NULL, *pinned = NULL;
    must(aclrtMallocHost(&pinned, BYTES));
    for (int round = 0; round < 8; round++) {
        void *block = NULL;
        must(aclrtMemPoolMallocAsync(&block, BYTES, pool, stream));
        first = round == 0 ? block : first;
        expect(block == first); // the block that the same stream has just freed
        must(aclrtMemsetAsync(block, BYTES, round, BYTES, stream));
        must(aclrtMemcpyAsync(pinned, BYTES, block, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        must(aclrtMemPoolFreeAsync(block, stream));
        must(aclrtSynchronizeStream(stream));
        expect(((unsigned char *)pinned)[BYTES - 1] == round);
    }
    must(aclrtFreeHost(pinned));
}

// A block made in one stream, used and freed in another that waits for it.
static void hand_over(aclrtMemPool pool, aclrtStream one, aclrtStream two) {
    aclrtEvent made;
    void *block = NULL;
    unsigned char last = 0;
    must(aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC));
    must(aclrtMemPoolMallocAsync(&block, BYTES, pool, one));
    must(aclrtMemsetAsync(block, BYTES, 7, BYTES, one));
    must(aclrtRecordEvent(made, one));
    must(aclrtStreamWaitEvent(two, made));
    must(aclrtMemcpyAsync(&last, 1, (char *)block + BYTES - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST, two));
    expect(figure(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT) >= BYTES);
    must(aclrtMemPoolFreeAsync(block, two));
    must(aclrtSynchronizeStream(two));
    expect(last == 7);
    must(aclrtDestroyEvent(made));
}

static void run_full(aclrtStream stream) {
    aclrtMemPool pool = make_pool(8 * BYTES);
    void *block = NULL, *none = NULL;
    must(aclrtMemPoolMallocAsync(&block, 6 * BYTES, pool, stream));
    expect(aclrtMemPoolMallocAsync(&none, 6 * BYTES, pool, stream) ==
           ACL_ERROR_RT_MEMORY_ALLOCATION);
    must(aclrtMemPoolFreeAsync(block, stream));
    must(aclrtMemPoolMallocAsync(&block, 6 * BYTES, pool, stream));
    must(aclrtMemPoolFreeAsync(block, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtMemPoolDestroy(pool));
}

int main(void) {
    aclrtStream one, two;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&one));
    must(aclrtCreateStream(&two));
    aclrtMemPool pool = make_pool(0);
    reuse(pool, one);
    hand_over(pool, one, two);
    expect(figure(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT) == 0);
    expect(figure(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH) >= BYTES);
    expect(figure(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) >=
           BYTES); // the threshold keeps it
    must(aclrtMemPoolTrimTo(pool, 0));
    expect(figure(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    must(aclrtMemPoolDestroy(pool));
    run_full(one);
    must(aclrtDestroyStream(one));
    must(aclrtDestroyStream(two));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
