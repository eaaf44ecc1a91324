// SPDX-License-Identifier: Apache-2.0
// HIP source text as plain C++: launches, the registration of kernels, and dynamic shared memory. All
// other text stays as it is, and every token keeps its line and column. No state; any thread may call.
#pragma once

#include "tools/hipcc/lexer.h"

// Returns the text for the compiler and its length, or NULL if out of memory. The caller frees it. With
// `is_own`, HIP_EXT_D_ takes the place of the words of functions and variables that no other file uses.
char *tn_cxx_rewrite(const struct tn_cxx_source *source, bool is_own, size_t *bytes);
