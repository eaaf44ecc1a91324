// SPDX-License-Identifier: Apache-2.0
// The verdict on an allocation that the recorded allocator refused: why it failed, and how much was
// missing. The moment before the failure decides. Pure functions; any thread may call.
#pragma once

#include "trace/study/fragments.h"

// X(NAME, "name in JSON")
#define TN_VERDICT_LIST(X)                                                                         \
    X(UNKNOWN, "unknown")             /* the recording lacks a fact */                             \
    X(SHORTAGE, "shortage")           /* all free bytes together are fewer than those asked */     \
    X(FRAGMENTATION, "fragmentation") /* they suffice, but no free piece does */                   \
    X(WAITING, "waiting")             /* they suffice with blocks that wait for other streams */   \
    X(STREAMS, "streams")             /* they suffice with segments of other streams */            \
    X(PRIVATE, "private")             /* they suffice with private segments */                     \
    X(TOGETHER, "together")           /* they suffice with all of these */                         \
    X(LIMIT, "limit")                 /* the device had enough: a limit refused, or others took */ \
    X(SETTING, "setting")             /* a free piece was large enough: a setting kept it */       \
    X(POOL_LIMIT, "pool_limit")       /* the pool may not hold more */                             \
    X(OTHERS, "others")               /* memory that the recording does not have holds too much */ \
    X(POOLS, "pools")                 /* they suffice with free memory of pools */                 \
    X(HOST, "host_memory")            /* the host had no memory */                                 \
    X(HANDLES, "handles")             /* no handle or descriptor was left */                       \
    X(MAPPINGS, "mappings")           /* the kernel had no mapping left */                         \
    X(SPACE, "address_space")         /* no range of addresses was left */

#define TN_VERDICT_ENUM(name, json) TN_VERDICT_##name,
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
    uint64_t pooled;      // free bytes of pools, of which the request was none
    uint64_t others;      // bytes of the device that are neither free nor in the recording
    uint64_t retried;     // number of a later event that allocates these bytes; 0 if none
};

// Judges the failure that is the next event of the device after `moment`.
// `fragments` may be NULL if the moment has no places.
void tn_verdict_make(const struct tn_moment *moment, const struct tn_fragments *fragments,
                     struct tn_verdict *verdict);
