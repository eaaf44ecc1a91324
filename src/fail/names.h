// SPDX-License-Identifier: Apache-2.0
// The calls that can be made to fail, each with the status that is its default. Frees, unmaps and
// queries are missing: by contract they do not fail for want of anything. tests/lint/fail_points.sh
// holds the list of public functions against the headers and the sources.
#pragma once

// Slots of a back-end (tarn/backend.h): X(slot, status).
#define TN_FAIL_SLOTS(X)                                                                           \
    X(memory_info, SYSTEM)                                                                         \
    X(reserve, NO_ADDRESS_SPACE)                                                                   \
    X(phys_create, NO_DEVICE_MEMORY)                                                               \
    X(map, NO_MAPPINGS)                                                                            \
    X(set_access, NO_MAPPINGS)                                                                     \
    X(phys_export, NO_HANDLES)                                                                     \
    X(phys_import, NO_HANDLES)                                                                     \
    X(phys_allow, NO_HOST_MEMORY)                                                                  \
    X(memory_alloc, NO_DEVICE_MEMORY)                                                              \
    X(memory_alloc_with, NO_DEVICE_MEMORY)                                                         \
    X(memory_export, NO_HANDLES)                                                                   \
    X(memory_import, NO_HANDLES)                                                                   \
    X(memory_allow, NO_HOST_MEMORY)                                                                \
    X(host_alloc, NO_HOST_MEMORY)                                                                  \
    X(host_register, NO_HOST_MEMORY)                                                               \
    X(peer_set, NO_HANDLES)                                                                        \
    X(stream_create, NO_HANDLES)                                                                   \
    X(stream_wrap, NO_HANDLES)                                                                     \
    X(stream_wait, NO_HOST_MEMORY)                                                                 \
    X(stream_follow, NO_HOST_MEMORY)                                                               \
    X(stream_call, NO_HOST_MEMORY)                                                                 \
    X(stream_run, NO_HOST_MEMORY)                                                                  \
    X(stream_wait_until, NO_HOST_MEMORY)                                                           \
    X(stream_abort, DEVICE_FAILED)                                                                 \
    X(stream_fail, DEVICE_FAILED)                                                                  \
    X(stream_query, DEVICE_FAILED)                                                                 \
    X(stream_peek, DEVICE_FAILED)                                                                  \
    X(stream_synchronize, DEVICE_FAILED)                                                           \
    X(event_create, NO_HANDLES)                                                                    \
    X(event_record, NO_HOST_MEMORY)                                                                \
    X(event_query, DEVICE_FAILED)                                                                  \
    X(event_peek, DEVICE_FAILED)                                                                   \
    X(event_synchronize, DEVICE_FAILED)                                                            \
    X(event_elapsed, DEVICE_FAILED)                                                                \
    X(device_synchronize, DEVICE_FAILED)                                                           \
    X(copy, NO_HOST_MEMORY)                                                                        \
    X(fill, NO_HOST_MEMORY)                                                                        \
    X(array_create, NO_DEVICE_MEMORY)                                                              \
    X(array_map, NO_HOST_MEMORY)                                                                   \
    X(array_copy, NO_HOST_MEMORY)                                                                  \
    X(trim, SYSTEM)

// Short names of slots: X(short, slot).
#define TN_FAIL_ALIASES(X)                                                                         \
    X(create, phys_create)                                                                         \
    X(access, set_access)                                                                          \
    X(alloc, memory_alloc)                                                                         \
    X(export, phys_export)                                                                         \
    X(import, phys_import)

// Public functions of Tarn: X(function, status). Each begins with TN_FAIL_POINT (fail/point.h).
#define TN_FAIL_FUNCTIONS(X)                                                                       \
    X(tarn_device_open, NO_HOST_MEMORY)                                                            \
    X(tarn_device_enable_peer, NO_HANDLES)                                                         \
    X(tarn_device_synchronize, DEVICE_FAILED)                                                      \
    X(tarn_space_reserve, NO_ADDRESS_SPACE)                                                        \
    X(tarn_phys_create, NO_DEVICE_MEMORY)                                                          \
    X(tarn_phys_export, NO_HANDLES)                                                                \
    X(tarn_phys_import, NO_HANDLES)                                                                \
    X(tarn_phys_allow, NO_HOST_MEMORY)                                                             \
    X(tarn_map, NO_MAPPINGS)                                                                       \
    X(tarn_map_many, NO_MAPPINGS)                                                                  \
    X(tarn_map_set_access, NO_MAPPINGS)                                                            \
    X(tarn_memory_alloc, NO_DEVICE_MEMORY)                                                         \
    X(tarn_memory_alloc_with, NO_DEVICE_MEMORY)                                                    \
    X(tarn_memory_export, NO_HANDLES)                                                              \
    X(tarn_memory_allow, NO_HOST_MEMORY)                                                           \
    X(tarn_memory_import, NO_HANDLES)                                                              \
    X(tarn_host_alloc, NO_HOST_MEMORY)                                                             \
    X(tarn_host_register, NO_HOST_MEMORY)                                                          \
    X(tarn_copy, NO_HOST_MEMORY)                                                                   \
    X(tarn_copy_box, NO_HOST_MEMORY)                                                               \
    X(tarn_fill, NO_HOST_MEMORY)                                                                   \
    X(tarn_fill_box, NO_HOST_MEMORY)                                                               \
    X(tarn_stream_create, NO_HANDLES)                                                              \
    X(tarn_stream_wrap, NO_HANDLES)                                                                \
    X(tarn_stream_synchronize, DEVICE_FAILED)                                                      \
    X(tarn_stream_wait, NO_HOST_MEMORY)                                                            \
    X(tarn_stream_follow, NO_HOST_MEMORY)                                                          \
    X(tarn_stream_call, NO_HOST_MEMORY)                                                            \
    X(tarn_stream_run, NO_HOST_MEMORY)                                                             \
    X(tarn_stream_wait_until, NO_HOST_MEMORY)                                                      \
    X(tarn_stream_abort, DEVICE_FAILED)                                                            \
    X(tarn_stream_fail, DEVICE_FAILED)                                                             \
    X(tarn_event_create, NO_HANDLES)                                                               \
    X(tarn_event_create_shared, NO_HANDLES)                                                        \
    X(tarn_event_export, NO_HANDLES)                                                               \
    X(tarn_event_import, NO_HANDLES)                                                               \
    X(tarn_event_record, NO_HOST_MEMORY)                                                           \
    X(tarn_event_synchronize, DEVICE_FAILED)                                                       \
    X(tarn_array_create, NO_DEVICE_MEMORY)                                                         \
    X(tarn_array_map, NO_HOST_MEMORY)                                                              \
    X(tarn_array_copy, NO_HOST_MEMORY)                                                             \
    X(tarn_plan_make, NO_HOST_MEMORY)                                                              \
    X(tarn_pool_create, NO_HOST_MEMORY)                                                            \
    X(tarn_pool_create_over, NO_HOST_MEMORY)                                                       \
    X(tarn_pool_alloc, NO_DEVICE_MEMORY)                                                           \
    X(tarn_pool_alloc_with, NO_DEVICE_MEMORY)                                                      \
    X(tarn_pool_extend, NO_DEVICE_MEMORY)                                                          \
    X(tarn_pool_sleep, NO_HOST_MEMORY)                                                             \
    X(tarn_pool_wake, NO_DEVICE_MEMORY)                                                            \
    X(tarn_pool_mark, NO_HOST_MEMORY)                                                              \
    X(tarn_pool_set_access, NO_MAPPINGS)                                                           \
    X(tarn_pool_export, NO_HANDLES)                                                                \
    X(tarn_snapshot_write, NO_HOST_MEMORY)                                                         \
    X(tarn_snapshot_save, SYSTEM)                                                                  \
    X(tarn_pool_used_on, NO_HOST_MEMORY)                                                           \
    X(tarn_pool_free_on, NO_HOST_MEMORY)                                                           \
    X(tarn_arena_create, NO_HOST_MEMORY)                                                           \
    X(tarn_parcel_alloc, NO_HOST_MEMORY)                                                           \
    X(tarn_parcel_alloc_with, NO_HOST_MEMORY)                                                      \
    X(tarn_channel_listen, NO_HANDLES)                                                             \
    X(tarn_channel_accept, NO_HANDLES)                                                             \
    X(tarn_channel_connect, NO_HANDLES)                                                            \
    X(tarn_channel_attach, NO_HANDLES)                                                             \
    X(tarn_channel_open_port, NO_HOST_MEMORY)                                                      \
    X(tarn_channel_send, PEER_GONE)                                                                \
    X(tarn_channel_flush, PEER_GONE)                                                               \
    X(tarn_channel_receive, PEER_GONE)                                                             \
    X(tarn_channel_start, NO_HOST_MEMORY)

// Names of faces begin with one of these: X(prefix).
#define TN_FAIL_PREFIXES(X)                                                                        \
    X("cu")                                                                                        \
    X("hip")                                                                                       \
    X("acl")                                                                                       \
    X("hi_mpi_")                                                                                   \
    X("HIAI")
