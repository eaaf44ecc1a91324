// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about copies, fills, values and arrays. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_rt_copy_policy {
    bool aligned_values;            // an address of value.h is a multiple of the size of the value
    bool sparse;                    // sparse arrays are supported
    const char *sparse_variable;    // the setting that turns them on: "TARN_HIP_SPARSE=1"
    size_t array_entry_bytes;       // of the array in an entry of tn_rt_array_map()
    int copy_kind;                  // a direction of copies beside the common ones, or 0
    uint32_t host_types;            // bits: types of memory that select the pointer of the host
    uint32_t device_types;          // the same for that of a device
    int array_type;                 // and for an array
    size_t driver_copy_room;        // bytes behind the array of a side
    bool copies_need_attributes;    // lists of copies, and boxes an order; else INVALID_VALUE
    bool only_plain_rows_are_taken; // from ordinary memory while the stream is busy, none of boxes
    bool copies_check_sides;        // a side that the kind calls a device's is memory of the face
    bool single_rows_have_no_pitch; // of fills; and fills need aligned addresses and rows
    bool channels_named;            // a bad description of channels: INVALID_CHANNELS
};

extern struct tn_rt_copy_policy tn_rt_copy_policy;
