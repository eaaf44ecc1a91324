// SPDX-License-Identifier: Apache-2.0
// Blocks: parcels of the process' arena. Media blocks are told from others by their tag; it is
// looked up only where media blocks were ever given out.
#include <stdatomic.h>

#include "compat/hiai/face.h"

enum { PLAIN_TAG = 0, MEDIA_TAG = 1 };

static _Atomic(bool) media_seen;

// ---- allocating

static HIAI_StatusT read_flag(uint32_t flag, tarn_parcel_policy *policy) {
    switch (flag) {
    case MEMORY_ATTR_NONE:
    case MEMORY_ATTR_AUTO_FREE:
        *policy = TARN_PARCEL_AUTO;
        return HIAI_OK;
    case MEMORY_ATTR_MANUAL_FREE:
        *policy = TARN_PARCEL_MANUAL;
        return HIAI_OK;
    default:
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "flag 0x%x: 0, 2 or 4", flag);
    }
}

static HIAI_StatusT check_size(uint32_t size) {
    if (size == 0) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "a block of 0 bytes");
    }
    if (size > tn_hiai_largest()) {
        return tn_hiai_fail(HIAI_GRAPH_MALLOC_LARGER, "a block of %u bytes, at most %u", size,
                            tn_hiai_largest());
    }
    if (size > tn_hiai_face.pool_bytes) {
        return tn_hiai_fail(HIAI_GRAPH_NO_MEMORY, "a block of %u bytes from a pool of %llu", size,
                            (unsigned long long)tn_hiai_face.pool_bytes);
    }
    return HIAI_OK;
}

static HIAI_StatusT alloc(const tarn_parcel_request *request, void **block) {
    switch (tarn_parcel_alloc_with(tn_hiai_arena(), request, block)) {
    case TARN_OK:
        return HIAI_OK;
    case TARN_NO_HOST_MEMORY:
        return tn_hiai_fail_tarn(HIAI_MEMORY_EXHAUSTED);
    default:
        return tn_hiai_fail_tarn(HIAI_GRAPH_NO_MEMORY);
    }
}

void *HIAI_DMalloc(const uint32_t dataSize, const uint32_t timeOut, uint32_t flag) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    void *block = NULL;
    HIAI_StatusT status = tn_hiai_ready();
    if (status == HIAI_OK) {
        status = read_flag(flag, &request.policy);
    }
    if (status == HIAI_OK) {
        status = check_size(dataSize);
    }
    if (status == HIAI_OK) {
        request.bytes = dataSize;
        request.timeout_ns = tn_hiai_ns(timeOut);
        request.tag = PLAIN_TAG;
        status = alloc(&request, &block);
    }
    (void)tn_hiai_leave(status, __func__);
    return block;
}

void *HIAI_DVPP_DMalloc(const uint32_t dataSize) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    void *block = NULL;
    HIAI_StatusT status = tn_hiai_ready();
    if (status == HIAI_OK) {
        status = tn_hiai_need_device(__func__);
    }
    if (status == HIAI_OK && dataSize > TN_HIAI_BLOCK - TN_HIAI_SPARE) {
        status = tn_hiai_fail(HIAI_GRAPH_MALLOC_LARGER, "a media block of %u bytes, at most %u",
                              dataSize, TN_HIAI_BLOCK - TN_HIAI_SPARE);
    }
    if (status == HIAI_OK) {
        status = check_size(dataSize);
    }
    if (status == HIAI_OK) {
        request.bytes = dataSize;
        request.policy = TARN_PARCEL_MANUAL;
        request.tag = MEDIA_TAG;
        atomic_store_explicit(&media_seen, true, memory_order_relaxed);
        status = alloc(&request, &block);
    }
    (void)tn_hiai_leave(status, __func__);
    return block;
}

// ---- freeing

// What a free that was refused was given.
static HIAI_StatusT refuse_free(const void *block) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (tarn_parcel_query(tn_hiai_arena(), block, &info) == TARN_OK && info.start != block) {
        return tn_hiai_fail(HIAI_GRAPH_RELEASE_WRONG_ADDR, "%p lies inside the block at %p", block,
                            info.start);
    }
    return tn_hiai_fail(HIAI_GRAPH_NOT_FOND_MEMORY,
                        "%p is no block: never allocated, freed already, or AUTO and sent", block);
}

// Is it of that kind? What is no block is for the free to refuse.
static HIAI_StatusT check_kind(const void *block, uint32_t tag) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    bool may_differ = tag == MEDIA_TAG || atomic_load_explicit(&media_seen, memory_order_relaxed);
    if (may_differ && tarn_parcel_query(tn_hiai_arena(), block, &info) == TARN_OK &&
        info.start == block && info.tag != tag) {
        return tn_hiai_fail(HIAI_GRAPH_WRONG_MEMORY_TYPE, "%p is %s media block", block,
                            tag == MEDIA_TAG ? "no" : "a");
    }
    return HIAI_OK;
}

static HIAI_StatusT free_block(void *block, uint32_t tag) {
    if (block == NULL) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "dataBuffer is NULL");
    }
    HIAI_StatusT status = check_kind(block, tag);
    if (status == HIAI_OK && tarn_parcel_free(tn_hiai_arena(), block) != TARN_OK) {
        status = refuse_free(block);
    }
    return status;
}

HIAI_StatusT HIAI_DFree(void *dataBuffer) {
    HIAI_StatusT status = tn_hiai_ready();
    if (status == HIAI_OK) {
        status = free_block(dataBuffer, PLAIN_TAG);
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAI_DVPP_DFree(void *dataBuffer) {
    HIAI_StatusT status = tn_hiai_ready();
    if (status == HIAI_OK) {
        status = tn_hiai_need_device(__func__);
    }
    if (status == HIAI_OK) {
        status = free_block(dataBuffer, MEDIA_TAG);
    }
    return tn_hiai_leave(status, __func__);
}

// ---- looking

// A block that may be read here.
static bool find(const void *address, tarn_parcel_info *info) {
    return tn_hiai_arena() != NULL && address != NULL &&
           tarn_parcel_query(tn_hiai_arena(), address, info) == TARN_OK &&
           info->state != TARN_PARCEL_SENT;
}

int HIAIX_IsDMalloc(const void *p, uint32_t size) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (!find(p, &info)) {
        return 0;
    }
    uint64_t before = (uint64_t)((const char *)p - (const char *)info.start);
    return (size != 0 ? size : 1) <= info.bytes - before;
}

uint32_t HIAIX_BlockSize(const void *blockStart) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    return find(blockStart, &info) && info.start == blockStart ? (uint32_t)info.bytes : 0;
}
