// SPDX-License-Identifier: Apache-2.0
// Blocks: parcels of the process' arena. Media blocks have a separate tag, which a free looks up
// only if media blocks were ever allocated. Any thread may call.
#include <stdatomic.h>

#include "compat/face/fidelity.h"

#include "compat/hiai/face.h"

enum { PLAIN_TAG = 0, MEDIA_TAG = 1 };

static _Atomic(bool) media_seen;

// ---- allocating

static HIAI_StatusT alloc_block(const tarn_parcel_request *request, void **block) {
    uint64_t bytes = request->bytes;
    TN_HIAI_REFUSE(bytes == 0, HIAI_GRAPH_INVALID_VALUE, "a block of 0 bytes");
    TN_HIAI_REFUSE(bytes > tn_hiai_largest(), HIAI_GRAPH_MALLOC_LARGER,
                   "a block of %llu bytes, at most %u", (unsigned long long)bytes,
                   tn_hiai_largest());
    TN_HIAI_REFUSE(bytes > tn_hiai_face.pool_bytes, HIAI_GRAPH_NO_MEMORY,
                   "a block of %llu bytes from a pool of %llu", (unsigned long long)bytes,
                   (unsigned long long)tn_hiai_face.pool_bytes);
    switch (tarn_parcel_alloc_with(tn_hiai_arena(), request, block)) {
    case TARN_OK: return HIAI_OK;
    case TARN_NO_HOST_MEMORY: return tn_hiai_fail_tarn(HIAI_MEMORY_EXHAUSTED);
    default: return tn_hiai_fail_tarn(HIAI_GRAPH_NO_MEMORY);
    }
}

static HIAI_StatusT alloc_plain(uint32_t bytes, uint32_t ms, uint32_t flag, void **block) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    TN_HIAI_TRY(tn_hiai_ready());
    TN_HIAI_REFUSE(flag != MEMORY_ATTR_NONE && flag != MEMORY_ATTR_AUTO_FREE &&
                       flag != MEMORY_ATTR_MANUAL_FREE,
                   HIAI_GRAPH_INVALID_VALUE, "flag is 0x%x, allowed are 0, 2 and 4", flag);
    if (flag == MEMORY_ATTR_MANUAL_FREE) request.policy = TARN_PARCEL_MANUAL;
    TN_FACE_DIFFERS(alloc_flags, flag == MEMORY_ATTR_NONE);
    TN_FACE_DIFFERS(alloc_timeout, ms == 0 || ms == UINT32_MAX);
    TN_FACE_DIFFERS(alloc_small, bytes < 256u << 10);
    request.bytes = bytes;
    request.timeout_ns = tn_hiai_ns(ms);
    request.tag = PLAIN_TAG;
    return alloc_block(&request, block);
}

void *HIAI_DMalloc(const uint32_t dataSize, const uint32_t timeOut, uint32_t flag) {
    TN_FACE_GIVEN(TN_FACE_WORD(dataSize))
    TN_HIAI_POINT(NULL);
    void *block = NULL;
    (void)tn_hiai_leave(alloc_plain(dataSize, timeOut, flag, &block), __func__);
    return block;
}

static HIAI_StatusT alloc_media(uint32_t bytes, const char *function, void **block) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    TN_HIAI_TRY(tn_hiai_ready());
    TN_HIAI_TRY(tn_hiai_need_device(function));
    TN_HIAI_REFUSE(bytes > TN_HIAI_BLOCK - TN_HIAI_SPARE, HIAI_GRAPH_MALLOC_LARGER,
                   "a media block of %u bytes, at most %u", bytes, TN_HIAI_BLOCK - TN_HIAI_SPARE);
    request.bytes = bytes;
    request.policy = TARN_PARCEL_MANUAL;
    request.tag = MEDIA_TAG;
    atomic_store_explicit(&media_seen, true, memory_order_relaxed);
    return alloc_block(&request, block);
}

void *HIAI_DVPP_DMalloc(const uint32_t dataSize) {
    TN_FACE_GIVEN(TN_FACE_WORD(dataSize))
    TN_HIAI_POINT(NULL);
    void *block = NULL;
    (void)tn_hiai_leave(alloc_media(dataSize, __func__, &block), __func__);
    return block;
}

// ---- freeing

static HIAI_StatusT free_block(void *block, uint32_t tag, const char *function) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    TN_HIAI_TRY(tn_hiai_ready());
    if (tag == MEDIA_TAG) TN_HIAI_TRY(tn_hiai_need_device(function));
    TN_HIAI_REFUSE(block == NULL, HIAI_GRAPH_INVALID_VALUE, "dataBuffer is NULL");
    bool may_differ = tag == MEDIA_TAG || atomic_load_explicit(&media_seen, memory_order_relaxed);
    if (may_differ && tarn_parcel_query(tn_hiai_arena(), block, &info) == TARN_OK &&
        info.start == block && info.tag != tag) {
        tarn_annotate_refused("a free by HIAI", (tarn_addr)(uintptr_t)block);
        return tn_hiai_fail(HIAI_GRAPH_WRONG_MEMORY_TYPE, "%p is %s media block", block,
                            tag == MEDIA_TAG ? "not a" : "a");
    }
    if (tarn_parcel_free(tn_hiai_arena(), block) == TARN_OK) return HIAI_OK;
    TN_HIAI_REFUSE(
        tarn_parcel_query(tn_hiai_arena(), block, &info) == TARN_OK && info.start != block,
        HIAI_GRAPH_RELEASE_WRONG_ADDR, "%p lies inside the block at %p", block, info.start);
    return tn_hiai_fail(HIAI_GRAPH_NOT_FOND_MEMORY,
                        "%p is not a block: never allocated, freed already, or AUTO and sent",
                        block);
}

HIAI_StatusT HIAI_DFree(void *dataBuffer) {
    TN_FACE_GIVEN(TN_FACE_WORD(dataBuffer))
    return TN_HIAI_CALL(free_block(dataBuffer, PLAIN_TAG, __func__));
}

HIAI_StatusT HIAI_DVPP_DFree(void *dataBuffer) {
    TN_FACE_GIVEN(TN_FACE_WORD(dataBuffer))
    return TN_HIAI_CALL(free_block(dataBuffer, MEDIA_TAG, __func__));
}

// ---- queries

// Finds the block that contains the address. Returns false unless this process may read it.
static bool find_readable_block(const void *address, tarn_parcel_info *info) {
    return tn_hiai_arena() != NULL && address != NULL &&
           tarn_parcel_query(tn_hiai_arena(), address, info) == TARN_OK &&
           info->state != TARN_PARCEL_SENT;
}

int HIAIX_IsDMalloc(const void *p, uint32_t size) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (!find_readable_block(p, &info)) return 0;
    uint64_t before = (uint64_t)((const char *)p - (const char *)info.start);
    return (size != 0 ? size : 1) <= info.bytes - before;
}

uint32_t HIAIX_BlockSize(const void *blockStart) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    return find_readable_block(blockStart, &info) && info.start == blockStart ? (uint32_t)info.bytes
                                                                              : 0;
}
