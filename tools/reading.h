// SPDX-License-Identifier: Apache-2.0
// Reading a recording, for every command that does, and the options for it. One thread.
#ifndef TARN_TOOLS_READING_H
#define TARN_TOOLS_READING_H

#include <argp.h>

#include "tools/command.h"
#include "trace/trace.h"

// The options of reading. Their input is the struct tn_trace_limits that they fill.
extern const struct argp tn_reading_argp;

// As the only child of a command's parser, which sets its input at ARGP_KEY_INIT.
#define TN_READING_CHILDREN                                                                        \
    {                                                                                              \
        {&tn_reading_argp, 0, "Reading recordings:", 1}, { 0 }                                     \
    }

// The option of commands that name the holders of memory.
#define TN_ALL_FRAMES_OPTION(key)                                                                  \
    {                                                                                              \
        "all-frames", key, NULL, 0,                                                                \
            "Show every call of a stack, and take its innermost call for the holder of memory; "   \
            "otherwise libraries, frameworks and interpreters are passed over",                    \
            0                                                                                      \
    }

// Reads the recording of a command, as a phase of its progress that ends at `until`. If it cannot,
// prints why, and returns BAD_INPUT or NO_MEMORY.
enum tn_exit tn_reading_open(const char *command, const char *path, double until,
                             const struct tn_trace_limits *limits, struct tn_trace *trace);

#endif
