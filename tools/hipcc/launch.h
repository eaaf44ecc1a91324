// SPDX-License-Identifier: Apache-2.0
// Launches: kernel<<<grid, block>>>(arguments). No state.
#pragma once

#include "tools/hipcc/edit.h"

struct tn_cxx_launch {
    size_t kernel;      // the first token of the kernel's name
    size_t open, close; // the first of three brackets
};

// Returns true, and finds the parts, if the "<" at `index` begins the configuration of a launch.
bool tn_cxx_launch_find(const struct tn_cxx_source *source, size_t index,
                        struct tn_cxx_launch *launch);

// Turns the launch into HIP_EXT_LAUNCH((kernel), grid, block)(arguments).
void tn_cxx_launch_rewrite(const struct tn_cxx_source *source, const struct tn_cxx_launch *launch,
                           struct tn_cxx_edits *edits);
