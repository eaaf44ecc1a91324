// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `tarn check`. One thread.
#pragma once

#include <limits.h>
#include <stdbool.h>

#define TN_CHECK_LIBRARY "libtarn-check.so"

// Returns false, after an error message, if one of the options is wrong.
bool tn_check_accepts(const char *options);

// Sets the environment of this process, so that it and the programs that it starts are checked with
// the options, which tn_check_accepts(). If the library cannot be loaded or the system fails, prints
// an error and returns false.
bool tn_check_prepare(const char *options, char library[PATH_MAX]);
