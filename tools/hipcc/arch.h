// SPDX-License-Identifier: Apache-2.0
// The macros by which kernels know the device that they are compiled for. One thread.
#pragma once

#include "tools/hipcc/options.h"

// Adds them as words for the compiler: -D__CUDA_ARCH__=900.
void tn_hipcc_add_arch(struct tn_hipcc_words *words, const struct tn_hipcc_options *options);

// Returns the lanes of a warp, "32" or "64", or NULL with nvcc, whose warps are never different.
const char *tn_hipcc_lanes(const struct tn_hipcc_options *options);
