// SPDX-License-Identifier: Apache-2.0
// The slots of a tarn_backend with their groups and parameters. The registry checks tables with these
// lists. A backend that names its functions tn_<backend>_<slot> can declare them and fill its table
// with them. The compiler holds the parameters against <tarn/backend.h> when a table is filled.
#pragma once

// Every backend has the slots of group M. A slot of group O may be NULL. Of any other group a table
// has all slots or none.

// Slots that return a status: X(slot, group, (parameters), (arguments), address, bytes). `address` and
// `bytes` are those that the call is about, or 0. platform_open and setting are not among them.
#define TN_BACKEND_STATUS_SLOTS(X)                                                                 \
    X(caps, M, (void *p, int device, tarn_backend_caps *caps), (p, device, caps), 0, 0)            \
    X(memory_info, M, (void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes),          \
      (p, device, free_bytes, total_bytes), 0, 0)                                                  \
    X(reserve, VMM, (void *p, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr), \
      (p, size, alignment, hint, addr), hint, size)                                                \
    X(phys_create, VMM,                                                                            \
      (void *p, uint64_t bytes, const tarn_phys_desc *desc, tarn_backend_phys *phys,               \
       tarn_backend_phys_info *info),                                                              \
      (p, bytes, desc, phys, info), 0, bytes)                                                      \
    X(map, VMM, (void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count),       \
      (p, addr, items, count), addr, tn_layer_item_bytes(items, count))                            \
    X(unmap, VMM, (void *p, tarn_addr addr, uint64_t size), (p, addr, size), addr, size)           \
    X(set_access, VMM,                                                                             \
      (void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants, size_t count),            \
      (p, addr, size, grants, count), addr, size)                                                  \
    X(phys_export, SHARE, (void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out),   \
      (p, phys, type, out), 0, 0)                                                                  \
    X(phys_import, SHARE,                                                                          \
      (void *p, int device, const tarn_shareable *in, tarn_backend_phys *phys,                     \
       tarn_backend_phys_info *info),                                                              \
      (p, device, in, phys, info), 0, 0)                                                           \
    X(memory_alloc, M, (void *p, int device, uint64_t size, tarn_addr *addr),                      \
      (p, device, size, addr), 0, size)                                                            \
    X(host_alloc, PIN,                                                                             \
      (void *p, uint64_t size, uint32_t flags, void **ptr, tarn_pin_class *pin_class),             \
      (p, size, flags, ptr, pin_class), 0, size)                                                   \
    X(host_register, PIN,                                                                          \
      (void *p, void *ptr, uint64_t size, uint32_t flags, tarn_pin_class *pin_class),              \
      (p, ptr, size, flags, pin_class), TARN_ADDR(ptr), size)                                      \
    X(peer_set, PEER, (void *p, int device, int peer, bool enabled), (p, device, peer, enabled),   \
      0, 0)                                                                                        \
    X(stream_create, M, (void *p, int device, void **stream), (p, device, stream), 0, 0)           \
    X(stream_synchronize, M, (void *p, void *stream, uint64_t deadline_ns),                        \
      (p, stream, deadline_ns), 0, 0)                                                              \
    X(stream_query, M, (void *p, void *stream), (p, stream), 0, 0)                                 \
    X(stream_wait, M, (void *p, void *stream, void *event), (p, stream, event), 0, 0)              \
    X(stream_follow, O, (void *p, void *stream, void *event), (p, stream, event), 0, 0)            \
    X(stream_call, M, (void *p, void *stream, void (*fn)(void *), void *arg),                      \
      (p, stream, fn, arg), 0, 0)                                                                  \
    X(device_synchronize, M, (void *p, int device, uint64_t deadline_ns),                          \
      (p, device, deadline_ns), 0, 0)                                                              \
    X(event_create, M, (void *p, void **event), (p, event), 0, 0)                                  \
    X(event_record, M, (void *p, void *event, void *stream), (p, event, stream), 0, 0)             \
    X(event_query, M, (void *p, void *event), (p, event), 0, 0)                                    \
    X(event_synchronize, M, (void *p, void *event, uint64_t deadline_ns), (p, event, deadline_ns), \
      0, 0)                                                                                        \
    X(event_elapsed, M, (void *p, void *start, void *end, int64_t *elapsed_ns),                    \
      (p, start, end, elapsed_ns), 0, 0)                                                           \
    X(copy, M, (void *p, void *stream, const tarn_backend_copy *desc), (p, stream, desc),          \
      desc->dst, desc->width * desc->height * desc->depth)                                         \
    X(fill, M, (void *p, void *stream, const tarn_backend_fill *desc), (p, stream, desc),          \
      desc->dst, desc->width * desc->height * desc->depth)                                         \
    X(trim, O, (void *p, int device), (p, device), 0, 0)                                           \
    X(check, O, (void *p), (p), 0, 0)                                                              \
    X(memory_export, MEMORY_SHARE,                                                                 \
      (void *p, int device, tarn_addr addr, uint64_t size, tarn_key *key),                         \
      (p, device, addr, size, key), addr, size)                                                    \
    X(memory_import, MEMORY_SHARE,                                                                 \
      (void *p, int device, const tarn_key *key, tarn_addr *addr, uint64_t *size),                 \
      (p, device, key, addr, size), 0, 0)                                                          \
    X(array_create, ARRAY,                                                                         \
      (void *p, int device, const tarn_array_desc *desc,                                           \
       void (*unref)(void *owner, uint64_t count), void **array, tarn_backend_array_info *info),   \
      (p, device, desc, unref, array, info), 0, 0)                                                 \
    X(array_map, ARRAY,                                                                            \
      (void *p, void *stream, const tarn_backend_array_item *items, size_t count),                 \
      (p, stream, items, count), 0, 0)                                                             \
    X(array_copy, ARRAY, (void *p, void *stream, const tarn_backend_array_copy *desc),             \
      (p, stream, desc), 0, 0)                                                                     \
    X(memory_alloc_with, O,                                                                        \
      (void *p, int device, const tarn_backend_memory *desc, tarn_addr *addr,                      \
       tarn_page_class *page_class),                                                               \
      (p, device, desc, addr, page_class), 0, desc->bytes)                                         \
    X(phys_allow, O, (void *p, const tarn_shareable *exported, const int *pids, size_t count),     \
      (p, exported, pids, count), 0, 0)                                                            \
    X(memory_allow, O, (void *p, const tarn_key *key, const int *pids, size_t count),              \
      (p, key, pids, count), 0, 0)                                                                 \
    X(stream_wrap, O, (void *p, int device, void *native, void **stream),                          \
      (p, device, native, stream), 0, 0)                                                           \
    X(stream_wait_until, O,                                                                        \
      (void *p, void *stream, tarn_status (*passed)(void *arg, bool dropped), void *arg),          \
      (p, stream, passed, arg), 0, 0)                                                              \
    X(stream_abort, O, (void *p, void *stream), (p, stream), 0, 0)                                 \
    X(stream_fail, O, (void *p, void *stream, const char *text), (p, stream, text), 0, 0)          \
    X(stream_set_resilient, O, (void *p, void *stream, bool resilient), (p, stream, resilient), 0, \
      0)                                                                                           \
    X(stream_run, O,                                                                               \
      (void *p, void *stream, void (*fn)(void *arg, uint64_t part), void *arg, uint64_t parts),    \
      (p, stream, fn, arg, parts), 0, 0)                                                           \
    X(stream_peek, O, (void *p, void *stream), (p, stream), 0, 0)                                  \
    X(event_peek, O, (void *p, void *event), (p, event), 0, 0)                                     \
    X(memory_export_fd, O, (void *p, tarn_addr addr, uint64_t size, int *fd), (p, addr, size, fd), \
      addr, size)

// Slots that return nothing, the same columns. platform_close is not one of them.
#define TN_BACKEND_VOID_SLOTS(X)                                                                   \
    TN_BACKEND_WORK_SLOTS(X)                                                                       \
    X(counters, O, (void *p, tarn_backend_counters *counters), (p, counters), 0, 0)                \
    X(fork_prepare, FORK, (void *p), (p), 0, 0)                                                    \
    X(fork_parent, FORK, (void *p), (p), 0, 0)                                                     \
    X(fork_child, FORK, (void *p), (p), 0, 0)

// Those of them that do work for the program.
#define TN_BACKEND_WORK_SLOTS(X)                                                                   \
    X(release, VMM, (void *p, tarn_addr addr, uint64_t size), (p, addr, size), addr, size)         \
    X(phys_destroy, VMM, (void *p, tarn_backend_phys phys), (p, phys), 0, 0)                       \
    X(memory_free, M, (void *p, int device, tarn_addr addr), (p, device, addr), addr, 0)           \
    X(host_free, PIN, (void *p, void *ptr, uint64_t size), (p, ptr, size), TARN_ADDR(ptr), size)   \
    X(host_unregister, PIN, (void *p, void *ptr, uint64_t size), (p, ptr, size), TARN_ADDR(ptr),   \
      size)                                                                                        \
    X(stream_destroy, M, (void *p, void *stream), (p, stream), 0, 0)                               \
    X(event_destroy, M, (void *p, void *event), (p, event), 0, 0)                                  \
    X(memory_close, MEMORY_SHARE, (void *p, int device, tarn_addr addr), (p, device, addr), addr,  \
      0)                                                                                           \
    X(array_destroy, ARRAY, (void *p, void *array), (p, array), 0, 0)

// All slots: X(slot, group, ...).
#define TN_BACKEND_SLOTS(X)                                                                        \
    X(platform_open, M, )                                                                          \
    X(platform_close, M, )                                                                         \
    X(device_count, M, )                                                                           \
    X(setting, M, )                                                                                \
    X(peer_can, PEER, )                                                                            \
    TN_BACKEND_STATUS_SLOTS(X)                                                                     \
    TN_BACKEND_VOID_SLOTS(X)

// The function type of a slot, to declare the function that fills it.
#define TN_BACKEND_SLOT_TYPE(slot) __typeof__(*((tarn_backend *)0)->slot)
