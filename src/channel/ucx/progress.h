// SPDX-License-Identifier: Apache-2.0
// The progress thread: one thread with one UCX worker for all links of the process. Only this
// thread calls UCX and touches open links. Other threads submit jobs to it and wait for them. It
// runs while a link or a listener holds it, and sleeps while there is no work.
#ifndef TARN_CHANNEL_UCX_PROGRESS_H
#define TARN_CHANNEL_UCX_PROGRESS_H

#include <tarn/channel.h>

#include "channel/ucx/api.h"

struct tn_link;

// The callbacks by which the thread advances links.
struct tn_progress_ops {
    ucp_am_recv_callback_t on_am; // for every kind of message; its argument is the kind
    // Advances a link. `progressed` is true if UCX just made progress for any link. Returns true if
    // something moved. May remove the link.
    bool (*step)(struct tn_link *link, bool progressed);
    // Announces in the link's mirror that the thread sleeps. Returns true if there is no work.
    bool (*may_sleep)(struct tn_link *link);
    void (*woke)(struct tn_link *link);
    void (*on_socket)(struct tn_link *link, uint32_t events);
    // Returns true if the link waits for a change that no descriptor signals.
    bool (*polls)(const struct tn_link *link);
    void (*start_leaving)(void *link); // called when the process exits
};

// Starts the thread if it is not running. Every caller passes the same `ops`. Returns UNSUPPORTED
// without UCX, or in the child of a process that used it; NO_HOST_MEMORY, NO_HANDLES or SYSTEM.
tarn_status tn_progress_hold(const struct tn_progress_ops *ops);
// The last release stops the thread. May not be called with a lock held, nor on the thread itself.
void tn_progress_release(void);

// Runs fn(arg) on the progress thread and waits until it returns.
void tn_progress_run(void (*fn)(void *), void *arg);

// Waits until ready(arg), which reads atomics, returns true. Returns false if it does not before
// the deadline. The thread calls tn_progress_notify() after each change that may matter.
bool tn_progress_wait(bool (*ready)(const void *), const void *arg, uint64_t deadline_ns);
void tn_progress_notify(void);

// ---- the rest is called only on the progress thread

ucp_worker_h tn_progress_worker(void);

// An added link is stepped until it is removed. On request the thread watches a link's socket. If
// that fails, it ends the link and returns false.
void tn_progress_add_link(struct tn_link *link);
void tn_progress_remove_link(struct tn_link *link);
bool tn_progress_watch_socket(struct tn_link *link);

// Returns the link with this endpoint, or NULL.
struct tn_link *tn_progress_find_link(ucp_ep_h ep);

// Returns an eventfd that ends the thread's sleep.
int tn_progress_eventfd(void);

// Registers an arena with UCX, or counts one more use. Returns NULL if that is not possible;
// transfers then work, but are slower.
ucp_mem_h tn_progress_map_arena(tarn_arena *arena);
void tn_progress_unmap_arena(const tarn_arena *arena);

#endif
