// SPDX-License-Identifier: Apache-2.0
// The bytes of a plan: a head, the height of each stream, and a request after another. Numbers are
// little-endian. Pure functions.
#pragma once

#include <tarn/plan.h>

enum { TN_PLAN_VERSION = 1, TN_PLAN_STREAMS_MAX = 16384 };

typedef struct tn_plan_head {
    char magic[8]; // "tarnplan"
    uint32_t version;
    tarn_rule rule;
    uint64_t count;
    uint32_t streams;
    uint32_t slabs; // requests that are slabs
    uint64_t bound;
    uint64_t height;   // the sum of the heights
    uint64_t checksum; // of all bytes, this number being 0
} tn_plan_head;

// A request. It occupies at least TN_SMALL_MAX bytes, so that a granule of a pool has one start.
// Slabs come first.
typedef struct tn_plan_request {
    uint64_t bytes;
    uint64_t offset; // of its place, in the memory of its stream
    uint32_t tag;
    uint32_t stream;
} tn_plan_request;

// A plan also has slabs: memory for the small blocks of a stream and a class, as many as live at one
// moment. The tag of such a request has TN_PLAN_SLAB, above it the bytes of a block, and above these
// the number of smaller classes whose blocks lie there too.
enum {
    TN_PLAN_SLAB = 0x40,
    TN_PLAN_STRIDE_SHIFT = 8,
    TN_PLAN_JOINED_SHIFT = 24,
    TN_PLAN_SLAB_MAX = 1 << 18,
};

static inline uint32_t tn_plan_slab_tag(uint32_t stride, uint32_t joined) {
    return TN_PLAN_SLAB | stride << TN_PLAN_STRIDE_SHIFT | joined << TN_PLAN_JOINED_SHIFT;
}

static inline uint32_t tn_plan_joined(uint32_t tag) { return tag >> TN_PLAN_JOINED_SHIFT; }

// Returns the bytes of a slab's blocks, or 0 for another request.
static inline uint32_t tn_plan_stride(uint32_t tag) {
    return (tag & TN_PLAN_SLAB) != 0 ? (tag & 0xffffff) >> TN_PLAN_STRIDE_SHIFT : 0;
}

// Returns the bytes of which places and their starts are multiples.
static inline uint32_t tn_plan_granule(const tarn_rule *rule) {
    return rule->start > 16 ? rule->start : 16;
}

// Returns the bytes of the place of a request, or 0 if it has none: it is small, or overflows.
uint64_t tn_plan_place_bytes(const tarn_rule *rule, uint64_t bytes);

// Returns the bytes of the place of a request of a plan.
static inline uint64_t tn_plan_request_bytes(const tarn_rule *rule,
                                             const tn_plan_request *request) {
    return tn_plan_stride(request->tag) != 0 ? request->bytes
                                             : tn_plan_place_bytes(rule, request->bytes);
}

// A plan that programs have a handle to. Its bytes have been checked.
struct tarn_plan {
    tn_plan_head head;
    size_t byte_count;
    unsigned char bytes[];
};

// Bytes that suffice for a plan of so many requests.
#define TN_PLAN_ROOM(count) (64 + 32 * (size_t)(count))

// Makes a plan into `room` bytes, as tarn_plan_create() does.
tarn_status tn_plan_make(const tarn_plan_desc *desc, void *plan, size_t room, size_t *bytes);

// Reads the head and checks all of a plan. CORRUPT, UNSUPPORTED.
tarn_status tn_plan_check(const void *plan, size_t bytes, tn_plan_head *head);

// Return the height of a stream, and a request, of a plan that has been checked.
uint64_t tn_plan_height(const void *plan, uint32_t stream);
tn_plan_request tn_plan_request_at(const void *plan, const tn_plan_head *head, uint64_t index);

// Writes the checksum into a complete plan.
void tn_plan_seal(void *plan, size_t bytes);
