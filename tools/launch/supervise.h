// SPDX-License-Identifier: Apache-2.0
// Runs a program as a child, for `tarn check` and `tarn record`. One thread, one program.
#ifndef TARN_TOOLS_LAUNCH_SUPERVISE_H
#define TARN_TOOLS_LAUNCH_SUPERVISE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/launch/launch.h"

// Messages to receive while the program runs.
struct tn_supervisor {
    int (*descriptor)(void);
    void (*take)(pid_t program);
};

// Adds a library in front of LD_PRELOAD. Returns false if out of memory.
bool tn_supervise_preload(const char *library);

// Starts the program and waits for its end. Signals that end or inform processes are forwarded to
// it. `by` may be NULL. Returns the status as waitpid() does, or -1 after an error message if the
// program could not be started.
int tn_supervise(const struct tn_launch *launch, const char *command,
                 const struct tn_supervisor *by, pid_t *process);

#endif
