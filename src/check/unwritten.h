// SPDX-License-Identifier: Apache-2.0
// Reads of bytes that nothing has written. A read is reported if that is certain:
//
//   - The region is seen: every access to it is an event, and none of them wrote the bytes.
//   - Otherwise a seal among the bytes is intact, so that no code has written there.
//   - Work on streams runs later than its event, and so do host functions and kernels before it. Its
//     read is judged when the host knows that it has run: bytes that are unwritten then were
//     unwritten before.
//
// A seal that changed shows that code which the checker does not see wrote the memory; the read is
// taken as correct. All other reads are counted, see report.h.
#pragma once

#include "check/access.h"

// A part of a row that one region contains.
struct tn_check_part {
    struct tn_check_region *region;
    uint64_t row_lo; // the row, for the report
    uint64_t row_hi;
    uint64_t lo;
    uint64_t hi;
};

// Judges a read. Returns false if it reads unwritten bytes, perhaps not yet certainly. The call holds
// all locks of the model.
bool tn_check_unwritten_judge(struct tn_check_call *call, const struct tn_check_access *access,
                              const struct tn_check_part *part);

// The knowledge about the bytes of a part.
enum tn_check_evidence { TN_CHECK_NOT_KNOWN, TN_CHECK_WRITTEN, TN_CHECK_UNWRITTEN };

struct tn_check_unwritten {
    uint64_t first;
    uint64_t count;
    bool or_more;
};

// Finds out whether the part is unwritten, where, and how many bytes of it are.
enum tn_check_evidence tn_check_unwritten_find(const struct tn_check_part *part,
                                               struct tn_check_unwritten *found);

// The number of reads that await their verdict. Changes with all locks of the model held.
extern _Atomic uint32_t tn_check_waiting_reads;

// Called after order.c has seen the event, without a lock, while reads wait: judges those that have
// run by now.
void tn_check_unwritten_event(const struct tn_mem_event *event);

// Called at the end of the process: reads that are not judged yet are not known.
void tn_check_unwritten_finish(void);

// Forgets all reads that wait: in a forked child, and in tests. The caller holds all locks of the
// model.
void tn_check_unwritten_reset(void);
