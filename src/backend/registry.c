// SPDX-License-Identifier: Apache-2.0
// The registry of backends: an array that only grows. Registration checks the table of a backend,
// copies it and replaces absent slots by stubs, so every slot can be called. An entry does not
// change once the count covers it. Any thread may call these functions.
#include "backend/registry.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/ascend/ascend.h"
#include "backend/contract/slots.h"
#include "backend/cuda/cuda.h"
#include "backend/hip/hip.h"
#include "backend/host/host.h"
#include "backend/sim/sim.h"
#include "base/atomic.h"
#include "base/error.h"

enum { CAPACITY = 16 };

static tarn_backend backends[CAPACITY];
// Stored by release after the entry is complete; loaded by acquire before an entry is read.
static _Atomic unsigned backend_count;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t built_in = PTHREAD_ONCE_INIT;

// ---- required slots

enum slot_group { M, O, VMM, SHARE, PIN, PEER, FORK, MEMORY_SHARE, ARRAY, DEADLINE, GROUPS };

struct slot {
    const char *name;
    enum slot_group group;
    bool present;
};

// A mandatory slot must be present, and so must every slot of a group that has one present.
static tarn_status verify_slots(const tarn_backend *backend) {
#define ROW(slot, group) {#slot, group, backend->slot != NULL},
    const struct slot slots[] = {TN_BACKEND_MANDATORY_SLOTS(ROW) TN_BACKEND_OPTIONAL_SLOTS(ROW)};
#undef ROW
    bool needed[GROUPS] = {[M] = true};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        needed[slots[i].group] |= slots[i].present && slots[i].group != O;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        TN_REFUSE(!slots[i].present && needed[slots[i].group], TARN_BAD_ARGUMENT,
                  "backend \"%s\" lacks the slot %s", backend->name, slots[i].name);
    }
    return TARN_OK;
}

// ---- stubs for absent slots: each is called no_<slot>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

static tarn_status fail_absent(const char *what) {
    return tn_fail(TARN_UNSUPPORTED, "this backend does not support %s", what);
}

static tarn_status no_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                              tarn_addr *addr) {
    return fail_absent("virtual memory management");
}

static void no_release(void *p, tarn_addr addr, uint64_t size) {}

static tarn_status no_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    return fail_absent("virtual memory management");
}

static void no_phys_destroy(void *p, tarn_backend_phys phys) {}

static tarn_status no_map(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                          size_t count) {
    return fail_absent("virtual memory management");
}

static tarn_status no_unmap(void *p, tarn_addr addr, uint64_t size) {
    return fail_absent("virtual memory management");
}

static tarn_status no_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                 size_t count) {
    return fail_absent("virtual memory management");
}

static tarn_status no_phys_export(void *p, tarn_backend_phys phys, uint32_t type,
                                  tarn_shareable *out) {
    return fail_absent("sharing between processes");
}

static tarn_status no_phys_import(void *p, int device, const tarn_shareable *in,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    return fail_absent("sharing between processes");
}

static tarn_status no_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                                 tarn_pin_class *pin_class) {
    return fail_absent("pinned host memory");
}

static tarn_status no_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                    tarn_pin_class *pin_class) {
    return fail_absent("pinned host memory");
}

static void no_host_free(void *p, void *ptr, uint64_t size) {}

static void no_host_unregister(void *p, void *ptr, uint64_t size) {}

static bool no_peer_can(void *p, int device, int peer) { return false; }

static tarn_status no_peer_set(void *p, int device, int peer, bool enabled) {
    return fail_absent("peer access");
}

static tarn_status no_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                    tarn_memory_key *key) {
    return fail_absent("keys to device memory");
}

static tarn_status no_memory_import(void *p, int device, const tarn_memory_key *key,
                                    tarn_addr *addr, uint64_t *size) {
    return fail_absent("keys to device memory");
}

static void no_memory_close(void *p, int device, tarn_addr addr) {}

static tarn_status no_array_create(void *p, int device, const tarn_array_desc *desc,
                                   void (*unref)(void *owner, uint64_t count), void **array,
                                   tarn_backend_array_info *info) {
    return fail_absent("arrays");
}

static void no_array_destroy(void *p, void *array) {}

static tarn_status no_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                                size_t count) {
    return fail_absent("arrays");
}

static tarn_status no_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    return fail_absent("arrays");
}

static tarn_status no_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class) {
    return fail_absent("choice of pages or alignment for device memory");
}

static tarn_status no_stream_synchronize_until(void *p, void *stream, uint64_t deadline_ns) {
    return fail_absent("waits with a deadline");
}

static tarn_status no_event_synchronize_until(void *p, void *event, uint64_t deadline_ns) {
    return fail_absent("waits with a deadline");
}

static tarn_status no_device_synchronize_until(void *p, int device, uint64_t deadline_ns) {
    return fail_absent("waits with a deadline");
}

static tarn_status no_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                                 size_t count) {
    return fail_absent("lists of processes");
}

static tarn_status no_memory_allow(void *p, const tarn_memory_key *key, const int *pids,
                                   size_t count) {
    return fail_absent("lists of processes");
}

static tarn_status no_stream_wrap(void *p, int device, void *native, void **stream) {
    return fail_absent("wrapping a stream of the vendor");
}

static tarn_status no_stream_wait_until(void *p, void *stream,
                                        tarn_status (*passed)(void *arg, bool dropped), void *arg) {
    return fail_absent("conditions in streams");
}

static tarn_status no_stream_abort(void *p, void *stream) {
    return fail_absent("dropping the work of a stream");
}

static tarn_status no_stream_set_resilient(void *p, void *stream, bool resilient) {
    return fail_absent("streams that continue after a failure");
}

static tarn_status no_stream_run(void *p, void *stream, void (*fn)(void *arg, uint64_t part),
                                 void *arg, uint64_t parts) {
    return fail_absent("functions in parts");
}

static tarn_status no_trim(void *p, int device) { return TARN_OK; }

static void no_counters(void *p, tarn_backend_counters *counters) {
    *counters = (tarn_backend_counters){0};
}

static tarn_status no_check(void *p) { return TARN_OK; }

static void no_fork_prepare(void *p) {}

static void no_fork_parent(void *p) {}

static void no_fork_child(void *p) {}

#pragma GCC diagnostic pop

static void complete_slots(tarn_backend *backend) {
#define COMPLETE(slot, group)                                                                      \
    if (backend->slot == NULL) {                                                                   \
        backend->slot = no_##slot;                                                                 \
    }
    TN_BACKEND_OPTIONAL_SLOTS(COMPLETE)
#undef COMPLETE
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
    pthread_mutex_lock(&adding);
    tarn_status status = backend_add_locked(backend);
    pthread_mutex_unlock(&adding);
    return status;
}

// The library's own backends, in the order in which they are listed.
static const tarn_backend *const own_backends[] = {
    &tn_backend_host, &tn_backend_sim, &tn_backend_cuda, &tn_backend_hip, &tn_backend_ascend, NULL};

static void add_built_in(void) {
    for (const tarn_backend *const *own = own_backends; *own != NULL; own++)
        (void)backend_add(*own);
}

tarn_status tarn_backend_register(const tarn_backend *backend) {
    pthread_once(&built_in, add_built_in);
    return backend_add(backend);
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
