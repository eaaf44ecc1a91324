// SPDX-License-Identifier: Apache-2.0
// The calls that can be made to fail, each with the status that is its default. Frees, unmaps and
// queries are missing: by contract they do not fail for want of anything. tests/lint/fail_points.sh
// holds the list of public functions against the headers and the sources.
#pragma once

// Slots of a back-end (tarn/backend.h): X(slot, status, arguments). The arguments that specs may select a
// call by are an ADDRESS, a SIZE, BOTH or NONE.
#define TN_FAIL_SLOTS(X)                                                                           \
    X(memory_info, SYSTEM, NONE)                                                                   \
    X(reserve, NO_ADDRESS_SPACE, BOTH)                                                             \
    X(phys_create, NO_DEVICE_MEMORY, SIZE)                                                         \
    X(map, NO_MAPPINGS, BOTH)                                                                      \
    X(set_access, NO_MAPPINGS, BOTH)                                                               \
    X(phys_export, NO_HANDLES, NONE)                                                               \
    X(phys_import, NO_HANDLES, NONE)                                                               \
    X(phys_allow, NO_HOST_MEMORY, NONE)                                                            \
    X(memory_alloc, NO_DEVICE_MEMORY, SIZE)                                                        \
    X(memory_alloc_with, NO_DEVICE_MEMORY, SIZE)                                                   \
    X(memory_export, NO_HANDLES, BOTH)                                                             \
    X(memory_import, NO_HANDLES, NONE)                                                             \
    X(memory_allow, NO_HOST_MEMORY, NONE)                                                          \
    X(host_alloc, NO_HOST_MEMORY, SIZE)                                                            \
    X(host_register, NO_HOST_MEMORY, BOTH)                                                         \
    X(peer_set, NO_HANDLES, NONE)                                                                  \
    X(stream_create, NO_HANDLES, NONE)                                                             \
    X(stream_wrap, NO_HANDLES, NONE)                                                               \
    X(stream_wait, NO_HOST_MEMORY, NONE)                                                           \
    X(stream_follow, NO_HOST_MEMORY, NONE)                                                         \
    X(stream_call, NO_HOST_MEMORY, NONE)                                                           \
    X(stream_run, NO_HOST_MEMORY, NONE)                                                            \
    X(stream_wait_until, NO_HOST_MEMORY, NONE)                                                     \
    X(stream_abort, DEVICE_FAILED, NONE)                                                           \
    X(stream_fail, DEVICE_FAILED, NONE)                                                            \
    X(stream_query, DEVICE_FAILED, NONE)                                                           \
    X(stream_peek, DEVICE_FAILED, NONE)                                                            \
    X(stream_synchronize, DEVICE_FAILED, NONE)                                                     \
    X(event_create, NO_HANDLES, NONE)                                                              \
    X(event_record, NO_HOST_MEMORY, NONE)                                                          \
    X(event_query, DEVICE_FAILED, NONE)                                                            \
    X(event_peek, DEVICE_FAILED, NONE)                                                             \
    X(event_synchronize, DEVICE_FAILED, NONE)                                                      \
    X(event_elapsed, DEVICE_FAILED, NONE)                                                          \
    X(device_synchronize, DEVICE_FAILED, NONE)                                                     \
    X(copy, NO_HOST_MEMORY, BOTH)                                                                  \
    X(fill, NO_HOST_MEMORY, BOTH)                                                                  \
    X(array_create, NO_DEVICE_MEMORY, NONE)                                                        \
    X(array_map, NO_HOST_MEMORY, NONE)                                                             \
    X(array_copy, NO_HOST_MEMORY, NONE)                                                            \
    X(trim, SYSTEM, NONE)

// Short names of slots: X(short, slot).
#define TN_FAIL_ALIASES(X)                                                                         \
    X(create, phys_create)                                                                         \
    X(access, set_access)                                                                          \
    X(alloc, memory_alloc)                                                                         \
    X(export, phys_export)                                                                         \
    X(import, phys_import)

// Public functions of Tarn: X(function, status, arguments). Each begins with TN_FAIL_POINT (fail/point.h).
#define TN_FAIL_FUNCTIONS(X)                                                                       \
    X(tarn_device_open, NO_HOST_MEMORY, NONE)                                                      \
    X(tarn_device_enable_peer, NO_HANDLES, NONE)                                                   \
    X(tarn_device_synchronize, DEVICE_FAILED, NONE)                                                \
    X(tarn_space_reserve, NO_ADDRESS_SPACE, BOTH)                                                  \
    X(tarn_phys_create, NO_DEVICE_MEMORY, SIZE)                                                    \
    X(tarn_phys_export, NO_HANDLES, NONE)                                                          \
    X(tarn_phys_import, NO_HANDLES, NONE)                                                          \
    X(tarn_phys_allow, NO_HOST_MEMORY, NONE)                                                       \
    X(tarn_map, NO_MAPPINGS, BOTH)                                                                 \
    X(tarn_map_many, NO_MAPPINGS, ADDRESS)                                                         \
    X(tarn_map_set_access, NO_MAPPINGS, BOTH)                                                      \
    X(tarn_memory_alloc, NO_DEVICE_MEMORY, SIZE)                                                   \
    X(tarn_memory_alloc_with, NO_DEVICE_MEMORY, SIZE)                                              \
    X(tarn_memory_export, NO_HANDLES, ADDRESS)                                                     \
    X(tarn_memory_allow, NO_HOST_MEMORY, NONE)                                                     \
    X(tarn_memory_import, NO_HANDLES, NONE)                                                        \
    X(tarn_host_alloc, NO_HOST_MEMORY, SIZE)                                                       \
    X(tarn_host_register, NO_HOST_MEMORY, BOTH)                                                    \
    X(tarn_copy, NO_HOST_MEMORY, BOTH)                                                             \
    X(tarn_copy_box, NO_HOST_MEMORY, BOTH)                                                         \
    X(tarn_fill, NO_HOST_MEMORY, BOTH)                                                             \
    X(tarn_fill_box, NO_HOST_MEMORY, BOTH)                                                         \
    X(tarn_stream_create, NO_HANDLES, NONE)                                                        \
    X(tarn_stream_wrap, NO_HANDLES, NONE)                                                          \
    X(tarn_stream_synchronize, DEVICE_FAILED, NONE)                                                \
    X(tarn_stream_wait, NO_HOST_MEMORY, NONE)                                                      \
    X(tarn_stream_call, NO_HOST_MEMORY, NONE)                                                      \
    X(tarn_stream_run, NO_HOST_MEMORY, NONE)                                                       \
    X(tarn_stream_wait_until, NO_HOST_MEMORY, NONE)                                                \
    X(tarn_stream_abort, DEVICE_FAILED, NONE)                                                      \
    X(tarn_stream_fail, DEVICE_FAILED, NONE)                                                       \
    X(tarn_event_create, NO_HANDLES, NONE)                                                         \
    X(tarn_event_create_shared, NO_HANDLES, NONE)                                                  \
    X(tarn_event_export, NO_HANDLES, NONE)                                                         \
    X(tarn_event_import, NO_HANDLES, NONE)                                                         \
    X(tarn_event_record, NO_HOST_MEMORY, NONE)                                                     \
    X(tarn_event_synchronize, DEVICE_FAILED, NONE)                                                 \
    X(tarn_array_create, NO_DEVICE_MEMORY, NONE)                                                   \
    X(tarn_array_map, NO_HOST_MEMORY, NONE)                                                        \
    X(tarn_array_copy, NO_HOST_MEMORY, NONE)                                                       \
    X(tarn_plan_create, NO_HOST_MEMORY, NONE)                                                      \
    X(tarn_plan_load, SYSTEM, NONE)                                                                \
    X(tarn_plan_parse, NO_HOST_MEMORY, NONE)                                                       \
    X(tarn_pool_create, NO_HOST_MEMORY, NONE)                                                      \
    X(tarn_pool_create_over, NO_HOST_MEMORY, BOTH)                                                 \
    X(tarn_pool_alloc, NO_DEVICE_MEMORY, SIZE)                                                     \
    X(tarn_pool_alloc_with, NO_DEVICE_MEMORY, SIZE)                                                \
    X(tarn_pool_extend, NO_DEVICE_MEMORY, BOTH)                                                    \
    X(tarn_pool_sleep, NO_HOST_MEMORY, NONE)                                                       \
    X(tarn_pool_wake, NO_DEVICE_MEMORY, NONE)                                                      \
    X(tarn_pool_mark, NO_HOST_MEMORY, NONE)                                                        \
    X(tarn_pool_set_access, NO_MAPPINGS, NONE)                                                     \
    X(tarn_pool_export, NO_HANDLES, ADDRESS)                                                       \
    X(tarn_snapshot_write, NO_HOST_MEMORY, NONE)                                                   \
    X(tarn_snapshot_save, SYSTEM, NONE)                                                            \
    X(tarn_pool_used_on, NO_HOST_MEMORY, ADDRESS)                                                  \
    X(tarn_pool_free_on, NO_HOST_MEMORY, ADDRESS)                                                  \
    X(tarn_arena_create, NO_HOST_MEMORY, NONE)                                                     \
    X(tarn_parcel_alloc, NO_HOST_MEMORY, SIZE)                                                     \
    X(tarn_parcel_alloc_with, NO_HOST_MEMORY, SIZE)                                                \
    X(tarn_channel_listen, NO_HANDLES, NONE)                                                       \
    X(tarn_channel_accept, NO_HANDLES, NONE)                                                       \
    X(tarn_channel_connect, NO_HANDLES, NONE)                                                      \
    X(tarn_channel_attach, NO_HANDLES, NONE)                                                       \
    X(tarn_channel_open_port, NO_HOST_MEMORY, NONE)                                                \
    X(tarn_channel_send, PEER_GONE, NONE)                                                          \
    X(tarn_channel_flush, PEER_GONE, NONE)                                                         \
    X(tarn_channel_receive, PEER_GONE, NONE)                                                       \
    X(tarn_channel_start, NO_HOST_MEMORY, NONE)

// Names of faces begin with one of these: X(prefix).
#define TN_FAIL_PREFIXES(X)                                                                        \
    X("cu")                                                                                        \
    X("hip")                                                                                       \
    X("acl")                                                                                       \
    X("hi_mpi_")                                                                                   \
    X("HIAI")
