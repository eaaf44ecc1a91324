// SPDX-License-Identifier: Apache-2.0
// See format.h.
#include "core/pool/plan/format.h"

#include <string.h>

#include "algo/rule.h"
#include "base/error.h"
#include "core/pool/class.h"
#include <tarn/pool.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "plans are little-endian");
_Static_assert(sizeof(tn_plan_head) == 64 && sizeof(tn_plan_request) == 24, "no padding");

static const char plan_magic[8] = {'t', 'a', 'r', 'n', 'p', 'l', 'a', 'n'};

uint64_t tn_plan_place_bytes(const tarn_rule *rule, uint64_t bytes) {
    uint64_t occupied = tn_rule_occupied(rule, bytes), mask = tn_plan_granule(rule) - 1;
    return occupied > TN_SMALL_MAX && occupied < UINT64_C(1) << 62 ? (occupied + mask) & ~mask : 0;
}

// FNV-1a over words of eight bytes; all parts of a plan are multiples of eight.
static uint64_t checksum(const tn_plan_head *head, const void *plan, size_t bytes) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325), word;
    for (size_t at = 0; at < bytes; at += sizeof word) {
        bool in_head = at < sizeof *head;
        memcpy(&word, (const char *)(in_head ? (const void *)head : plan) + at, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001b3);
        sum ^= sum >> 32;
    }
    return sum;
}

void tn_plan_seal(void *plan, size_t bytes) {
    tn_plan_head head;
    memcpy(&head, plan, sizeof head);
    memcpy(head.magic, plan_magic, sizeof head.magic);
    head.version = TN_PLAN_VERSION;
    head.checksum = 0;
    head.checksum = checksum(&head, plan, bytes);
    memcpy(plan, &head, sizeof head);
}

uint64_t tn_plan_height(const void *plan, uint32_t stream) {
    uint64_t height;
    memcpy(&height, (const char *)plan + sizeof(tn_plan_head) + stream * sizeof height,
           sizeof height);
    return height;
}

tn_plan_request tn_plan_request_at(const void *plan, const tn_plan_head *head, uint64_t index) {
    tn_plan_request request;
    size_t first = sizeof *head + head->streams * sizeof(uint64_t);
    memcpy(&request, (const char *)plan + first + index * sizeof request, sizeof request);
    return request;
}

// Returns true if a request may stand at an index of a plan.
static bool is_valid(const tn_plan_head *head, uint64_t index, const tn_plan_request *request,
                     uint64_t height) {
    uint32_t stride = tn_plan_stride(request->tag);
    bool slab = stride != 0 && stride <= request->bytes && stride <= TN_SMALL_MAX &&
                request->bytes <= TN_PLAN_SLAB_MAX;
    uint64_t grain = slab ? TN_SMALL_MAX : tn_plan_granule(&head->rule);
    uint64_t place = tn_plan_request_bytes(&head->rule, request);
    return slab == (index < head->slabs) && (slab || request->tag < TARN_POOL_TAGS) && place != 0 &&
           place <= height && request->offset <= height - place &&
           (request->offset | place) % grain == 0;
}

static tarn_status check_head(tn_plan_head *head, const void *plan, size_t bytes) {
    TN_REFUSE(bytes < sizeof *head, TARN_CORRUPT, "a plan of %zu bytes lacks a head, which has %zu",
              bytes, sizeof *head);
    memcpy(head, plan, sizeof *head);
    TN_REFUSE(memcmp(head->magic, plan_magic, sizeof plan_magic) != 0, TARN_CORRUPT,
              "no plan begins with the bytes 0x%02x%02x%02x%02x", (unsigned char)head->magic[0],
              (unsigned char)head->magic[1], (unsigned char)head->magic[2],
              (unsigned char)head->magic[3]);
    TN_REFUSE(head->version != TN_PLAN_VERSION, TARN_UNSUPPORTED,
              "the plan has version %u, and this library knows version %d", head->version,
              TN_PLAN_VERSION);
    TN_REFUSE(head->streams > TN_PLAN_STREAMS_MAX || head->slabs > head->count ||
                  head->count > bytes / sizeof(tn_plan_request) ||
                  bytes != sizeof *head + head->streams * sizeof(uint64_t) +
                               head->count * sizeof(tn_plan_request),
              TARN_CORRUPT, "a plan of %llu requests on %u streams does not have %zu bytes",
              (unsigned long long)head->count, head->streams, bytes);
    uint64_t stored = head->checksum;
    head->checksum = 0;
    uint64_t sum = checksum(head, plan, bytes);
    TN_REFUSE(sum != stored, TARN_CORRUPT,
              "the plan has checksum 0x%llx, and its bytes have 0x%llx", (unsigned long long)stored,
              (unsigned long long)sum);
    const tarn_rule *rule = &head->rule;
    TN_REFUSE(!tn_rule_is_valid(rule), TARN_CORRUPT,
              "the plan's rule has start %u, rounding %u, padding %u", rule->start, rule->rounding,
              rule->padding);
    return TARN_OK;
}

tarn_status tn_plan_check(const void *plan, size_t bytes, tn_plan_head *head) {
    TN_TRY(check_head(head, plan, bytes));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < head->streams; i++) {
        uint64_t height = tn_plan_height(plan, i);
        TN_REFUSE(height > head->height - sum || height % tn_plan_granule(&head->rule) != 0,
                  TARN_CORRUPT, "stream %u of the plan needs %llu of %llu bytes", i,
                  (unsigned long long)height, (unsigned long long)head->height);
        sum += height;
    }
    TN_REFUSE(sum != head->height, TARN_CORRUPT, "the plan has height %llu, and its streams %llu",
              (unsigned long long)head->height, (unsigned long long)sum);
    for (uint64_t i = 0; i < head->count; i++) {
        tn_plan_request request = tn_plan_request_at(plan, head, i);
        uint64_t height = request.stream < head->streams ? tn_plan_height(plan, request.stream) : 0;
        TN_REFUSE(!is_valid(head, i, &request, height), TARN_CORRUPT,
                  "request %llu of the plan has %llu bytes, offset %llu, tag %u, stream %u",
                  (unsigned long long)i, (unsigned long long)request.bytes,
                  (unsigned long long)request.offset, request.tag, request.stream);
    }
    return TARN_OK;
}
