// SPDX-License-Identifier: Apache-2.0
// A gate: one thread waits until another thread opens it, once. The waiter owns the gate, usually
// on its stack, and closes it before another thread can see it. A gate that is opened before the
// wait begins stays open, so no wake-up is lost. Opening releases; the waiter acquires.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct tn_host_gate {
    _Atomic uint32_t state; // GATE_ of gate.c
};

void tn_host_gate_close(struct tn_host_gate *gate);

// Polls the gate `spins` times, then `yields` times with the CPU left to other threads in between, then
// sleeps until it is open or until the deadline
// (CLOCK_MONOTONIC, nanoseconds; UINT64_MAX never passes). Returns false if the deadline passed.
// The gate is closed then; if another thread may still open it, the owner waits again before it
// frees the gate.
bool tn_host_gate_wait(struct tn_host_gate *gate, unsigned spins, unsigned yields,
                       uint64_t deadline_ns);

// The owner may free the gate as soon as it sees it open; this function does not read it
// afterwards. Returns true if the waiter slept and the kernel was asked to wake it.
bool tn_host_gate_open(struct tn_host_gate *gate);
