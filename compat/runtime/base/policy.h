// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about errors and handles. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "compat/runtime/base/error.h"

struct tn_rt_base_policy {
    const struct tn_face_code *codes; // the face's errors, UNKNOWN among them, with names and texts
    size_t code_count;
    // The errors of the interface to which a function belongs, for the log; NULL: a face has one interface.
    const struct tn_face_code *(*codes_of)(const char *function, size_t *count);
    void (*on_error)(tn_rt_error error); // called by each call that does not succeed, or NULL
    int version;                         // of the runtime and the driver, as the vendor writes it
    tn_rt_error (*error_of)(tarn_status status); // of a failure of Tarn; NULL: see tn_rt_error_of()
    bool keeps_every_result; // the last error also becomes a success, or "not ready"
    tn_rt_error dead_handle; // of a stream, an event or an array that does not live
    bool failures_give_null; // allocations, and look-ups of copies of nodes
};

extern struct tn_rt_base_policy tn_rt_base_policy;
