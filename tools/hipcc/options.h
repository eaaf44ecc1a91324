// SPDX-License-Identifier: Apache-2.0
// The command line of `tarn hipcc`, which is that of a compiler. One thread.
#pragma once

#include "tools/hipcc/words.h"

enum tn_hipcc_mode {
    TN_HIPCC_LINK,
    TN_HIPCC_COMPILE,    // -c
    TN_HIPCC_ASSEMBLE,   // -S
    TN_HIPCC_SYNTAX,     // -fsyntax-only
    TN_HIPCC_PREPROCESS, // -E, -M, -MM: the compiler's own work
};

struct tn_hipcc_input {
    const char *path;
    const char *language; // "hip", another one for -x, or NULL for a file for the linker
    size_t link_index;    // its word in the link command
};

struct tn_hipcc_options {
    enum tn_hipcc_mode mode;
    const char *mode_word; // "-c", "-E", ... or NULL
    const char *output;
    const char *lanes;             // of a warp, or NULL
    bool is_module;                // --genco
    bool is_relocatable;           // -fgpu-rdc, -rdc=true: files use each other's device code
    bool finds_races;              // --kernel-races
    bool is_dry, is_verbose;       // -###, -v
    bool has_standard, has_level;  // -std=, -O
    bool no_runtime;               // --no-hip-rt
    bool wants_depend;             // -MD or -MMD
    bool has_depend_target;        // -MT or -MQ
    const char *compiler;          // of the host, by nvcc's -ccbin, or its folder; or NULL
    const char *refused;           // an option that cannot be honoured, or NULL
    struct tn_hipcc_words arch;    // the values of options that name a GPU
    struct tn_hipcc_words compile; // options of every compilation
    struct tn_hipcc_words depend;  // those of a preprocessor that writes dependencies
    struct tn_hipcc_words link;    // the words of the link command, with all inputs
    struct tn_hipcc_input *inputs;
    size_t input_count;
};

// Parses the words, of which the first is no option. @FILE is replaced by the words in the file.
// Ends the process with a message if a file cannot be read or a value is missing.
void tn_hipcc_parse(struct tn_hipcc_options *options, int argc, char **argv);

// Returns the last part of a path without its suffix, with another suffix.
char *tn_hipcc_renamed(const char *path, const char *suffix);
