// SPDX-License-Identifier: Apache-2.0
// The functions that the face does not implement, and the table of the driver's functions.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// One function of the driver. `per_thread` marks the form whose default stream is the thread's.
struct tn_cuda_symbol {
    const char *name; // without a suffix
    void (*function)(void);
    int since; // the version of CUDA that introduced it, as 11040
    bool per_thread;
};
extern const struct tn_cuda_symbol tn_cuda_symbols[];
extern const size_t tn_cuda_symbol_count;

// Logs a call of a function that is not implemented, and returns the API's error for it. The second
// function also records it as the thread's last error.
int tn_cuda_absent_driver(const char *function);
int tn_cuda_absent_runtime(const char *function);
int tn_cuda_absent_nvml(const char *function);
