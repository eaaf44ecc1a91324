// SPDX-License-Identifier: Apache-2.0
// A file that the user names for reports: a path in which %p stands for a pid, "-" for a standard
// descriptor, or "" for none. The first failure writes one line to standard error; after it the output
// takes nothing. No call waits longer than TN_CHECK_OUTPUT_SECONDS for a FIFO without a reader or a
// file that takes no bytes. The caller serialises.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TN_CHECK_OUTPUT_SECONDS = 5 };

struct tn_check_output {
    const char *option; // that names the file, for messages
    const char *path;   // as the user wrote it
    int standard;       // the descriptor of "-"
    int file;           // -1 if not open
    int pid;            // of the process whose reports the open file takes
    dev_t device;       // of the open file, to recognise it
    ino_t inode;
    bool failed;
};

// Opens the file, unless the path depends on a pid. Empties it. Returns false after a failure.
bool tn_check_output_start(struct tn_check_output *output);

// Writes reports of the process. Opens the file if necessary and appends. Returns false if the
// output has failed. Blocks SIGPIPE and SIGXFSZ meanwhile.
bool tn_check_output_write(struct tn_check_output *output, int pid, const char *data, size_t bytes);

// Returns false if the output has failed at any time.
bool tn_check_output_close(struct tn_check_output *output);
