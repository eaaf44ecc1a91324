// SPDX-License-Identifier: Apache-2.0
// Code for devices that a program's constructors register before main(), and that its destructors
// remove. These functions open no device and do not fail. A code may be NULL.
#pragma once

#include "compat/runtime/base/error.h"

void *tn_rt_code_new(void); // NULL without host memory
void tn_rt_code_end(const void *code);

// Adds a kernel with its host stub. The program owns the name while the code is registered.
void tn_rt_code_add_kernel(void *code, const void *stub, const char *name);

// The first function adds a variable that the program knows by the address of its own copy. Each
// device has memory for it, which is allocated when it is looked up first, with zeros: the values
// in code for GPUs are not known. The second function returns the address for the current device.
// It fails with INVALID_SYMBOL if the variable is unknown, and with OUT_OF_MEMORY if the device has
// too little.
void tn_rt_code_add_shadow(void *code, const void *symbol, size_t size);
tn_rt_error tn_rt_code_find_variable(const void *symbol, void **address, size_t *size);

// Adds managed memory, which *pointer receives from the second function: it opened the devices.
void tn_rt_code_add_managed(void *code, void **pointer, size_t size);
tn_rt_error tn_rt_code_begin(void *code);

// Adds a variable: memory of the host, which *pointer receives.
void tn_rt_code_add_variable(void *code, void **pointer, const void *initial, size_t size,
                             size_t align);

// Returns the name of the kernel with that host stub, or NULL.
const char *tn_rt_code_kernel(const void *stub);
