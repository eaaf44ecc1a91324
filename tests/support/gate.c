// SPDX-License-Identifier: Apache-2.0
// See gate.h.
#include "support/gate.h"

#include <unistd.h>

void pass_gate(void *gate) {
    struct gate *g = gate;
    while (!g->open) usleep(100);
    g->passed++;
}

void count(void *counter) { (*(_Atomic(int) *)counter)++; }

void see(void *seen) {
    struct seen *s = seen;
    s->passed = s->gate->passed;
}
