// SPDX-License-Identifier: Apache-2.0
// The calls that can be made to fail, each with the status that is its default. Frees, unmaps and
// queries are missing: by contract they do not fail for want of anything. tests/lint/fail_points.sh
// holds the list of public functions against the headers and the sources.
#pragma once

// Slots of a back-end (tarn/backend.h): X(status, arguments, "slots"). The arguments that specs may select
// a call by are an ADDRESS, a SIZE, BOTH or NONE.
#define TN_FAIL_SLOTS(X)                                                                           \
    X(SYSTEM, NONE, "memory_info trim")                                                            \
    X(NO_ADDRESS_SPACE, BOTH, "reserve")                                                           \
    X(NO_DEVICE_MEMORY, NONE, "array_create")                                                      \
    X(NO_DEVICE_MEMORY, SIZE, "phys_create memory_alloc memory_alloc_with")                        \
    X(NO_MAPPINGS, BOTH, "map set_access")                                                         \
    X(NO_HANDLES, NONE,                                                                            \
      "phys_export phys_import memory_import peer_set stream_create stream_wrap event_create")     \
    X(NO_HANDLES, BOTH, "memory_export memory_export_fd")                                          \
    X(NO_HOST_MEMORY, NONE,                                                                        \
      "phys_allow memory_allow stream_wait stream_follow stream_call stream_run "                  \
      "stream_wait_until event_record array_map array_copy")                                       \
    X(NO_HOST_MEMORY, BOTH, "host_register copy fill")                                             \
    X(NO_HOST_MEMORY, SIZE, "host_alloc")                                                          \
    X(DEVICE_FAILED, NONE,                                                                         \
      "stream_abort stream_fail stream_query stream_peek stream_synchronize event_query "          \
      "event_peek event_synchronize event_elapsed device_synchronize")

// Short names of slots: X(short, slot).
#define TN_FAIL_ALIASES(X)                                                                         \
    X(create, phys_create)                                                                         \
    X(access, set_access)                                                                          \
    X(alloc, memory_alloc)                                                                         \
    X(export, phys_export)                                                                         \
    X(import, phys_import)

// Public functions of Tarn: X(status, arguments, "functions"). Each begins with TN_FAIL_POINT (fail/point.h).
#define TN_FAIL_FUNCTIONS(X)                                                                       \
    X(NO_HOST_MEMORY, NONE,                                                                        \
      "tarn_device_open tarn_phys_allow tarn_memory_allow tarn_stream_wait "                       \
      "tarn_stream_call tarn_stream_run tarn_stream_wait_until tarn_event_record tarn_array_map "  \
      "tarn_array_copy tarn_plan_create tarn_plan_parse tarn_pool_create tarn_pool_sleep "         \
      "tarn_pool_mark tarn_snapshot_write tarn_arena_create tarn_channel_open_port "               \
      "tarn_channel_start")                                                                        \
    X(NO_HOST_MEMORY, ADDRESS, "tarn_pool_used_on tarn_pool_free_on")                              \
    X(NO_HOST_MEMORY, BOTH,                                                                        \
      "tarn_host_register tarn_copy tarn_copy_box tarn_fill tarn_fill_box tarn_pool_create_over")  \
    X(NO_HOST_MEMORY, SIZE, "tarn_host_alloc tarn_parcel_alloc tarn_parcel_alloc_with")            \
    X(NO_HANDLES, NONE,                                                                            \
      "tarn_device_enable_peer tarn_phys_export tarn_phys_import tarn_memory_import "              \
      "tarn_stream_create tarn_stream_wrap tarn_event_create tarn_event_create_shared "            \
      "tarn_event_export tarn_event_import tarn_channel_listen tarn_channel_accept "               \
      "tarn_channel_connect tarn_channel_attach")                                                  \
    X(NO_HANDLES, ADDRESS, "tarn_memory_export tarn_pool_export tarn_memory_export_fd")            \
    X(DEVICE_FAILED, NONE,                                                                         \
      "tarn_device_synchronize tarn_stream_synchronize tarn_stream_abort tarn_stream_fail "        \
      "tarn_event_synchronize")                                                                    \
    X(NO_ADDRESS_SPACE, BOTH, "tarn_space_reserve")                                                \
    X(NO_DEVICE_MEMORY, NONE, "tarn_array_create tarn_pool_wake")                                  \
    X(NO_DEVICE_MEMORY, BOTH, "tarn_pool_extend")                                                  \
    X(NO_DEVICE_MEMORY, SIZE,                                                                      \
      "tarn_phys_create tarn_memory_alloc tarn_memory_alloc_with tarn_pool_alloc "                 \
      "tarn_pool_alloc_with")                                                                      \
    X(NO_MAPPINGS, NONE, "tarn_pool_set_access")                                                   \
    X(NO_MAPPINGS, ADDRESS, "tarn_map_many")                                                       \
    X(NO_MAPPINGS, BOTH, "tarn_map tarn_map_set_access")                                           \
    X(SYSTEM, NONE, "tarn_plan_load tarn_snapshot_save")                                           \
    X(PEER_GONE, NONE, "tarn_channel_send tarn_channel_flush tarn_channel_receive")

// Names of faces begin with one of these: X(prefix).
#define TN_FAIL_PREFIXES(X)                                                                        \
    X("cu")                                                                                        \
    X("hip")                                                                                       \
    X("acl")                                                                                       \
    X("hi_mpi_")                                                                                   \
    X("HIAI")
