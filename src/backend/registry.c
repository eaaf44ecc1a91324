// SPDX-License-Identifier: Apache-2.0
// The registry of backends: an append-only array. Entries are complete tables: mandatory slots are
// verified, groups are whole or absent, absent optional slots are stubs. Entries never change once
// the count covers them.
#include "backend/registry.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/ascend/ascend.h"
#include "backend/cuda/cuda.h"
#include "backend/hip/hip.h"
#include "backend/host/host.h"
#include "backend/sim/sim.h"
#include "base/atomic.h"
#include "base/error.h"

enum { CAPACITY = 16 };

static tarn_backend backends[CAPACITY];
static _Atomic unsigned count; // release after an entry is whole, acquire before it is read
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t built_in = PTHREAD_ONCE_INIT;

// ---- what a table must have

// Every function slot: X(name, group). M: mandatory, O: optional by itself, else all or none of the
// group.
#define SLOT_LIST(X)                                                                               \
    X(platform_open, M)                                                                            \
    X(platform_close, M)                                                                           \
    X(device_count, M)                                                                             \
    X(caps, M)                                                                                     \
    X(setting, M)                                                                                  \
    X(memory_info, M)                                                                              \
    X(reserve, VMM)                                                                                \
    X(release, VMM)                                                                                \
    X(phys_create, VMM)                                                                            \
    X(phys_destroy, VMM)                                                                           \
    X(map, VMM)                                                                                    \
    X(unmap, VMM)                                                                                  \
    X(set_access, VMM)                                                                             \
    X(phys_export, SHARE)                                                                          \
    X(phys_import, SHARE)                                                                          \
    X(memory_alloc, M)                                                                             \
    X(memory_free, M)                                                                              \
    X(host_alloc, PIN)                                                                             \
    X(host_free, PIN)                                                                              \
    X(host_register, PIN)                                                                          \
    X(host_unregister, PIN)                                                                        \
    X(peer_can, PEER)                                                                              \
    X(peer_set, PEER)                                                                              \
    X(stream_create, M)                                                                            \
    X(stream_destroy, M)                                                                           \
    X(stream_synchronize, M)                                                                       \
    X(stream_query, M)                                                                             \
    X(stream_wait, M)                                                                              \
    X(stream_call, M)                                                                              \
    X(device_synchronize, M)                                                                       \
    X(event_create, M)                                                                             \
    X(event_destroy, M)                                                                            \
    X(event_record, M)                                                                             \
    X(event_query, M)                                                                              \
    X(event_synchronize, M)                                                                        \
    X(event_elapsed, M)                                                                            \
    X(copy, M)                                                                                     \
    X(fill, M)                                                                                     \
    X(trim, O)                                                                                     \
    X(counters, O)                                                                                 \
    X(check, O)                                                                                    \
    X(fork_prepare, FORK)                                                                          \
    X(fork_parent, FORK)                                                                           \
    X(fork_child, FORK)                                                                            \
    X(memory_export, MEMORY_SHARE)                                                                 \
    X(memory_import, MEMORY_SHARE)                                                                 \
    X(memory_close, MEMORY_SHARE)                                                                  \
    X(array_create, ARRAY)                                                                         \
    X(array_destroy, ARRAY)                                                                        \
    X(array_map, ARRAY)                                                                            \
    X(array_copy, ARRAY)                                                                           \
    X(memory_alloc_with, O)                                                                        \
    X(stream_synchronize_until, WAIT_UNTIL)                                                        \
    X(event_synchronize_until, WAIT_UNTIL)                                                         \
    X(device_synchronize_until, WAIT_UNTIL)                                                        \
    X(phys_allow, O)                                                                               \
    X(memory_allow, O)                                                                             \
    X(stream_wrap, O)

enum group { M, O, VMM, SHARE, PIN, PEER, FORK, MEMORY_SHARE, ARRAY, WAIT_UNTIL, GROUPS };

struct slot {
    const char *name;
    enum group group;
    bool present;
};

// A slot belongs to a group that is partly there, or is mandatory: its absence is refused.
static tarn_status verify_slots(const tarn_backend *backend) {
    const struct slot slots[] = {
#define ROW(slot, group) {#slot, group, backend->slot != NULL},
        SLOT_LIST(ROW)
#undef ROW
    };
    bool needed[GROUPS] = {[M] = true};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        needed[slots[i].group] |= slots[i].present && slots[i].group != O;
    }
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (!slots[i].present && needed[slots[i].group]) {
            return tn_fail(TARN_BAD_ARGUMENT, "backend \"%s\" lacks the slot %s", backend->name,
                           slots[i].name);
        }
    }
    return TARN_OK;
}

// ---- stubs for absent groups

static tarn_status absent(const char *what) {
    return tn_fail(TARN_UNSUPPORTED, "this backend has no %s", what);
}

static tarn_status no_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                              tarn_addr *addr) {
    (void)p, (void)size, (void)alignment, (void)hint, (void)addr;
    return absent("virtual memory management");
}

static void no_release(void *p, tarn_addr addr, uint64_t size) {
    (void)p, (void)addr, (void)size;
}

static tarn_status no_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    (void)p, (void)bytes, (void)desc, (void)phys, (void)info;
    return absent("virtual memory management");
}

static void no_phys_destroy(void *p, tarn_backend_phys phys) {
    (void)p, (void)phys;
}

static tarn_status no_map(void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t n) {
    (void)p, (void)addr, (void)items, (void)n;
    return absent("virtual memory management");
}

static tarn_status no_unmap(void *p, tarn_addr addr, uint64_t size) {
    (void)p, (void)addr, (void)size;
    return absent("virtual memory management");
}

static tarn_status no_set_access(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                 size_t n) {
    (void)p, (void)addr, (void)size, (void)grants, (void)n;
    return absent("virtual memory management");
}

static tarn_status no_phys_export(void *p, tarn_backend_phys phys, uint32_t type,
                                  tarn_shareable *out) {
    (void)p, (void)phys, (void)type, (void)out;
    return absent("sharing between processes");
}

static tarn_status no_phys_import(void *p, int device, const tarn_shareable *in,
                                  tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    (void)p, (void)device, (void)in, (void)phys, (void)info;
    return absent("sharing between processes");
}

static tarn_status no_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                                 tarn_pin_class *pin_class) {
    (void)p, (void)size, (void)flags, (void)ptr, (void)pin_class;
    return absent("pinned host memory");
}

static tarn_status no_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                    tarn_pin_class *pin_class) {
    (void)p, (void)ptr, (void)size, (void)flags, (void)pin_class;
    return absent("pinned host memory");
}

static void no_host_release(void *p, void *ptr, uint64_t size) {
    (void)p, (void)ptr, (void)size;
}

static bool no_peer_can(void *p, int device, int peer) {
    (void)p, (void)device, (void)peer;
    return false;
}

static tarn_status no_peer_set(void *p, int device, int peer, bool enabled) {
    (void)p, (void)device, (void)peer, (void)enabled;
    return absent("peer access");
}

static tarn_status no_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                    tarn_memory_key *key) {
    (void)p, (void)device, (void)addr, (void)size, (void)key;
    return absent("keys to device memory");
}

static tarn_status no_memory_import(void *p, int device, const tarn_memory_key *key,
                                    tarn_addr *addr, uint64_t *size) {
    (void)p, (void)device, (void)key, (void)addr, (void)size;
    return absent("keys to device memory");
}

static void no_memory_close(void *p, int device, tarn_addr addr) {
    (void)p, (void)device, (void)addr;
}

static tarn_status no_array_create(void *p, int device, const tarn_array_desc *desc,
                                   void (*let_go)(void *owner, uint64_t count), void **array,
                                   tarn_backend_array_info *info) {
    (void)p, (void)device, (void)desc, (void)let_go, (void)array, (void)info;
    return absent("arrays");
}

static void no_array_destroy(void *p, void *array) {
    (void)p, (void)array;
}

static tarn_status no_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                                size_t n) {
    (void)p, (void)stream, (void)items, (void)n;
    return absent("arrays");
}

static tarn_status no_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc) {
    (void)p, (void)stream, (void)desc;
    return absent("arrays");
}

static tarn_status no_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class) {
    (void)p, (void)device, (void)desc, (void)addr, (void)page_class;
    return absent("choice of pages or alignment for device memory");
}

static tarn_status no_wait_until(void *p, void *object, uint64_t deadline_ns) {
    (void)p, (void)object, (void)deadline_ns;
    return absent("waits with a deadline");
}

static tarn_status no_device_wait_until(void *p, int device, uint64_t deadline_ns) {
    (void)p, (void)device, (void)deadline_ns;
    return absent("waits with a deadline");
}

static tarn_status no_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                                 size_t n) {
    (void)p, (void)exported, (void)pids, (void)n;
    return absent("lists of processes");
}

static tarn_status no_memory_allow(void *p, const tarn_memory_key *key, const int *pids, size_t n) {
    (void)p, (void)key, (void)pids, (void)n;
    return absent("lists of processes");
}

static tarn_status no_stream_wrap(void *p, int device, void *native, void **stream) {
    (void)p, (void)device, (void)native, (void)stream;
    return absent("streams over those of others");
}

static tarn_status nothing_to_trim(void *p, int device) {
    (void)p, (void)device;
    return TARN_OK;
}

static void no_counters(void *p, tarn_backend_counters *counters) {
    (void)p;
    *counters = (tarn_backend_counters){0};
}

static tarn_status nothing_to_check(void *p) {
    (void)p;
    return TARN_OK;
}

static void no_fork_hook(void *p) {
    (void)p;
}

static void complete_groups(tarn_backend *b) {
    if (b->reserve == NULL) {
        b->reserve = no_reserve;
        b->release = no_release;
        b->phys_create = no_phys_create;
        b->phys_destroy = no_phys_destroy;
        b->map = no_map;
        b->unmap = no_unmap;
        b->set_access = no_set_access;
    }
    if (b->phys_export == NULL) {
        b->phys_export = no_phys_export;
        b->phys_import = no_phys_import;
    }
    if (b->host_alloc == NULL) {
        b->host_alloc = no_host_alloc;
        b->host_free = no_host_release;
        b->host_register = no_host_register;
        b->host_unregister = no_host_release;
    }
    if (b->peer_can == NULL) {
        b->peer_can = no_peer_can;
        b->peer_set = no_peer_set;
    }
    if (b->memory_export == NULL) {
        b->memory_export = no_memory_export;
        b->memory_import = no_memory_import;
        b->memory_close = no_memory_close;
    }
    if (b->array_create == NULL) {
        b->array_create = no_array_create;
        b->array_destroy = no_array_destroy;
        b->array_map = no_array_map;
        b->array_copy = no_array_copy;
    }
    if (b->stream_synchronize_until == NULL) {
        b->stream_synchronize_until = no_wait_until;
        b->event_synchronize_until = no_wait_until;
        b->device_synchronize_until = no_device_wait_until;
    }
}

static void complete_optional(tarn_backend *b) {
    if (b->memory_alloc_with == NULL) {
        b->memory_alloc_with = no_memory_alloc_with;
    }
    if (b->phys_allow == NULL) {
        b->phys_allow = no_phys_allow;
    }
    if (b->memory_allow == NULL) {
        b->memory_allow = no_memory_allow;
    }
    if (b->stream_wrap == NULL) {
        b->stream_wrap = no_stream_wrap;
    }
    if (b->trim == NULL) {
        b->trim = nothing_to_trim;
    }
    if (b->counters == NULL) {
        b->counters = no_counters;
    }
    if (b->check == NULL) {
        b->check = nothing_to_check;
    }
    if (b->fork_prepare == NULL) {
        b->fork_prepare = no_fork_hook;
        b->fork_parent = no_fork_hook;
        b->fork_child = no_fork_hook;
    }
}

// ---- the array

static const tarn_backend *find(const char *name, size_t length) {
    unsigned n = tn_load_acquire(&count);
    for (unsigned i = 0; i < n; i++) {
        if (strlen(backends[i].name) == length && memcmp(backends[i].name, name, length) == 0) {
            return &backends[i];
        }
    }
    return NULL;
}

static tarn_status add_locked(const tarn_backend *backend) {
    unsigned n = tn_load_relaxed(&count);
    if (n == CAPACITY) {
        return tn_fail(TARN_NO_HANDLES, "there are %d backends already", CAPACITY);
    }
    if (find(backend->name, strlen(backend->name)) != NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "a backend \"%s\" exists already", backend->name);
    }
    tarn_backend own = {0};
    memcpy(&own, backend, backend->struct_size < sizeof own ? backend->struct_size : sizeof own);
    tarn_status status = verify_slots(&own);
    if (status != TARN_OK) {
        return status;
    }
    complete_groups(&own);
    complete_optional(&own);
    backends[n] = own;
    tn_store_release(&count, n + 1);
    return TARN_OK;
}

static tarn_status add(const tarn_backend *backend) {
    if (backend == NULL || backend->struct_size < offsetof(tarn_backend, platform_open)) {
        return tn_fail(TARN_BAD_ARGUMENT, "a backend's table is NULL or its size is not set");
    }
    if (backend->name == NULL || backend->name[0] == '\0' ||
        strpbrk(backend->name, ":,=") != NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "a backend needs a name without ':', ',' and '='");
    }
    if (backend->abi != TARN_BACKEND_ABI) {
        return tn_fail(TARN_BAD_ARGUMENT, "backend \"%s\" has abi %u, this library speaks %u",
                       backend->name, backend->abi, TARN_BACKEND_ABI);
    }
    pthread_mutex_lock(&adding);
    tarn_status status = add_locked(backend);
    pthread_mutex_unlock(&adding);
    return status;
}

// The library's own backends, in the order in which they are listed.
static const tarn_backend *const own_backends[] = {
    &tn_backend_host, &tn_backend_sim, &tn_backend_cuda, &tn_backend_hip, &tn_backend_ascend, NULL};

static void add_built_in(void) {
    for (const tarn_backend *const *own = own_backends; *own != NULL; own++) {
        (void)add(*own);
    }
}

tarn_status tarn_backend_register(const tarn_backend *backend) {
    pthread_once(&built_in, add_built_in);
    return add(backend);
}

const tarn_backend *tn_backend_find(const char *name, size_t length) {
    pthread_once(&built_in, add_built_in);
    return find(name, length);
}

const char *tarn_backend_name(unsigned index, const char **summary) {
    pthread_once(&built_in, add_built_in);
    if (index >= tn_load_acquire(&count)) {
        return NULL;
    }
    if (summary != NULL) {
        *summary = backends[index].summary;
    }
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
