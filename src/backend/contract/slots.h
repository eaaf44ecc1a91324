// SPDX-License-Identifier: Apache-2.0
// The names of all slots of a tarn_backend, each with its group. The registry checks tables with
// these lists. A backend that names its functions tn_<backend>_<slot> can declare them and fill its
// table with them; the signatures are those of <tarn/backend.h>.
#pragma once

// Slots that every backend has: X(slot, group). The group is M.
#define TN_BACKEND_MANDATORY_SLOTS(X)                                                              \
    X(platform_open, M)                                                                            \
    TN_BACKEND_WORKING_SLOTS(X)

// Those of them that an open platform has.
#define TN_BACKEND_WORKING_SLOTS(X)                                                                \
    X(platform_close, M)                                                                           \
    X(device_count, M)                                                                             \
    X(caps, M)                                                                                     \
    X(setting, M)                                                                                  \
    X(memory_info, M)                                                                              \
    X(memory_alloc, M)                                                                             \
    X(memory_free, M)                                                                              \
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
    X(fill, M)

// Slots that may be NULL: X(slot, group). A slot of group O is independent. Of any other group a
// table has all slots or none.
#define TN_BACKEND_OPTIONAL_SLOTS(X)                                                               \
    TN_BACKEND_MEMORY_SLOTS(X)                                                                     \
    TN_BACKEND_FURTHER_SLOTS(X)

// Those of them about memory and peers that the libraries of vendors have too, and the rest.
#define TN_BACKEND_MEMORY_SLOTS(X)                                                                 \
    X(reserve, VMM)                                                                                \
    X(release, VMM)                                                                                \
    X(phys_create, VMM)                                                                            \
    X(phys_destroy, VMM)                                                                           \
    X(map, VMM)                                                                                    \
    X(unmap, VMM)                                                                                  \
    X(set_access, VMM)                                                                             \
    X(phys_export, SHARE)                                                                          \
    X(phys_import, SHARE)                                                                          \
    X(host_alloc, PIN)                                                                             \
    X(host_free, PIN)                                                                              \
    X(host_register, PIN)                                                                          \
    X(host_unregister, PIN)                                                                        \
    X(peer_can, PEER)                                                                              \
    X(peer_set, PEER)

#define TN_BACKEND_FURTHER_SLOTS(X)                                                                \
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
    X(phys_allow, O)                                                                               \
    X(memory_allow, O)                                                                             \
    X(stream_wrap, O)                                                                              \
    X(stream_wait_until, O)                                                                        \
    X(stream_abort, O)                                                                             \
    X(stream_set_resilient, O)                                                                     \
    X(stream_run, O)                                                                               \
    X(stream_follow, O)                                                                            \
    X(stream_fail, O)

// The function type of a slot, to declare the function that fills it.
#define TN_BACKEND_SLOT_TYPE(slot) __typeof__(*((tarn_backend *)0)->slot)
