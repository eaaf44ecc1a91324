// SPDX-License-Identifier: Apache-2.0
// The inbox of `tarn check`: receives the messages of checked processes (check/report/wire.h), writes the
// user's files and sums up. It keeps one message at a time, and a record of each process that has
// not ended. One thread.
#pragma once

#include <sys/types.h>

#include "check/options.h"
#include "check/report/wire.h"

enum { TN_CHECK_NAMED = 8 }; // processes of a list that are named

// Processes without a summary: their number and the first ones.
struct tn_check_lost {
    unsigned count;
    int pids[TN_CHECK_NAMED];
};

// The sums over all checked processes.
struct tn_check_results {
    unsigned processes; // processes that were checked
    struct tn_check_counts counts;
    struct tn_check_lost ended;   // that ended without a summary
    struct tn_check_lost running; // that have not ended yet
    uint64_t unsent;              // reports that could not be sent
    bool failed;                  // an output failed
};

// Opens the user's files and the socket, and sets the environment for the checked processes. Prints
// an error and returns false if that fails.
bool tn_check_inbox_open(const struct tn_check_options *options);

// Returns the descriptor to wait for.
int tn_check_inbox_descriptor(void);

// Receives all messages that wait. `program` is the process that `tarn check` started.
void tn_check_inbox_take(pid_t program);

// Receives the last messages and closes socket and files.
void tn_check_inbox_close(pid_t program, struct tn_check_results *results);
