// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about memory and pools. Kinds are those of block.h. See
// compat/runtime/policy.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tarn/rule.h>

#include "compat/runtime/base/error.h"

struct tn_rt_memory_policy {
    const char *memory_name;        // in error texts: "memory of HIP"
    const char *free_name;          // in reports of memory tools: "a free by HIP"
    tn_rt_error range_error;        // of a reservation with an impossible size or alignment
    tn_rt_error phys_device_error;  // of physical memory for a device that does not exist
    bool capture_frees_its_memory;  // only, by a capturing stream; else INVALID_VALUE
    size_t pitch_bytes;             // the pitch of rows is a multiple of it
    size_t phys_unit;               // a size of physical memory is a multiple of it
    bool unmaps_gaps;               // of a reservation, beside whole mappings
    bool unmaps_at_once;            // work that uses the memory later fails
    bool unmap_promises_no_wait;    // for other streams than the null stream, although it waits
    bool host_has_no_rights;        // to the memory of devices: NOT_SUPPORTED
    bool maps_whole;                // a mapping of another size than the handle: NOT_SUPPORTED
    bool imports_stay;              // imported memory cannot be exported, and has no type of handle
    tn_rt_error import_error;       // of a descriptor that is not one of memory
    bool granularity_anywhere;      // neither the location nor the type is checked
    int uncached_type;              // a type of physical memory that no device caches, or 0
    unsigned host_pointer_kinds;    // that have a pointer for devices
    unsigned host_flags_kinds;      // that have flags of host memory
    bool host_flags_ignored;        // unknown flags of host memory do not fail
    bool managed_has_flags;         // the flags of managed memory can be queried
    bool pointer_words;             // attributes of pointers are words, and there are more of them
    bool pointer_query_checks_null; // all attributes of NULL: INVALID_VALUE
    bool advice_checks_range_first; // before the device
    bool attach_needs_managed;      // memory, and its start
    bool async_free_accepts_null;
    bool async_free_of_managed_fails; // NOT_SUPPORTED
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
    // Exporting a pointer needs a pool made for sharing, and fails with INVALID_VALUE only.
    bool pool_exports_first;
    tn_rt_error pool_import_error;   // of a descriptor that is not one of a pool
    tn_rt_error pool_device_error;   // of the choice of another device's pool
    bool pool_repeats_descriptor;    // a shared pool gives the same one until it is closed
    bool imported_pools_are_passive; // no attributes, no trim, not chosen: INVALID_VALUE
    bool pool_imports_to_first;      // an imported pool is of device 0, not of the current one
};

extern struct tn_rt_memory_policy tn_rt_memory_policy;
