// SPDX-License-Identifier: Apache-2.0
// A platform: one opened backend with its devices, shared by all callers that opened a device of
// the same name. It counts its live objects and refuses to close while there are any.
#pragma once

#include <tarn/backend.h>
#include <tarn/pool.h>
#include <tarn/stats.h>

#include "base/assert.h"
#include "base/atomic.h"
#include "base/hostfn.h"

// Rights take two bits for each location in one word, which limits the devices of a platform.
enum { TN_MAX_DEVICES = 31 };

struct tn_platform;

// The result of trying once whether a device can map pages.
enum { TN_PAGES_UNTRIED, TN_PAGES_GOOD, TN_PAGES_NOTING, TN_PAGES_BAD };
struct tn_device_pages {
    _Atomic(unsigned) state; // release after `why` is written, acquire before it is read
    // Written by the thread that set the state to NOTING:
    char why[TARN_POOL_REASON]; // BAD
    tarn_backend_costs costs;   // GOOD: those of the backend, or as measured
};

struct tarn_device {
    struct tn_platform *platform;
    int ordinal;
    tarn_backend_caps caps; // fixed at opening
    _Atomic uint32_t peers; // devices it may reach, one bit each; written under the registry lock
    struct tn_device_pages pages;
};

struct tn_platform {
    const tarn_backend *backend; // as registered
    const tarn_backend *ops;     // its slots, or those of the layer that lies on it
    void *p;                     // the first argument of the slots
    const void *owner;           // the backend's own platform, which runs host functions
    bool weak_retain;            // tarn_map_retain() adds no reference: a quirk
    bool drops_threshold;        // release thresholds of pools have no effect: a quirk
    char *key;
    struct tn_platform *next; // list of all, under the registry lock
    unsigned refs;            // opens minus closes, under the registry lock
    bool forked; // inherited over fork(); written in the child before it has other threads
    _Atomic uint64_t in_backend; // regions and handles that the backend has not freed yet; the last
                                 // close reads it (acquire) after their ends (release)
    int device_count;
    uint64_t granularity; // the strictest minimum of its devices
    struct {
#define TN_PLATFORM_GAUGE(name, text) _Atomic uint64_t name;
        TARN_PLATFORM_STATS_LIST(TN_PLATFORM_GAUGE)
#undef TN_PLATFORM_GAUGE
    } stats; // relaxed. The last close and unmap, which waits only if streams exist, depend on them.
             // Those of regions, mappings and handles change under the lock of what they count, so
             // that tarn_platform_verify() can compare them beside running threads.
    struct tarn_device devices[];
};

#define TN_COUNT(platform, name, by) ((void)tn_add_relaxed(&(platform)->stats.name, (uint64_t)(by)))
// A gauge counts objects, so it never falls below zero.
#define TN_UNCOUNT(platform, name, by)                                                             \
    do {                                                                                           \
        uint64_t before = tn_sub_relaxed(&(platform)->stats.name, (uint64_t)(by));                 \
        TARN_ASSERT(before >= (uint64_t)(by));                                                     \
        (void)before;                                                                              \
    } while (0)

// Every entry point that takes a device begins with this check. BAD_ARGUMENT: NULL; FORKED: the
// device belongs to the parent process; recorded.
tarn_status tn_device_usable(const tarn_device *device);

// FORKED: the platform belongs to the parent process; recorded.
tarn_status tn_platform_usable(const struct tn_platform *platform);

// Returns true if the calling thread is inside a host function of the platform.
static inline bool tn_platform_inside_hostfn(const struct tn_platform *platform) {
    return tn_hostfn_inside(platform->owner);
}

// Checks that the calling thread may wait for work of the platform. BUSY: it is inside a host
// function of the platform and would wait for itself; recorded.
tarn_status tn_platform_may_wait(const struct tn_platform *platform);

// The same check for calls that free memory without a wait, where the device must wait to do so.
tarn_status tn_platform_may_take_away(const struct tn_platform *platform);

// Records that a wait reached its deadline. TIMED_OUT.
tarn_status tn_timed_out(uint64_t timeout_ns);

// Waits for all work of the devices of a bit mask; UINT32_MAX means all. A failed wait is a sticky
// error of a stream, which that stream's own calls report. The work has ended nevertheless. `seen`:
// the program knows of the wait.
void tn_platform_synchronize(struct tn_platform *platform, uint32_t devices, bool seen);

// Called without any lock held after each successful synchronisation of a device, stream or event.
// NULL until the first pool with a release threshold exists.
extern _Atomic(void (*)(struct tarn_device *)) tn_synchronized_hook;

static inline void tn_synchronized(struct tarn_device *device) {
    void (*hook)(struct tarn_device *) = tn_load_relaxed(&tn_synchronized_hook);
    if (__builtin_expect(hook != NULL, 0)) hook(device);
}

// Returns the bytes that the device can still provide, at most, to a caller that holds `held` bytes
// of it: what it states, if that is `stated` or exact, as that of software devices is. Other devices
// may have more than they state.
uint64_t tn_device_room(tarn_device *device, uint64_t held, bool stated);

// Enables or disables the access of one device to another. The backend is called under the registry
// lock, so that the record and the backend agree. Returns BUSY if the access is already enabled,
// and BAD_ARGUMENT if it is to be disabled and is not enabled. Records the error.
tarn_status tn_platform_set_peer(struct tarn_device *device, const struct tarn_device *peer,
                                 bool enabled);
