// SPDX-License-Identifier: Apache-2.0
// The functions of the table that are in files of their own: see backend/vendor/driver.h for what
// each does.
#ifndef TARN_BACKEND_CUDA_PARTS_H
#define TARN_BACKEND_CUDA_PARTS_H

#include "backend/cuda/api.h"

// ---- memory.c

struct tn_native tn_cuda_memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes);
struct tn_native tn_cuda_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                 tarn_addr *addr);
struct tn_native tn_cuda_unreserve(void *d, tarn_addr addr, uint64_t size);
struct tn_native tn_cuda_create(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle);
struct tn_native tn_cuda_destroy(void *d, uint64_t handle);
struct tn_native tn_cuda_map(void *d, tarn_addr addr, uint64_t size, uint64_t handle);
struct tn_native tn_cuda_unmap(void *d, tarn_addr addr, uint64_t size);
struct tn_native tn_cuda_set_access(void *d, tarn_addr addr, uint64_t size,
                                    const struct tn_vendor_right *rights, size_t count);
struct tn_native tn_cuda_export(void *d, uint64_t handle, tarn_shareable *out);
struct tn_native tn_cuda_import(void *d, int device, const tarn_shareable *in, uint64_t *handle);
struct tn_native tn_cuda_owner(void *d, uint64_t handle, int *device);
struct tn_native tn_cuda_alloc(void *d, uint64_t size, tarn_addr *addr);
struct tn_native tn_cuda_free(void *d, tarn_addr addr);
struct tn_native tn_cuda_pool_open(void *d, int device, void **pool);
struct tn_native tn_cuda_pool_close(void *d, void *pool);
struct tn_native tn_cuda_pool_peer(void *d, void *pool, int peer);
struct tn_native tn_cuda_pool_alloc(void *d, void *pool, void *stream, uint64_t size,
                                    tarn_addr *addr);
struct tn_native tn_cuda_pool_free(void *d, void *stream, tarn_addr addr);
struct tn_native tn_cuda_pool_trim(void *d, void *pool);
struct tn_native tn_cuda_host_alloc(void *d, uint64_t size, void **ptr);
struct tn_native tn_cuda_host_free(void *d, void *ptr);
struct tn_native tn_cuda_host_register(void *d, void *ptr, uint64_t size);
struct tn_native tn_cuda_host_unregister(void *d, void *ptr);

#define TN_CUDA_MEMORY_FUNCTIONS                                                                   \
    .memory_info = tn_cuda_memory_info, .reserve = tn_cuda_reserve,                                \
    .unreserve = tn_cuda_unreserve, .create = tn_cuda_create, .destroy = tn_cuda_destroy,          \
    .map = tn_cuda_map, .unmap = tn_cuda_unmap, .set_access = tn_cuda_set_access,                  \
    .export = tn_cuda_export, .import = tn_cuda_import, .owner = tn_cuda_owner,                    \
    .alloc = tn_cuda_alloc, .free = tn_cuda_free, .pool_open = tn_cuda_pool_open,                  \
    .pool_close = tn_cuda_pool_close, .pool_peer = tn_cuda_pool_peer,                              \
    .pool_alloc = tn_cuda_pool_alloc, .pool_free = tn_cuda_pool_free,                              \
    .pool_trim = tn_cuda_pool_trim, .host_alloc = tn_cuda_host_alloc,                              \
    .host_free = tn_cuda_host_free, .host_register = tn_cuda_host_register,                        \
    .host_unregister = tn_cuda_host_unregister

// ---- work.c

struct tn_native tn_cuda_stream_create(void *d, void **stream);
struct tn_native tn_cuda_stream_destroy(void *d, void *stream);
struct tn_native tn_cuda_stream_synchronize(void *d, void *stream);
struct tn_native tn_cuda_stream_query(void *d, void *stream);
struct tn_native tn_cuda_stream_wait(void *d, void *stream, void *event);
struct tn_native tn_cuda_stream_call(void *d, void *stream, void (*fn)(void *), void *arg);
struct tn_native tn_cuda_device_synchronize(void *d);
struct tn_native tn_cuda_event_create(void *d, void **event);
struct tn_native tn_cuda_event_destroy(void *d, void *event);
struct tn_native tn_cuda_event_record(void *d, void *event, void *stream);
struct tn_native tn_cuda_event_query(void *d, void *event);
struct tn_native tn_cuda_event_synchronize(void *d, void *event);
struct tn_native tn_cuda_event_elapsed(void *d, void *start, void *end, int64_t *ns);
bool tn_cuda_is_pageable(void *d, tarn_addr addr);
struct tn_native tn_cuda_copy(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes);
struct tn_native tn_cuda_copy_box(void *d, void *stream, const struct tn_vendor_box *box);
struct tn_native tn_cuda_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                              unsigned element, uint64_t bytes);
struct tn_native tn_cuda_fill_box(void *d, void *stream, const struct tn_vendor_box *box,
                                  uint32_t value, unsigned element);

#define TN_CUDA_WORK_FUNCTIONS                                                                     \
    .stream_create = tn_cuda_stream_create, .stream_destroy = tn_cuda_stream_destroy,              \
    .stream_synchronize = tn_cuda_stream_synchronize, .stream_query = tn_cuda_stream_query,        \
    .stream_wait = tn_cuda_stream_wait, .stream_call = tn_cuda_stream_call,                        \
    .device_synchronize = tn_cuda_device_synchronize, .event_create = tn_cuda_event_create,        \
    .event_destroy = tn_cuda_event_destroy, .event_record = tn_cuda_event_record,                  \
    .event_query = tn_cuda_event_query, .event_synchronize = tn_cuda_event_synchronize,            \
    .event_elapsed = tn_cuda_event_elapsed, .is_pageable = tn_cuda_is_pageable,                    \
    .copy = tn_cuda_copy, .copy_box = tn_cuda_copy_box, .fill = tn_cuda_fill,                      \
    .fill_box = tn_cuda_fill_box

#endif
