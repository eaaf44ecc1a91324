// SPDX-License-Identifier: Apache-2.0
// The point at which a function of a vendor's API asks whether it fails. Any thread may call.
#pragma once

#include <tarn/base.h>

enum { TN_FAIL_ARGUMENTS = 11 };

// Counts a call. TARN_OK: it goes on. Otherwise it fails with the status, or with *as, the name of an
// error of the API, unless that is NULL: the error that the user chose, or that of the function's row
// in functions_*.h. Specs select calls by the arguments: a word for each, see function.h.
tarn_status tn_fail_call(const char *name, const uint64_t *arguments, unsigned count,
                         const char **as);
