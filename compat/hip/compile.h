// SPDX-License-Identifier: Apache-2.0
// Runs `tarn hipcc` for hiprtc, in a folder of its own that is removed again. No state; any thread may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tn_hip_text {
    char *name;
    char *text;
};

struct tn_hip_compilation {
    const char *source;                // the complete text
    const struct tn_hip_text *headers; // by the names in include lines
    size_t header_count;
    const char *const *options;
    size_t option_count;
    char *log; // results, which the caller frees: messages, and the module
    char *code;
    size_t code_bytes;
};

// Compiles a module. Returns false if the compiler failed, and if there is none; the log then says why. The log
// is NULL without host memory.
bool tn_hip_compile(struct tn_hip_compilation *compilation);
