// SPDX-License-Identifier: Apache-2.0
// fork(): arenas and all that belongs to them stay with the parent. The child closes its copies of
// the descriptors, so that a peer hears of the parent's death, and refuses every call.
#ifndef TARN_CHANNEL_FORK_H
#define TARN_CHANNEL_FORK_H

#include <tarn/channel.h>

#include "base/atomic.h"

// How many forks lie between this process and the first one that had an arena or listener.
extern _Atomic(unsigned) tn_channel_forks;

// Enters the lists of what a fork must close; leaves them. A listener's descriptor is set to -1 in
// a child.
void tn_fork_add_arena(tarn_arena *arena);
void tn_fork_remove_arena(tarn_arena *arena);
void tn_fork_add_listener(tarn_listener *listener);
void tn_fork_remove_listener(tarn_listener *listener);

#endif
