// SPDX-License-Identifier: Apache-2.0
// Gates on a futex. Waking a waiter that still spins costs no system call. See gate.h.
#include "backend/host/engine/gate.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"

enum { GATE_CLOSED, GATE_OPEN, GATE_SLEEPER };

void tn_host_gate_close(struct tn_host_gate *gate) {
    tn_store_relaxed(&gate->state, (uint32_t)GATE_CLOSED);
}

// Sleeps while the state is GATE_SLEEPER. May return early. Returns false if the deadline passed.
static bool futex_wait(_Atomic uint32_t *state, uint64_t deadline_ns) {
    const struct timespec until = {
        .tv_sec = (time_t)(deadline_ns / 1000000000u),
        .tv_nsec = (long)(deadline_ns % 1000000000u),
    };
    // FUTEX_WAIT_BITSET takes an absolute time of CLOCK_MONOTONIC.
    long result = syscall(SYS_futex, state, FUTEX_WAIT_BITSET_PRIVATE, (uint32_t)GATE_SLEEPER,
                          deadline_ns == UINT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
    return result == 0 || errno != ETIMEDOUT;
}

bool tn_host_gate_wait(struct tn_host_gate *gate, unsigned spins, unsigned yields,
                       uint64_t deadline_ns) {
    for (unsigned i = 0; i < spins; i++) {
        if (tn_load_acquire(&gate->state) == GATE_OPEN) return true;
        tn_cpu_relax();
    }
    for (unsigned i = 0; i < yields; i++) {
        if (tn_load_acquire(&gate->state) == GATE_OPEN) return true;
        (void)sched_yield();
    }
    uint32_t expected = GATE_CLOSED;
    (void)tn_cas_acq_rel(&gate->state, &expected, (uint32_t)GATE_SLEEPER);
    for (bool in_time = true; tn_load_acquire(&gate->state) != GATE_OPEN;) {
        if (!in_time) return false;
        in_time = futex_wait(&gate->state, deadline_ns);
    }
    return true;
}

bool tn_host_gate_open(struct tn_host_gate *gate) {
    if (tn_exchange_acq_rel(&gate->state, (uint32_t)GATE_OPEN) != GATE_SLEEPER) return false;
    // The owner may have freed the gate already. The wake-up may then reach an unrelated futex at
    // this address; every futex user must tolerate spurious wake-ups.
    (void)syscall(SYS_futex, &gate->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}
