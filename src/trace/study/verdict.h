// SPDX-License-Identifier: Apache-2.0
// The verdict on an allocation that the recorded allocator refused: why it failed, and how much was
// missing. The moment before the failure decides. Pure functions; any thread may call.
#pragma once

#include "trace/study/fragments.h"

// X(NAME, "name in JSON", "text for people")
#define TN_VERDICT_LIST(X)                                                                         \
    X(UNKNOWN, "unknown", "the recording does not tell enough to judge")                           \
    X(SHORTAGE, "shortage", "a shortage, not fragmentation: the device was too full")              \
    X(FRAGMENTATION, "fragmentation", "fragmentation: enough was free, but in pieces too small")   \
    X(WAITING, "waiting", "freed blocks that wait for other streams would have sufficed")          \
    X(STREAMS, "streams", "free memory in segments of other streams would have sufficed")          \
    X(PRIVATE, "private", "free memory in private pools would have sufficed")                      \
    X(TOGETHER, "together", "what waits, is private or is of other streams would have sufficed")   \
    X(LIMIT, "limit", "the device had enough free: a limit of the process refused")                \
    X(SETTING, "setting", "a free piece was large enough: a setting kept it")                      \
    X(POOL_LIMIT, "pool_limit", "the limit of the pool: it may not hold more")                     \
    X(OTHERS, "others", "others hold too much of the device")                                      \
    X(POOLS, "pools", "free memory that pools hold would have sufficed")                           \
    X(HOST, "host_memory", "the host had no memory left")                                          \
    X(HANDLES, "handles", "no handle or file descriptor was left")                                 \
    X(MAPPINGS, "mappings", "the kernel had no memory mapping left")                               \
    X(SPACE, "address_space", "no range of addresses was left")

#define TN_VERDICT_ENUM(name, json, text) TN_VERDICT_##name,
enum tn_verdict_cause { TN_VERDICT_LIST(TN_VERDICT_ENUM) TN_VERDICT_CAUSES };

struct tn_verdict {
    enum tn_verdict_cause cause;
    const struct tn_trace_failure *failure;
    size_t at;            // moment before the failure
    uint64_t event;       // number of the failure
    uint64_t where;       // its position in the file
    uint64_t device_free; // UINT64_MAX if not recorded
    uint64_t usable;      // free bytes in segments that the request could use, or in its pool
    uint64_t largest;     // free piece among them
    uint64_t apart;       // free bytes in segments of other streams
    uint64_t needs;       // bytes of the segment that the device would have to give for the request
    uint64_t free;        // usable bytes, and those that the device or the pool's limit adds
    uint64_t fits;        // the largest request that would have been granted; 0 if unknown
    uint64_t missing;     // needed minus all free bytes; 0 if they suffice
    uint64_t alone;       // missing with nothing else live
    uint64_t pooled;      // free bytes inside pools, for a request that no pool made
    uint64_t others;      // bytes of the device that are neither free nor in the recording
    uint64_t retried;     // number of a later event that allocates these bytes; 0 if none
};

// Judges the failure that is the next event of the device after `moment`.
// `fragments` may be NULL if the moment has no places.
void tn_verdict_make(const struct tn_moment *moment, const struct tn_fragments *fragments,
                     struct tn_verdict *verdict);
