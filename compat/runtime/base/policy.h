// SPDX-License-Identifier: Apache-2.0
// The policy of a face: the differences between the faces that share the runtime, and between the
// releases that one face follows, as data. The face fills it in before the devices are opened.
// Afterwards it is only read.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <tarn/pool.h>

#include "compat/runtime/base/error.h"

struct tn_rt_policy {
    const struct tn_face_code *codes; // the face's errors, UNKNOWN among them, with names and texts
    size_t code_count;
    // The errors of the interface to which a function belongs, for the log; NULL: a face has one interface.
    const struct tn_face_code *(*codes_of)(const char *function, size_t *count);
    void (*on_error)(tn_rt_error error); // called by each call that does not succeed, or NULL
    const char *memory_name;             // in error texts: "memory of HIP"
    const char *free_name;               // in reports of memory tools: "a free by HIP"
    char wrong[256]; // why no device can be opened: a bad variable of the environment; "": none

    // Variables of the environment: the name of a device of the platform, or "none"; and the
    // ordinals that programs see, of which the first variable that is set counts.
    const char *device_variable;
    const char *granularity; // of a software device whose name does not say it; NULL: its own
    const char *visible_variables[2];

    int version;                 // of the runtime and the driver, as the vendor writes it
    bool explicit_contexts;      // a thread begins without a context; see context.h
    bool legacy_per_thread;      // two handles may mean the stream of the thread; see order.h
    bool aligned_values;         // an address of value.h is a multiple of the size of the value
    bool external_needs_capture; // of records and waits: ILLEGAL_STATE
    bool events_have_contexts;   // those of the streams that record them: INVALID_HANDLE
    unsigned primary_flags;      // that a primary context shows beside its own
    int context_version;         // of the API of contexts; 0: not supported
    unsigned device_flags;       // of devices and contexts, beside those of preference.h
    bool limits_printf;          // the buffer of printf() has a limit; see preference.h
    int lowest_priority;         // of streams; 0 is the default
    int highest_priority;        // at most 0
    bool sparse;                 // sparse arrays are supported
    const char *sparse_variable; // the setting that turns them on: "TARN_HIP_SPARSE=1"
    size_t array_entry_bytes;    // of the array in an entry of tn_rt_array_map()
    int copy_kind;               // a direction of copies beside the common ones, or 0

    // Functions in stream order cannot allocate, free or wait: NOT_PERMITTED.
    bool functions_make_no_calls;

    // A kernel fails at a barrier if a thread of the block has returned or waits in another line.
    // Otherwise threads that have returned do not count, and lines are not compared.
    bool strict_barriers;
    bool kernel_races; // look for races within kernels

    // ---- code with kernels

    const char *code_makers;         // "`tarn hipcc --genco` makes": for texts
    tn_rt_error no_code_error;       // of a module that is no code of any kind
    tn_rt_error device_code_error;   // of a kernel that was compiled for a GPU
    bool libraries_load_late;        // a library whose code cannot be loaded has no kernels
    tn_rt_error configuration_error; // of an impossible grid or block, or too much shared memory
    tn_rt_error bounds_error;        // of a block with more threads than the kernel's launch bounds
    bool launch_checks_extents_first;
    bool launch_buffer_is_exact; // bytes behind the last argument: LAUNCH_TOO_LARGE
    uint32_t block_z;            // the most threads of a block in z; 0: as in x
    uintptr_t launch_list_end;   // of the list that names a buffer of arguments

    // ---- copies that the driver describes, see driver_copy.h

    uint32_t host_types;     // bits: types of memory that select the pointer of the host
    uint32_t device_types;   // the same for that of a device
    int array_type;          // and for an array
    size_t driver_copy_room; // bytes behind the array of a side

    bool copies_need_attributes;    // lists of copies, and boxes an order; else INVALID_VALUE
    bool only_plain_rows_are_taken; // from ordinary memory while the stream is busy, none of boxes
    bool copies_check_sides;        // a side that the kind calls a device's is memory of the face
    bool single_rows_have_no_pitch; // of fills; and fills need aligned addresses and rows

    // ---- errors

    tn_rt_error (*error_of)(tarn_status status); // of a failure of Tarn; NULL: see tn_rt_from()
    bool keeps_every_result;       // the last error also becomes a success, or "not ready"
    tn_rt_error dead_handle;       // of a stream, an event or an array that does not live
    int limit_end;                 // numbers below are limits, unknown ones UNSUPPORTED_LIMIT
    tn_rt_error own_peer_error;    // of ending a device's access to itself
    tn_rt_error range_error;       // of a reservation with an impossible size or alignment
    tn_rt_error phys_device_error; // of physical memory for a device that does not exist
    bool device_keeps_failures;    // a failure of work is that of all later calls until a reset
    bool stale_graph_is_state;     // ending a graph that is none: ILLEGAL_STATE, not INVALID_VALUE

    // ---- captures forbid

    bool capture_forbids_settings;    // advice, preferences of devices and the like
    bool capture_forbids_event_query; // as a wait for the event
    bool capture_forbids_pools;       // of a blocking stream: allocation in stream order
    bool memory_nodes_are_fixed;      // their edges stay, and they have no type of handle
    bool children_have_no_memory;     // except graphs that were moved: NOT_SUPPORTED
    bool memory_graphs_come_back;     // are instantiated again when the executable graph has ended
    bool changes_keep_memory;         // of executable graphs, see graph_exec.h
    bool capture_drops_empty;         // copies and fills without bytes become no nodes
    bool capture_frees_its_memory;    // only, by a capturing stream; else INVALID_VALUE
    bool capture_lost_by_attempt;     // to end it on another thread or stream, which gives NULL
    bool capture_forbids_launch;      // of a blocking stream: a graph on its NULL stream
    bool capture_takes_no_graph;      // a launch into a capture: CAPTURE_UNSUPPORTED
    bool capture_allows_apart; // synchronous copies and fills, unless a blocking stream captures
    bool capture_ends_events;  // events of a capture that has ended: INVALID_VALUE

    // ---- memory; kinds are those of block.h

    bool failures_give_null;        // allocations, and look-ups of copies of nodes
    size_t pitch_bytes;             // the pitch of rows is a multiple of it
    size_t phys_unit;               // a size of physical memory is a multiple of it
    bool unmaps_gaps;               // of a reservation, beside whole mappings
    bool unmaps_at_once;            // work that uses the memory later fails
    bool unmap_promises_no_wait;    // for other streams than the null stream, although it waits
    bool host_has_no_rights;        // to the memory of devices: NOT_SUPPORTED
    bool channels_named;            // a bad description of channels: INVALID_CHANNELS
    bool stranger_is_no_handle;     // an address that is no kernel: INVALID_HANDLE
    bool maps_whole;                // a mapping of another size than the handle: NOT_SUPPORTED
    bool imports_stay;              // imported memory cannot be exported, and has no type of handle
    tn_rt_error import_error;       // of a descriptor that is not one of memory
    bool granularity_anywhere;      // neither the location nor the type is checked
    int uncached_type;              // a type of physical memory that no device caches, or 0
    unsigned host_pointer_kinds;    // that have a pointer for devices
    unsigned host_flags_kinds;      // that have flags of host memory
    bool host_flags_ignored;        // unknown flags of host memory do not fail
    bool fabric;                    // handles of type 0x8, and multicast objects
    bool managed_has_flags;         // the flags of managed memory can be queried
    bool pointer_words;             // attributes of pointers are words, and there are more of them
    bool pointer_query_checks_null; // all attributes of NULL: INVALID_VALUE
    bool advice_checks_range_first; // before the device
    bool attach_needs_managed;      // memory, and its start
    bool async_free_accepts_null;
    bool async_free_of_managed_fails; // NOT_SUPPORTED

    // ---- pools

    uint32_t pool_flags;      // TARN_POOL_ bits; without SELECT_REUSE, reuse is stored and returned
    tarn_rule pool_rule;      // zeros: the default
    bool pool_without_gaps;   // blocks are placed in a program with ASan as in others
    uint64_t pool_page_bytes; // where the device has such pages; 0: the default
    bool pool_counts_padding; // used bytes are with what the rule adds
    bool pool_closes_empty;   // closing a pool with live blocks: INVALID_VALUE
    bool pool_trims_last;     // with the threshold 0, the free of the last block releases memory
    bool pool_keeps_rights_of_peers; // no rights for another device: INVALID_DEVICE
    bool pool_checks_own_rights;     // read-only rights for the own device: NOT_SUPPORTED
    bool pool_checks_count;          // a list of no rights: INVALID_VALUE
    bool pool_knows_host;            // which has no rights: NOT_SUPPORTED, and no flags
    bool pool_exports_first;         // its pointers need a shared pool; all errors: INVALID_VALUE
    tn_rt_error pool_import_error;   // of a descriptor that is not one of a pool
    tn_rt_error pool_device_error;   // of the choice of another device's pool
    bool pool_repeats_descriptor;    // a shared pool gives the same one until it is closed
    bool imported_pools_are_passive; // no attributes, no trim, not chosen: INVALID_VALUE
    bool pool_imports_to_first;      // an imported pool is of device 0, not of the current one
};

// Zero, which keeps and logs the least, until the face fills it in.
extern struct tn_rt_policy tn_rt_policy;

// Calls fill() with the policy, once in the process. It may be called while no device is open.
typedef void (*tn_rt_policy_fill)(struct tn_rt_policy *policy);
void tn_rt_set_policy(tn_rt_policy_fill fill);
