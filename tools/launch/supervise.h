// SPDX-License-Identifier: Apache-2.0
// Runs a program as a child, for `tarn check`, `tarn record` and `tarn run`. One thread, one program.
#pragma once

#include <sys/types.h>

#include "tools/launch/launch.h"

// Messages to receive while the program runs.
struct tn_supervisor {
    int (*descriptor)(void);
    void (*take)(pid_t program);
};

// Starts the program and waits for its end. Signals that a process sends to this one are forwarded to
// it. The program is killed if this process is. `by` may be NULL. Returns the status as waitpid()
// does, or -1 after an error message if the system fails.
int tn_supervise(const struct tn_launch *launch, const struct tn_supervisor *by, pid_t *process);

// Returns the exit status of the command: that of the program, or 128 and the number of its signal,
// or, if the program succeeded and `done` is false, TN_LAUNCH_NOTHING. Prints the signal, and, if
// `done` is false, why `nothing` was done, such as "nothing was checked".
int tn_supervise_conclude(const struct tn_launch *launch, int status, bool done,
                          const char *nothing);
