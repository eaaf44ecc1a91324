// SPDX-License-Identifier: Apache-2.0
// The registry of backends: an array that only grows. Registration checks the table of a backend,
// copies it and replaces absent slots by stubs, so every slot can be called. An entry does not
// change once the count covers it. Any thread may call these functions.
#include "backend/registry.h"

#include <tarn/face.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/ascend/ascend.h"
#include "backend/contract/slots.h"
#include "backend/cuda/cuda.h"
#include "backend/hip/hip.h"
#include "backend/host/host.h"
#include "backend/sim/sim.h"
#include "backend/vendor/environment.h"
#include "base/error.h"
#include "base/lock.h"

enum { CAPACITY = 16 };

static tarn_backend backends[CAPACITY];
// Stored by release after the entry is complete; loaded by acquire before an entry is read.
static _Atomic unsigned backend_count;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t built_in = PTHREAD_ONCE_INIT;

// ---- required slots

enum slot_group { M, O, VMM, SHARE, PIN, PEER, FORK, MEMORY_SHARE, ARRAY, GROUPS };

struct slot {
    const char *name;
    enum slot_group group;
    bool present;
};

// A mandatory slot must be present, and so must every slot of a group that has one present.
static tarn_status verify_slots(const tarn_backend *backend) {
#define ROW(slot, group, ...) {#slot, group, backend->slot != NULL},
    const struct slot slots[] = {TN_BACKEND_SLOTS(ROW)};
    bool needed[GROUPS] = {[M] = true};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        needed[slots[i].group] |= slots[i].present && slots[i].group != O;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        TN_REFUSE(!slots[i].present && needed[slots[i].group], TARN_BAD_ARGUMENT,
                  "backend \"%s\" lacks the slot %s", backend->name, slots[i].name);
    return TARN_OK;
}

// ---- stubs for absent slots: each is called no_<slot>

// The features that a backend without a group does not have, for its error texts.
static const char *const group_contents[GROUPS] = {
    [VMM] = "virtual memory management",
    [SHARE] = "sharing between processes",
    [PIN] = "pinned host memory",
    [PEER] = "peer access",
    [MEMORY_SHARE] = "keys to device memory",
    [ARRAY] = "arrays",
};

// The same for slots outside groups. The stubs of the others succeed.
static const struct {
    const char *slot;
    const char *contents;
} single_slots[] = {
    {"memory_alloc_with", "choice of pages or alignment for device memory"},
    {"phys_allow", "lists of processes"},
    {"memory_allow", "lists of processes"},
    {"stream_wrap", "wrapping a stream of the vendor"},
    {"stream_wait_until", "conditions in streams"},
    {"stream_abort", "dropping the work of a stream"},
    {"stream_fail", "streams that fail on demand"},
    {"stream_set_resilient", "streams that continue after a failure"},
    {"stream_run", "functions in parts"},
    {"memory_export_fd", "descriptors of device memory"},
};

static tarn_status call_absent(const char *slot, enum slot_group group) {
    const char *contents = group_contents[group];
    for (size_t i = 0; i < sizeof single_slots / sizeof single_slots[0]; i++)
        if (strcmp(single_slots[i].slot, slot) == 0) contents = single_slots[i].contents;
    return contents == NULL
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED, "this backend does not support %s", contents);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define STUB(slot, group, parameters, ...)                                                         \
    static tarn_status no_##slot parameters { return call_absent(#slot, group); }
TN_BACKEND_STATUS_SLOTS(STUB)
#undef STUB

#define STUB(slot, group, parameters, ...)                                                         \
    static void no_##slot parameters {}
TN_BACKEND_WORK_SLOTS(STUB)
#undef STUB

static bool no_peer_can(void *p, int device, int peer) { return false; }

static void no_counters(void *p, tarn_backend_counters *counters) {
    *counters = (tarn_backend_counters){0};
}

static void no_fork_prepare(void *p) {}

static void no_fork_parent(void *p) {}

static void no_fork_child(void *p) {}

#pragma GCC diagnostic pop

static void complete_slots(tarn_backend *backend) {
    if (backend->stream_follow == NULL) backend->stream_follow = backend->stream_wait;
    if (backend->stream_peek == NULL) backend->stream_peek = backend->stream_query;
    if (backend->event_peek == NULL) backend->event_peek = backend->event_query;
    if (backend->peer_can == NULL) backend->peer_can = no_peer_can;
#define COMPLETE(slot, ...)                                                                        \
    if (backend->slot == NULL) backend->slot = no_##slot;
    TN_BACKEND_STATUS_SLOTS(COMPLETE)
    TN_BACKEND_VOID_SLOTS(COMPLETE)
}

// ---- the array

static const tarn_backend *backend_named(const char *name, size_t length) {
    unsigned n = tn_load_acquire(&backend_count);
    for (unsigned i = 0; i < n; i++)
        if (strlen(backends[i].name) == length && memcmp(backends[i].name, name, length) == 0)
            return &backends[i];
    return NULL;
}

static tarn_status backend_add_locked(const tarn_backend *backend) {
    unsigned n = tn_load_relaxed(&backend_count);
    TN_REFUSE(n == CAPACITY, TARN_NO_HANDLES, "there are %d backends already", CAPACITY);
    TN_REFUSE(backend_named(backend->name, strlen(backend->name)) != NULL, TARN_BAD_ARGUMENT,
              "a backend \"%s\" exists already", backend->name);
    tarn_backend own = {0};
    memcpy(&own, backend, backend->struct_size < sizeof own ? backend->struct_size : sizeof own);
    TN_TRY(verify_slots(&own));
    complete_slots(&own);
    backends[n] = own;
    tn_store_release(&backend_count, n + 1);
    return TARN_OK;
}

static tarn_status backend_add(const tarn_backend *backend) {
    TN_REFUSE(backend == NULL || backend->struct_size < offsetof(tarn_backend, platform_open),
              TARN_BAD_ARGUMENT, "a backend's table is NULL or its size is not set");
    TN_REFUSE(backend->name == NULL || backend->name[0] == '\0' ||
                  strpbrk(backend->name, ":,=") != NULL,
              TARN_BAD_ARGUMENT, "a backend needs a name without ':', ',' and '='");
    TN_REFUSE(backend->abi != TARN_BACKEND_ABI, TARN_BAD_ARGUMENT,
              "backend \"%s\" has abi %u, this library speaks %u", backend->name, backend->abi,
              TARN_BACKEND_ABI);
    TN_PTHREAD_LOCKED(&adding);
    return backend_add_locked(backend);
}

// The library's own backends, in the order in which they are listed.
static const tarn_backend *const own_backends[] = {
    &tn_backend_host, &tn_backend_sim, &tn_backend_cuda, &tn_backend_hip, &tn_backend_ascend, NULL};

static void add_built_in(void) {
    for (const tarn_backend *const *own = own_backends; *own != NULL; own++)
        (void)backend_add(*own);
}

tarn_status tn_backend_check_environment(void) {
    static const char *const vendors[] = {"TARN_CUDA", "TARN_HIP", "TARN_ASCEND"};
    TN_TRY(tn_host_check_environment());
    TN_TRY(tn_sim_check_environment());
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        TN_TRY(tn_vendor_check_environment(vendors[i]));
    return TARN_OK;
}

tarn_status tarn_backend_register(const tarn_backend *backend) {
    pthread_once(&built_in, add_built_in);
    return TN_DONE(backend_add(backend));
}

const tarn_backend *tn_backend_find(const char *name, size_t length) {
    pthread_once(&built_in, add_built_in);
    return backend_named(name, length);
}

const char *tarn_backend_name(unsigned index, const char **summary) {
    pthread_once(&built_in, add_built_in);
    if (index >= tn_load_acquire(&backend_count)) return NULL;
    if (summary != NULL) *summary = backends[index].summary;
    return backends[index].name;
}

tarn_status tarn_backend_fail(tarn_status status, const char *call, int64_t native_code,
                              const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return tn_fail_native(status, call, native_code, "%s", text);
}
