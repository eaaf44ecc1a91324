// SPDX-License-Identifier: Apache-2.0
// One source as the preprocessor leaves it for a device, where macros name the architecture, and for the
// host, where they do not exist. One text serves both: device functions have the bodies for the device, host
// functions those for the host, and functions of both choose when they run. No state; any thread may call.
#pragma once

#include "tools/hipcc/lexer.h"
#include "tools/hipcc/words.h"

// Returns the text and its length, or NULL: out of memory, or *only is the "{" of a function of `host` that
// does not exist in `device`. The caller frees the text. `arch` has the macros of the device for a compiler,
// such as -D__CUDA_ARCH__=900.
char *tn_cxx_join(const struct tn_cxx_source *device, const struct tn_cxx_source *host,
                  const struct tn_hipcc_words *arch, size_t *bytes, size_t *only);
