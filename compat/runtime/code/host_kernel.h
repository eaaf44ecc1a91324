// SPDX-License-Identifier: Apache-2.0
// The kernels that were compiled for the host and that the program registers when it is loaded, so
// that they can be launched by an address, with pointers to their arguments. One lock guards the
// list. Any thread may call these functions; they open no device.
#pragma once

#include "compat/runtime/kernel/kernel.h"

struct tn_rt_parameter {
    uint32_t bytes;
    uint32_t alignment;
};

// Memory of the program. Its address is also a handle of the kernel.
struct tn_rt_host_kernel {
    struct tn_rt_host_kernel *next;
    const void *function; // the program's address of the kernel
    const char *name;     // as compilers print it
    void (*kernel)(void); // runs a block; the same types as in tn_rt_launch
    size_t closure_bytes;
    void (*pack)(void *closure, void *const *arguments);
    void (*list)(const void *closure, void **arguments); // as in tn_rt_launch
    const struct tn_rt_parameter *parameters;
    uint32_t parameter_count;
    uint32_t max_threads; // of a block, by the kernel's launch bounds; 0: those of the device
};

void tn_rt_host_kernel_register(struct tn_rt_host_kernel *kernel);
void tn_rt_host_kernel_unregister(struct tn_rt_host_kernel *kernel);

// Returns the kernel with that address or handle, or NULL.
const struct tn_rt_host_kernel *tn_rt_host_kernel_find(const void *function);

// Returns the most threads of a block of the kernel with that address or handle, which may be unknown.
uint32_t tn_rt_host_kernel_threads(const void *function);

// Finds such a kernel. Fails with the policy's `device_code_error` if it was compiled for a GPU,
// and with INVALID_DEVICE_FUNCTION if it is not a kernel.
tn_rt_error tn_rt_host_kernel_get(const void *function, const struct tn_rt_host_kernel **kernel);

// Fails with one of these errors, and with `why` in the text of the second one.
tn_rt_error tn_rt_no_kernel(const void *function, const char *why);

// Returns the kernel of the loaded object at the address `base` that has that name, as compilers
// print it or as the linker knows it, or NULL. The second function returns the number of kernels of
// the object, and writes the first of them to a list of `count`.
const struct tn_rt_host_kernel *tn_rt_host_kernel_named(const void *base, const char *name);
unsigned tn_rt_host_kernel_list(const void *base, const void **out, unsigned count);

// Finds the arguments of a launch, TN_RT_ARGUMENTS at most, in a list of pointers to them or in the
// list `extra`, which names a buffer with them. Fails with INVALID_VALUE if there are both lists,
// if the kernel has arguments and there is no list, or if the buffer is too small.
enum { TN_RT_ARGUMENTS = 1024 };
tn_rt_error tn_rt_host_kernel_arguments(const struct tn_rt_host_kernel *kernel,
                                        void *const *arguments, void *const *extra, void **found);
