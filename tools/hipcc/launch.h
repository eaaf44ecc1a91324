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

// Returns true if the directive that begins at the token defines a macro for a configuration alone, such
// as `#define CONFIGURATION(g, b) <<<g, b>>>`.
bool tn_cxx_is_configuration(const struct tn_cxx_source *source, size_t hash);

// Takes the brackets out of the definition of such a macro; and turns a launch with it into
// HIP_EXT_LAUNCH((kernel), CONFIGURATION(g, b))(arguments). `name` is the macro's name there.
void tn_cxx_configuration_define(const struct tn_cxx_source *source, size_t hash,
                                 struct tn_cxx_edits *edits);
void tn_cxx_configuration_use(const struct tn_cxx_source *source, size_t name,
                              struct tn_cxx_edits *edits);

// Turns the launch into HIP_EXT_LAUNCH((kernel), grid, block)(arguments).
void tn_cxx_launch_rewrite(const struct tn_cxx_source *source, const struct tn_cxx_launch *launch,
                           struct tn_cxx_edits *edits);
