// SPDX-License-Identifier: Apache-2.0
// The slots of a back-end with their parameters, for the wrappers of layers. The compiler holds
// them against tarn/backend.h when a table is filled.
#pragma once

// Slots that return a status: X(slot, (parameters), (arguments), address, bytes). `address` and
// `bytes` are those that the call is about, or 0. platform_open and setting are not among them.
#define TN_BACKEND_STATUS_SLOTS(X)                                                                 \
    X(caps, (void *p, int device, tarn_backend_caps *caps), (p, device, caps), 0, 0)               \
    X(memory_info, (void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes),             \
      (p, device, free_bytes, total_bytes), 0, 0)                                                  \
    X(reserve, (void *p, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr),      \
      (p, size, alignment, hint, addr), hint, size)                                                \
    X(phys_create,                                                                                 \
      (void *p, uint64_t bytes, const tarn_phys_desc *desc, tarn_backend_phys *phys,               \
       tarn_backend_phys_info *info),                                                              \
      (p, bytes, desc, phys, info), 0, bytes)                                                      \
    X(map, (void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count),            \
      (p, addr, items, count), addr, tn_layer_item_bytes(items, count))                            \
    X(unmap, (void *p, tarn_addr addr, uint64_t size), (p, addr, size), addr, size)                \
    X(set_access,                                                                                  \
      (void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants, size_t count),            \
      (p, addr, size, grants, count), addr, size)                                                  \
    X(phys_export, (void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out),          \
      (p, phys, type, out), 0, 0)                                                                  \
    X(phys_import,                                                                                 \
      (void *p, int device, const tarn_shareable *in, tarn_backend_phys *phys,                     \
       tarn_backend_phys_info *info),                                                              \
      (p, device, in, phys, info), 0, 0)                                                           \
    X(memory_alloc, (void *p, int device, uint64_t size, tarn_addr *addr),                         \
      (p, device, size, addr), 0, size)                                                            \
    X(host_alloc, (void *p, uint64_t size, uint32_t flags, void **ptr, tarn_pin_class *pin_class), \
      (p, size, flags, ptr, pin_class), 0, size)                                                   \
    X(host_register,                                                                               \
      (void *p, void *ptr, uint64_t size, uint32_t flags, tarn_pin_class *pin_class),              \
      (p, ptr, size, flags, pin_class), TARN_ADDR(ptr), size)                                      \
    X(peer_set, (void *p, int device, int peer, bool enabled), (p, device, peer, enabled), 0, 0)   \
    X(stream_create, (void *p, int device, void **stream), (p, device, stream), 0, 0)              \
    X(stream_synchronize, (void *p, void *stream, uint64_t deadline_ns), (p, stream, deadline_ns), \
      0, 0)                                                                                        \
    X(stream_query, (void *p, void *stream), (p, stream), 0, 0)                                    \
    X(stream_wait, (void *p, void *stream, void *event), (p, stream, event), 0, 0)                 \
    X(stream_follow, (void *p, void *stream, void *event), (p, stream, event), 0, 0)               \
    X(stream_call, (void *p, void *stream, void (*fn)(void *), void *arg), (p, stream, fn, arg),   \
      0, 0)                                                                                        \
    X(device_synchronize, (void *p, int device, uint64_t deadline_ns), (p, device, deadline_ns),   \
      0, 0)                                                                                        \
    X(event_create, (void *p, void **event), (p, event), 0, 0)                                     \
    X(event_record, (void *p, void *event, void *stream), (p, event, stream), 0, 0)                \
    X(event_query, (void *p, void *event), (p, event), 0, 0)                                       \
    X(event_synchronize, (void *p, void *event, uint64_t deadline_ns), (p, event, deadline_ns), 0, \
      0)                                                                                           \
    X(event_elapsed, (void *p, void *start, void *end, int64_t *elapsed_ns),                       \
      (p, start, end, elapsed_ns), 0, 0)                                                           \
    X(copy, (void *p, void *stream, const tarn_backend_copy *desc), (p, stream, desc), desc->dst,  \
      desc->width * desc->height * desc->depth)                                                    \
    X(fill, (void *p, void *stream, const tarn_backend_fill *desc), (p, stream, desc), desc->dst,  \
      desc->width * desc->height * desc->depth)                                                    \
    X(trim, (void *p, int device), (p, device), 0, 0)                                              \
    X(check, (void *p), (p), 0, 0)                                                                 \
    X(memory_export, (void *p, int device, tarn_addr addr, uint64_t size, tarn_memory_key *key),   \
      (p, device, addr, size, key), addr, size)                                                    \
    X(memory_import,                                                                               \
      (void *p, int device, const tarn_memory_key *key, tarn_addr *addr, uint64_t *size),          \
      (p, device, key, addr, size), 0, 0)                                                          \
    X(array_create,                                                                                \
      (void *p, int device, const tarn_array_desc *desc,                                           \
       void (*unref)(void *owner, uint64_t count), void **array, tarn_backend_array_info *info),   \
      (p, device, desc, unref, array, info), 0, 0)                                                 \
    X(array_map, (void *p, void *stream, const tarn_backend_array_item *items, size_t count),      \
      (p, stream, items, count), 0, 0)                                                             \
    X(array_copy, (void *p, void *stream, const tarn_backend_array_copy *desc), (p, stream, desc), \
      0, 0)                                                                                        \
    X(memory_alloc_with,                                                                           \
      (void *p, int device, const tarn_backend_memory *desc, tarn_addr *addr,                      \
       tarn_page_class *page_class),                                                               \
      (p, device, desc, addr, page_class), 0, desc->bytes)                                         \
    X(phys_allow, (void *p, const tarn_shareable *exported, const int *pids, size_t count),        \
      (p, exported, pids, count), 0, 0)                                                            \
    X(memory_allow, (void *p, const tarn_memory_key *key, const int *pids, size_t count),          \
      (p, key, pids, count), 0, 0)                                                                 \
    X(stream_wrap, (void *p, int device, void *native, void **stream),                             \
      (p, device, native, stream), 0, 0)                                                           \
    X(stream_wait_until,                                                                           \
      (void *p, void *stream, tarn_status (*passed)(void *arg, bool dropped), void *arg),          \
      (p, stream, passed, arg), 0, 0)                                                              \
    X(stream_abort, (void *p, void *stream), (p, stream), 0, 0)                                    \
    X(stream_fail, (void *p, void *stream, const char *text), (p, stream, text), 0, 0)             \
    X(stream_set_resilient, (void *p, void *stream, bool resilient), (p, stream, resilient), 0, 0) \
    X(stream_run,                                                                                  \
      (void *p, void *stream, void (*fn)(void *arg, uint64_t part), void *arg, uint64_t parts),    \
      (p, stream, fn, arg, parts), 0, 0)

// Slots that return nothing, the same columns. platform_close is not one of them.
#define TN_BACKEND_VOID_SLOTS(X)                                                                   \
    TN_BACKEND_WORK_SLOTS(X)                                                                       \
    X(counters, (void *p, tarn_backend_counters *counters), (p, counters), 0, 0)                   \
    X(fork_prepare, (void *p), (p), 0, 0)                                                          \
    X(fork_parent, (void *p), (p), 0, 0)                                                           \
    X(fork_child, (void *p), (p), 0, 0)

// Those of them that do work for the program.
#define TN_BACKEND_WORK_SLOTS(X)                                                                   \
    X(release, (void *p, tarn_addr addr, uint64_t size), (p, addr, size), addr, size)              \
    X(phys_destroy, (void *p, tarn_backend_phys phys), (p, phys), 0, 0)                            \
    X(memory_free, (void *p, int device, tarn_addr addr), (p, device, addr), addr, 0)              \
    X(host_free, (void *p, void *ptr, uint64_t size), (p, ptr, size), TARN_ADDR(ptr), size)        \
    X(host_unregister, (void *p, void *ptr, uint64_t size), (p, ptr, size), TARN_ADDR(ptr), size)  \
    X(stream_destroy, (void *p, void *stream), (p, stream), 0, 0)                                  \
    X(event_destroy, (void *p, void *event), (p, event), 0, 0)                                     \
    X(memory_close, (void *p, int device, tarn_addr addr), (p, device, addr), addr, 0)             \
    X(array_destroy, (void *p, void *array), (p, array), 0, 0)
