// SPDX-License-Identifier: Apache-2.0
// C11 atomics with the memory order in the name, which makes it easy to search for. `p` points to
// an _Atomic object. A comment at the field names the store and the load that pair.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define tn_load_relaxed(p)        atomic_load_explicit((p), memory_order_relaxed)
#define tn_load_acquire(p)        atomic_load_explicit((p), memory_order_acquire)
#define tn_store_relaxed(p, x)    atomic_store_explicit((p), (x), memory_order_relaxed)
#define tn_store_release(p, x)    atomic_store_explicit((p), (x), memory_order_release)
#define tn_load_seq_cst(p)        atomic_load_explicit((p), memory_order_seq_cst)
#define tn_store_seq_cst(p, x)    atomic_store_explicit((p), (x), memory_order_seq_cst)
#define tn_add_seq_cst(p, x)      atomic_fetch_add_explicit((p), (x), memory_order_seq_cst)
#define tn_exchange_relaxed(p, x) atomic_exchange_explicit((p), (x), memory_order_relaxed)
#define tn_exchange_acquire(p, x) atomic_exchange_explicit((p), (x), memory_order_acquire)
#define tn_exchange_release(p, x) atomic_exchange_explicit((p), (x), memory_order_release)
#define tn_exchange_acq_rel(p, x) atomic_exchange_explicit((p), (x), memory_order_acq_rel)
#define tn_add_relaxed(p, x)      atomic_fetch_add_explicit((p), (x), memory_order_relaxed)
#define tn_add_acq_rel(p, x)      atomic_fetch_add_explicit((p), (x), memory_order_acq_rel)
#define tn_sub_relaxed(p, x)      atomic_fetch_sub_explicit((p), (x), memory_order_relaxed)
#define tn_sub_release(p, x)      atomic_fetch_sub_explicit((p), (x), memory_order_release)
#define tn_sub_acq_rel(p, x)      atomic_fetch_sub_explicit((p), (x), memory_order_acq_rel)
#define tn_or_acq_rel(p, x)       atomic_fetch_or_explicit((p), (x), memory_order_acq_rel)
#define tn_and_acq_rel(p, x)      atomic_fetch_and_explicit((p), (x), memory_order_acq_rel)

// Compare and swap. Returns true if *p was *expected, and stores `x`. Otherwise *expected becomes
// the value found. The named order holds on success. A failure is a relaxed load, except in
// _acq_rel, where it is an acquire load. The weak forms may fail spuriously and belong in loops.
#define tn_cas_relaxed(p, expected, x)                                                             \
    atomic_compare_exchange_strong_explicit((p), (expected), (x), memory_order_relaxed,            \
                                            memory_order_relaxed)
#define tn_cas_acquire(p, expected, x)                                                             \
    atomic_compare_exchange_strong_explicit((p), (expected), (x), memory_order_acquire,            \
                                            memory_order_relaxed)
#define tn_cas_acq_rel(p, expected, x)                                                             \
    atomic_compare_exchange_strong_explicit((p), (expected), (x), memory_order_acq_rel,            \
                                            memory_order_acquire)
#define tn_cas_weak_relaxed(p, expected, x)                                                        \
    atomic_compare_exchange_weak_explicit((p), (expected), (x), memory_order_relaxed,              \
                                          memory_order_relaxed)
#define tn_cas_weak_acq_rel(p, expected, x)                                                        \
    atomic_compare_exchange_weak_explicit((p), (expected), (x), memory_order_acq_rel,              \
                                          memory_order_acquire)

// Raises a number to `value` if it is less.
static inline void tn_raise_relaxed(_Atomic(uint64_t) *number, uint64_t value) {
    uint64_t now = tn_load_relaxed(number);
    while (now < value && !tn_cas_weak_relaxed(number, &now, value)) {
    }
}

// Informs the processor that this thread spins, so that a hyperthread beside it runs faster.
static inline void tn_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
