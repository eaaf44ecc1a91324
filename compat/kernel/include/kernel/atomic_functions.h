/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/atomic_functions.h - atomics and fences for kernels compiled for the host, in C++. See
 * the vendor's runtime header.
 *
 * A thread that waits for another one of its block in a loop must call atomicCAS(),
 * __hip_atomic_load(), a fence or __nanosleep() in it; after some calls, the others run.
 *
 * Every operation is atomic for all kernels and for the CPU, whatever its scope. Those without an
 * order are relaxed. They take integers of every width, and those that make sense for them floating
 * point numbers.
 */
#ifndef KERNEL_ATOMIC_FUNCTIONS_H
#define KERNEL_ATOMIC_FUNCTIONS_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <kernel/host_kernel.h>

namespace kernel_impl {

/* A thread that waits for another one in a loop calls one of these functions again and again. After
 * some calls it lets the others run. */
KERNEL_UNSEEN_ inline void let_others_run() {
    static thread_local unsigned calls = 0;
    if (running == nullptr || ++calls % 64 != 0) return;
    const uint3 own = threadIdx;
    KERNEL_API_(ExtHostYield)(running, (own.z * blockDim.y + own.y) * blockDim.x + own.x);
    threadIdx = own;
}

/* A type that the other arguments determine. */
template <typename T> struct value_of_ { using type = T; };
template <typename T> using value_of = typename value_of_<T>::type;

/* For operations without an instruction: repeats until no other thread interferes. */
template <typename T, typename Change>
T exchange_by(T *address, Change change, int order = __ATOMIC_RELAXED) {
    T before;
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    T after = change(before);
    while (!__atomic_compare_exchange(address, &before, &after, true, order, __ATOMIC_RELAXED))
        after = change(before);
    return before;
}

template <typename T> T add(T *address, T value, int order, std::true_type) {
    return __atomic_fetch_add(address, value, order);
}
template <typename T> T add(T *address, T value, int order, std::false_type) {
    return exchange_by(
        address, [value](T before) { return before + value; }, order);
}
template <typename T> T subtract(T *address, T value, int order, std::true_type) {
    return __atomic_fetch_sub(address, value, order);
}
template <typename T> T subtract(T *address, T value, int order, std::false_type) {
    return exchange_by(
        address, [value](T before) { return before - value; }, order);
}
template <typename T> T fetch_add(T *address, value_of<T> value, int order) {
    return add(address, value, order, std::is_integral<T>());
}
template <typename T> T fetch_sub(T *address, value_of<T> value, int order) {
    return subtract(address, value, order, std::is_integral<T>());
}
template <typename T> T fetch_min(T *address, value_of<T> value, int order) {
    return exchange_by(
        address, [value](T before) { return value < before ? value : before; }, order);
}
template <typename T> T fetch_max(T *address, value_of<T> value, int order) {
    return exchange_by(
        address, [value](T before) { return before < value ? value : before; }, order);
}
template <typename T> T exchange(T *address, value_of<T> value, int order) {
    T before;
    __atomic_exchange(address, &value, &before, order);
    return before;
}
template <typename T> T load(const volatile T *address, int order) {
    T value;
    let_others_run();
    __atomic_load(const_cast<const T *>(address), &value, order);
    return value;
}
template <typename T> void store(volatile T *address, value_of<T> value, int order) {
    __atomic_store(const_cast<T *>(address), &value, order);
}
template <typename T>
bool compare_exchange(T *address, T *expected, value_of<T> value, bool weak, int success,
                      int failure) {
    return __atomic_compare_exchange(address, expected, &value, weak, success, failure);
}

} // namespace kernel_impl

/* ---- HIP's functions; each returns the previous value. The scopes of the last two forms have no
 * effect. */

#define KERNEL_ATOMIC_(name, operation)                                                            \
    template <typename T> T name(T *address, kernel_impl::value_of<T> value) { return operation; } \
    template <typename T> T name##_system(T *address, kernel_impl::value_of<T> value) {            \
        return operation;                                                                          \
    }                                                                                              \
    template <typename T> T name##_block(T *address, kernel_impl::value_of<T> value) {             \
        return operation;                                                                          \
    }
KERNEL_ATOMIC_(atomicAdd, kernel_impl::fetch_add(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicSub, kernel_impl::fetch_sub(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicMin, kernel_impl::fetch_min(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicMax, kernel_impl::fetch_max(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicExch, kernel_impl::exchange(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicAnd, __atomic_fetch_and(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicOr, __atomic_fetch_or(address, value, __ATOMIC_RELAXED))
KERNEL_ATOMIC_(atomicXor, __atomic_fetch_xor(address, value, __ATOMIC_RELAXED))
/* Up to `value`, then 0 again; and down from it. */
KERNEL_ATOMIC_(atomicInc, kernel_impl::exchange_by(address, [value](T before) -> T {
                   return before >= value ? 0 : before + 1;
               }))
KERNEL_ATOMIC_(atomicDec, kernel_impl::exchange_by(address, [value](T before) -> T {
                   return before == 0 || before > value ? value : before - 1;
               }))
#undef KERNEL_ATOMIC_

template <typename T>
T atomicCAS(T *address, kernel_impl::value_of<T> compare, kernel_impl::value_of<T> value) {
    if (!kernel_impl::compare_exchange(address, &compare, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED))
        kernel_impl::let_others_run();
    return compare;
}
template <typename T>
T atomicCAS_system(T *address, kernel_impl::value_of<T> compare, kernel_impl::value_of<T> value) {
    return atomicCAS(address, compare, value);
}
template <typename T>
T atomicCAS_block(T *address, kernel_impl::value_of<T> compare, kernel_impl::value_of<T> value) {
    return atomicCAS(address, compare, value);
}

/* As exact as the others. */
template <typename T> T unsafeAtomicAdd(T *address, kernel_impl::value_of<T> value) {
    return atomicAdd(address, value);
}
template <typename T> T safeAtomicAdd(T *address, kernel_impl::value_of<T> value) {
    return atomicAdd(address, value);
}
template <typename T> T unsafeAtomicMin(T *address, kernel_impl::value_of<T> value) {
    return atomicMin(address, value);
}
template <typename T> T unsafeAtomicMax(T *address, kernel_impl::value_of<T> value) {
    return atomicMax(address, value);
}
inline void atomicAddNoRet(float *address, float value) { (void)atomicAdd(address, value); }

/* ---- clang's functions with an order and a scope */

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT    2
#define __HIP_MEMORY_SCOPE_WORKGROUP    3
#define __HIP_MEMORY_SCOPE_AGENT        4
#define __HIP_MEMORY_SCOPE_SYSTEM       5
#endif

#define __hip_atomic_load(address, order, scope)         ::kernel_impl::load(address, order)
#define __hip_atomic_store(address, value, order, scope) ::kernel_impl::store(address, value, order)
#define __hip_atomic_exchange(address, value, order, scope)                                        \
    ::kernel_impl::exchange(address, value, order)
#define __hip_atomic_compare_exchange_strong(address, expected, value, success, failure, scope)    \
    ::kernel_impl::compare_exchange(address, expected, value, false, success, failure)
#define __hip_atomic_compare_exchange_weak(address, expected, value, success, failure, scope)      \
    ::kernel_impl::compare_exchange(address, expected, value, true, success, failure)
#define __hip_atomic_fetch_add(address, value, order, scope)                                       \
    ::kernel_impl::fetch_add(address, value, order)
#define __hip_atomic_fetch_sub(address, value, order, scope)                                       \
    ::kernel_impl::fetch_sub(address, value, order)
#define __hip_atomic_fetch_min(address, value, order, scope)                                       \
    ::kernel_impl::fetch_min(address, value, order)
#define __hip_atomic_fetch_max(address, value, order, scope)                                       \
    ::kernel_impl::fetch_max(address, value, order)
#define __hip_atomic_fetch_and(address, value, order, scope)                                       \
    __atomic_fetch_and(address, value, order)
#define __hip_atomic_fetch_or(address, value, order, scope) __atomic_fetch_or(address, value, order)
#define __hip_atomic_fetch_xor(address, value, order, scope)                                       \
    __atomic_fetch_xor(address, value, order)

/* ---- order of memory */

inline void __threadfence() {
    kernel_impl::let_others_run();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { kernel_impl::let_others_run(); }

#endif
#endif
