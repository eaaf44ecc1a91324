// SPDX-License-Identifier: Apache-2.0
// Gates on a futex. A waiter that still spins costs its opener no system call.
#include "backend/host/engine_gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"

enum { GATE_CLOSED, GATE_OPEN, GATE_SLEEPER };

void tn_host_gate_close(struct tn_host_gate *gate) {
    tn_store_relaxed(&gate->state, (uint32_t)GATE_CLOSED);
}

void tn_host_gate_wait(struct tn_host_gate *gate, unsigned spins) {
    for (unsigned i = 0; i < spins; i++) {
        if (tn_load_acquire(&gate->state) == GATE_OPEN) {
            return;
        }
        tn_cpu_relax();
    }
    uint32_t expected = GATE_CLOSED;
    if (!tn_cas_acq_rel(&gate->state, &expected, (uint32_t)GATE_SLEEPER)) {
        return; // opened in between: nothing else can have changed it
    }
    while (tn_load_acquire(&gate->state) != GATE_OPEN) {
        // Interrupted, woken for nothing or too late: the loop asks again.
        (void)syscall(SYS_futex, &gate->state, FUTEX_WAIT_PRIVATE, (uint32_t)GATE_SLEEPER, NULL,
                      NULL, 0);
    }
}

bool tn_host_gate_open(struct tn_host_gate *gate) {
    if (tn_exchange_acq_rel(&gate->state, (uint32_t)GATE_OPEN) != GATE_SLEEPER) {
        return false;
    }
    // The owner may have left already, and its memory be something else's: a wake-up for nothing
    // there, which every user of a futex must bear.
    (void)syscall(SYS_futex, &gate->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}
