// SPDX-License-Identifier: Apache-2.0
// Reading a recording, for every command that does, and the options for it. One thread.
#pragma once

#include "tools/arguments.h"
#include "tools/command.h"
#include "trace/trace.h"

// The options of reading. Their input is the struct tn_trace_limits that they fill.
extern const struct tn_arg_table tn_reading_options;

// They are the shared options of a command line. `limits` is a field of the command's input.
#define TN_READS(type, limits) &tn_reading_options, offsetof(type, limits), "Reading recordings:", 1

// The option of commands that name the holders of memory.
#define TN_ALL_FRAMES_OPTION(type)                                                                 \
    {                                                                                              \
        "all-frames", 0, NULL,                                                                     \
            "Show every call of a stack, and take its innermost call for the holder of memory; "   \
            "otherwise libraries, frameworks and interpreters are passed over",                    \
            TN_FLAG(type, all_frames)                                                              \
    }

// Reads the recording of a command, as a phase of its progress that ends at `until`. If it cannot,
// prints why, and returns BAD_INPUT or NO_MEMORY.
enum tn_exit tn_reading_open(const char *path, double until, const struct tn_trace_limits *limits,
                             struct tn_trace *trace);
