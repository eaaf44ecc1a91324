// SPDX-License-Identifier: Apache-2.0
// See chunks.h.
#include "support/chunks.h"

static void map_chunk(char *at, const struct chunk *chunk) {
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, chunk->owner}};
    hipMemAccessDesc grant = {{hipMemLocationTypeDevice, chunk->grantee}, chunk->flags};
    hipMemGenericAllocationHandle_t handle = NULL;
    assert_hip_ok(hipMemCreate(&handle, CHUNK_BYTES, &prop, 0));
    assert_hip_ok(hipMemMap(at, CHUNK_BYTES, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    if (chunk->grantee >= 0) assert_hip_ok(hipMemSetAccess(at, CHUNK_BYTES, &grant, 1));
}

struct chunks chunks_make(size_t count, const struct chunk *each) {
    struct chunks chunks = {.count = count};
    void *base = NULL;
    assert_true(count <= CHUNKS_MAX);
    memcpy(chunks.each, each, count * sizeof *each);
    assert_hip_ok(hipMemAddressReserve(&base, count * CHUNK_BYTES, 0, NULL, 0));
    chunks.base = base;
    for (size_t i = 0; i < count; i++)
        if (each[i].owner >= 0) map_chunk(chunks.base + i * CHUNK_BYTES, &each[i]);
    return chunks;
}

void chunks_end(struct chunks *chunks) {
    for (size_t i = 0; i < chunks->count; i++)
        if (chunks->each[i].owner >= 0)
            assert_hip_ok(hipMemUnmap(chunks->base + i * CHUNK_BYTES, CHUNK_BYTES));
    assert_hip_ok(hipMemAddressFree(chunks->base, chunks->count * CHUNK_BYTES));
}
