// SPDX-License-Identifier: Apache-2.0
// Code with kernels that a compiler of Tarn made: a shared object for this CPU, loaded from a file
// or from memory. Code for a GPU is refused by its kind. Any thread may load; a struct belongs to
// its owner.
#pragma once

#include "compat/runtime/base/error.h"

struct tn_rt_image {
    void *library;    // of dlopen()
    const void *base; // its address
    struct tn_rt_image_shared
        *shared; // variables that the program asked for; one lock guards all lists
};

// Loads a file of code. Fails with FILE_NOT_FOUND if there is no file, with INVALID_IMAGE if it is
// empty, with NO_BINARY if it is code for something else or cannot be loaded, and with the policy's
// `no_code_error` if it is not code.
tn_rt_error tn_rt_image_load(const char *path, struct tn_rt_image *code);

// The same for an image in memory, whose headers give its size. The image is copied.
tn_rt_error tn_rt_image_open(const void *image, struct tn_rt_image *code);

// Waits for the work of all devices, because it may run this code, and unloads it.
void tn_rt_image_close(struct tn_rt_image *code);

// Find a kernel or a variable of the code. Both fail with NOT_FOUND if none has that name. *out
// receives a handle of the kernel. A variable is memory of the runtime from then on. Either of its
// outputs may be NULL.
tn_rt_error tn_rt_image_kernel(const struct tn_rt_image *code, const char *name, void *out);
tn_rt_error tn_rt_image_variable(struct tn_rt_image *code, const char *name, void **address,
                                 size_t *bytes);
