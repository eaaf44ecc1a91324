// SPDX-License-Identifier: Apache-2.0
// Launches: kernel<<<grid, block>>>(arguments). No state.
#pragma once

#include "tools/hipcc/edit.h"

struct tn_hip_launch {
    size_t kernel;      // the first token of the kernel's name
    size_t open, close; // the first of three brackets
};

// Returns true, and finds the parts, if the "<" at `index` begins the configuration of a launch.
bool tn_hip_launch_find(const struct tn_hip_source *source, size_t index,
                        struct tn_hip_launch *launch);

// Turns the launch into HIP_EXT_LAUNCH((kernel), grid, block)(arguments).
void tn_hip_launch_rewrite(const struct tn_hip_source *source, const struct tn_hip_launch *launch,
                           struct tn_hip_edits *edits);
