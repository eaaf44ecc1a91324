// SPDX-License-Identifier: Apache-2.0
// Code with kernels that `tarn hipcc --genco` made: a shared object for this CPU, loaded from a file or from
// memory. Code for a GPU is refused by its kind. Any thread may load; a struct belongs to its owner.
#pragma once

#include <hip/detail/kernel.h>

#include "compat/runtime/error.h"

struct tn_hip_code {
    void *library;    // of dlopen()
    const void *base; // its address
    struct tn_hip_code_variable
        *shared; // variables that the program asked for; one lock guards all lists
};

// FILE_NOT_FOUND; NO_BINARY: it is not code for this CPU, or it cannot be loaded.
tn_rt_error tn_hip_code_load(const char *path, struct tn_hip_code *code);

// The same for an image in memory, whose headers give its size. The image is copied.
tn_rt_error tn_hip_code_open(const void *image, struct tn_hip_code *code);

// Waits for the work of all devices, because it may run this code, and unloads it.
void tn_hip_code_close(struct tn_hip_code *code);

// NOT_FOUND: no kernel or variable has that name. A variable is memory of HIP from then on. Either output may
// be NULL.
tn_rt_error tn_hip_code_function(const struct tn_hip_code *code, const char *name,
                                 hipFunction_t *function);
tn_rt_error tn_hip_code_variable(struct tn_hip_code *code, const char *name, void **address,
                                 size_t *bytes);
