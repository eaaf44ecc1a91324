// SPDX-License-Identifier: Apache-2.0
// A journal: the events of a recording as its reader meets them, of all devices together. At the
// end it pairs frees with allocations, derives the blocks that were live at the start, and adds one
// device after another to the trace. A reader owns it. One thread at a time.
#pragma once

#include "trace/builder.h"

enum tn_entry_kind {
    TN_ENTRY_ALLOC = TN_EVENT_ALLOC,
    TN_ENTRY_FREE = TN_EVENT_FREE,
    TN_ENTRY_FREE_REQUEST = TN_EVENT_FREE_REQUEST,
    TN_ENTRY_MARK = TN_EVENT_MARK, // `tag` is its text
    TN_ENTRY_MARK_END = TN_EVENT_MARK_END,
    TN_ENTRY_FAILURE = TN_EVENT_FAILURE, // `address`: free bytes of the device, or UINT64_MAX
    TN_ENTRY_SEGMENT = TN_EVENT_SEGMENT,
    TN_ENTRY_SEGMENT_RETURN = TN_EVENT_SEGMENT_RETURN,
    TN_ENTRY_STARTING, // a block that was live before the first event
    TN_ENTRY_RENEW,    // like ALLOC, but replaces the block with this key if there is one
    TN_ENTRY_SAMPLE,   // the sums of the device: `address` bytes live, `size` bytes reserved or 0
    TN_ENTRY_NOTHING
};

// Values of `device` besides numbers.
#define TN_ENTRY_EVERY   UINT32_MAX       // a mark: every device
#define TN_ENTRY_HOST    (UINT32_MAX - 1) // memory of the host
#define TN_ENTRY_MATCHED (UINT32_MAX - 2) // a free: the device of its allocation

// A block is live from an entry that begins it to the next one that ends it with the same space and
// key. Blocks and segments never meet. Texts and stacks are those of the builder.
struct tn_entry {
    uint64_t time_ns;
    uint64_t order; // of equal times; the journal sets it
    uint64_t where; // as in struct tn_event
    uint64_t key;
    uint64_t address; // of a block: its id in the trace
    uint64_t size;    // 0 if not recorded, of frees only
    uint64_t stream;
    uint32_t match;  // private
    uint32_t space;  // whose keys they are: a process, a device, a pool
    uint32_t device; // its number
    uint32_t stack;
    uint32_t tag;
    uint32_t kind; // enum tn_entry_kind
};

struct tn_journal {
    struct tn_builder *builder;
    const char *noun; // of `where` in notes; NULL means "line"
    struct tn_entry *entries;
    size_t count, room;
};

// A zeroed journal with a builder is empty.
void tn_journal_release(struct tn_journal *journal);

tarn_status tn_journal_add(struct tn_journal *journal, const struct tn_entry *entry);

// The order of events in the trace.
enum tn_journal_order {
    TN_JOURNAL_AS_ADDED,
    TN_JOURNAL_BY_TIME // equal times as added
};

// Adds everything to the builder's trace. Contradictions become notes. A journal without an entry
// for a device is an error.
tarn_status tn_journal_end(struct tn_journal *journal, enum tn_journal_order order);

// Ends the journal if `status` is TARN_OK, and releases it in any case. Returns the status, or the
// first failure.
tarn_status tn_journal_finish(struct tn_journal *journal, tarn_status status,
                              enum tn_journal_order order);
