// SPDX-License-Identifier: Apache-2.0
// See misbehave.h. Only the first calls of a process may be slow, so that a program with many messages
// still ends. A process dies only if the seed lets calls fail, and if it does not lead its process
// group: the program that a command starts does, and its other processes do not.
#include "channel/misbehave.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { CALLS_MAX = 100 };

void tn_channel_decide(const char *call) {
    static const struct timespec slow = {0, 2000000};
    if (tn_load_relaxed(&tn_process_decider.counts[TN_DECIDE_PEER]) >= CALLS_MAX) return;
    bool mortal = tn_decide_faults() && getpid() != getpgrp();
    switch (tn_decide(&tn_process_decider, TN_DECIDE_PEER, mortal ? 3 : 2,
                      "%s comes late, or its process dies", call)) {
    case 1: (void)nanosleep(&slow, NULL); break;
    case 2: (void)raise(SIGKILL); break;
    default: break;
    }
}
