// SPDX-License-Identifier: Apache-2.0
// A gate: one thread waits at it, another opens it, once. The waiter owns the gate, usually on its
// stack, and closes it before anybody can know of it. Opening a gate that nobody waits at yet is
// remembered, so no wake-up is lost. Whatever the opener did before is seen by the waiter after.
#ifndef TARN_BACKEND_HOST_ENGINE_GATE_H
#define TARN_BACKEND_HOST_ENGINE_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct tn_host_gate {
    _Atomic uint32_t state; // one of the three in engine_gate.c; opened by release, seen by acquire
};

void tn_host_gate_close(struct tn_host_gate *gate);

// Looks at the gate `spins` times, then sleeps until it is open.
void tn_host_gate_wait(struct tn_host_gate *gate, unsigned spins);

// The same until a deadline (CLOCK_MONOTONIC, nanoseconds). False: it has passed, and the gate is
// closed; its owner waits again before doing away with it, if somebody may yet open it.
bool tn_host_gate_wait_until(struct tn_host_gate *gate, unsigned spins, uint64_t deadline_ns);

// Once the gate is seen open its owner may do away with it: nothing of it is read after that. True:
// the waiter slept, and the kernel has been asked to wake it.
bool tn_host_gate_open(struct tn_host_gate *gate);

#endif
