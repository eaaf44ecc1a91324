// SPDX-License-Identifier: Apache-2.0
// The blocks of memory that a subscriber knows, for reports about an address: all live ones, and the last
// ones that ended, each with the stacks of its beginning and its end. Any thread may call; the lock is
// taken after every other lock.
#pragma once

#include "annotate/mem_event.h"
#include "base/lock.h"

enum { TN_BLOCK_FRAMES = 16, TN_BLOCK_KIND = 32, TN_BLOCKS_ENDED = 256 };

// A call of the program: the function of Tarn or of a face, and the return addresses above the log.
struct tn_block_call {
    const char *function; // NULL if unknown
    unsigned count;
    uintptr_t frames[TN_BLOCK_FRAMES];
};

struct tn_logged_block {
    uint64_t addr;
    uint64_t bytes;
    uint64_t room; // bytes behind the block that belong to it and may not be accessed
    unsigned what; // an enum tn_mem_resource; 0: a region
    char kind[TN_BLOCK_KIND];
    bool live;
    struct tn_block_call begun;
    struct tn_block_call ended;
    struct tn_logged_block *next; // in a list of blocks that end together
};

struct tn_block_log {
    struct tn_mutex lock;
    void *live; // a tree of <search.h>, by address and kind
    struct tn_logged_block *ended[TN_BLOCKS_ENDED];
    unsigned next; // of `ended` to be replaced
};

#define TN_BLOCK_LOG                                                                               \
    { .lock = TN_MUTEX(ANNOTATE, "blocks") }

// Adds the resource or region that the event begins, with the calling thread's stack. Blocks of different
// kinds (event->what, 0 for a region) may have the same start. Returns false if out of memory. The block
// is not stored then.
bool tn_block_log_begin(struct tn_block_log *log, const struct tn_mem_event *event,
                        const char *kind, uint64_t room);

// The live block of the event's address and kind has event->bytes bytes from now on; its room begins
// behind them. Returns false if there is none. Otherwise *block receives a copy of it as it was.
bool tn_block_log_resize(struct tn_block_log *log, const struct tn_mem_event *event,
                         struct tn_logged_block *block);

// The live block of the event's address and kind has ended. Returns false if there is none. Otherwise
// *block receives a copy.
bool tn_block_log_end(struct tn_block_log *log, const struct tn_mem_event *event,
                      struct tn_logged_block *block);

// The regions that start in the range have ended without a call of their own.
void tn_block_log_forget(struct tn_block_log *log, uint64_t addr, uint64_t bytes);

// Finds the block that an access to addr most likely missed: the live region that contains it, else the one
// that ended last, also of the regions in a live resource, else the live resource, else the live block
// whose end or start is nearest. Returns false if there is none within `distance` bytes, or if another
// thread holds the lock for long.
bool tn_block_log_find(struct tn_block_log *log, uint64_t addr, uint64_t distance,
                       struct tn_logged_block *block);
