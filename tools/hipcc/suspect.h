// SPDX-License-Identifier: Apache-2.0
// What of HIP no CPU can compile. A compiler that failed has named a line; this names the reason. No state.
#pragma once

#include "tools/hipcc/lexer.h"

// Prints each use that cannot be compiled, as an error with file, line and column, once for each kind in a
// file. `path` is the name of a source without origins.
void tn_hipcc_explain(const struct tn_cxx_source *source, const char *path);
