// SPDX-License-Identifier: Apache-2.0
// Functions that tests of order give to streams: one that blocks until it is let go, one that
// counts, and one that looks whether another has run. Knows nothing of Tarn.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
#include <atomic>
typedef std::atomic<bool> atomic_flag_t;
typedef std::atomic<int> atomic_count_t;
extern "C" {
#else
#include <stdatomic.h>
typedef _Atomic(bool) atomic_flag_t;
typedef _Atomic(int) atomic_count_t;
#endif

// Blocks the stream that it is given to until `open`.
struct gate {
    atomic_flag_t open;
    atomic_count_t passed;
};
void pass_gate(void *gate);

// Sets whether functions pass their gates, open or closed, without touching them.
void pass_gates(bool pass);

// Adds one to an atomic_count_t.
void count(void *counter);

// What a stream saw of a gate when its turn came.
struct seen {
    struct gate *gate;
    atomic_count_t passed;
};
void see(void *seen);

#ifdef __cplusplus
}
#endif
