// SPDX-License-Identifier: Apache-2.0
// fork(): arenas and channels stay with the parent. The child closes its copies of the descriptors,
// so that a peer notices the parent's death, and refuses every call.
#pragma once

#include <tarn/channel.h>

#include "base/atomic.h"

// The number of forks between this process and the first one that had an arena or a listener.
extern _Atomic(unsigned) tn_channel_forks;

// An arena or a listener whose descriptors a child must close.
struct tn_fork_entry {
    struct tn_fork_entry *next;
    unsigned generation; // tn_channel_forks at the time of insertion
    tarn_arena *arena;   // NULL if the entry is a listener
    tarn_listener *listener;
};

void tn_fork_add(struct tn_fork_entry *entry);
void tn_fork_remove(struct tn_fork_entry *entry);

static inline bool tn_fork_is_inherited(const struct tn_fork_entry *entry) {
    return entry->generation != tn_load_relaxed(&tn_channel_forks);
}
