// SPDX-License-Identifier: Apache-2.0
// The log of failures: one line for each call that was made to fail, and its stack if the spec asks
// for it; and for `tarn torture` the stack of a crash. One write() for each entry, so lines of
// threads and processes do not mix.
#pragma once

#include "fail/point.h"

// Appends to this file from now on; standard error if `path` is NULL or the file cannot be opened.
// Returns 0 or an errno.
int tn_fail_log_open(const char *path);

// `as` is the error of a vendor's API, or NULL for the spec's status. `address` and `bytes` are 0 if the
// call has none.
void tn_fail_log(const struct tn_fail_spec *spec, const char *name, const char *as,
                 tarn_addr address, uint64_t bytes, uint64_t n);

// Logs the stack when a signal that ends the process is raised, unless the program handles it. The
// signal then has its usual effect.
void tn_fail_log_crashes(void);
