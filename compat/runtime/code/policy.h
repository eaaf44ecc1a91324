// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about code with kernels. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compat/runtime/base/error.h"

struct tn_rt_code_policy {
    tn_rt_error no_code_error;     // of a module that is no code of any kind
    bool libraries_load_late;      // a library whose code cannot be loaded has no kernels
    const char *code_makers;       // "`tarn hipcc --genco` makes": for texts
    tn_rt_error device_code_error; // of a kernel that was compiled for a GPU
    bool launch_checks_extents_first;
    bool launch_buffer_is_exact; // bytes behind the last argument: LAUNCH_TOO_LARGE
    uintptr_t launch_list_end;   // of the list that names a buffer of arguments
    bool stranger_is_no_handle;  // an address that is no kernel: INVALID_HANDLE
};

extern struct tn_rt_code_policy tn_rt_code_policy;
