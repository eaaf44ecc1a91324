// SPDX-License-Identifier: Apache-2.0
// The ferry: one thread with one UCX worker for all links of the process. It alone calls UCX and
// touches links at work; other threads give it jobs and wait for them. It runs as long as somebody
// holds it, that is, while there is a link or a listener, and sleeps when nothing moves.
#ifndef TARN_CHANNEL_UCX_PROGRESS_H
#define TARN_CHANNEL_UCX_PROGRESS_H

#include <tarn/channel.h>

#include "channel/ucx/api.h"

struct tn_link;

// Starts the thread if need be. UNSUPPORTED: no UCX, or this is a child of a process that had a
// ferry; NO_HOST_MEMORY, NO_HANDLES, SYSTEM.
tarn_status tn_progress_hold(void);
// The last one stops it. Not with a lock held, nor from the ferry's own thread.
void tn_progress_release(void);

// Runs fn(arg) on the ferry's thread and waits until it is done.
void tn_progress_run(void (*fn)(void *), void *arg);

// Waits until ready(arg), which reads atomics, says so; false: not before the deadline. The ferry
// says tn_progress_notify() after each change that may matter.
bool tn_progress_wait(bool (*ready)(const void *), const void *arg, uint64_t deadline_ns);
void tn_progress_notify(void);

// ---- the rest on the ferry's thread only

ucp_worker_h tn_progress_worker(void);

// Links are stepped until they are removed. The ferry listens to the link's socket once it has one.
void tn_progress_add_link(struct tn_link *link);
void tn_progress_remove_link(struct tn_link *link);
void tn_progress_watch_socket(struct tn_link *link);

// An eventfd that ends the ferry's sleep.
int tn_progress_eventfd(void);

// Registers an arena with UCX, or counts one use more; NULL when it cannot be, which costs speed
// and nothing else.
ucp_mem_h tn_progress_map_arena(tarn_arena *arena);
void tn_progress_unmap_arena(const tarn_arena *arena);

#endif
