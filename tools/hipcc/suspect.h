// SPDX-License-Identifier: Apache-2.0
// Finds code that no compiler for a CPU accepts, such as inline assembly of a GPU. A compiler that failed
// has named a line; these functions name the reason. No state.
#pragma once

#include "tools/hipcc/lexer.h"

// Print an error about a place of the text or a token, and return the exit status.
int tn_hipcc_refuse_at(const struct tn_cxx_source *source, size_t at, const char *path,
                       const char *why);
int tn_hipcc_refuse(const struct tn_cxx_source *source, size_t index, const char *path,
                    const char *why);

// Prints each use that cannot be compiled, with file, line and column, once for each kind in a file: the first
// as an error, the others as notes. Leaves out branches for another vendor and names that the source defines. `path` is the name of a source without origins.
void tn_hipcc_explain(const struct tn_cxx_source *source, const char *path);
