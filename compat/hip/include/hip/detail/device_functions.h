/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/device_functions.h - functions that kernels compiled for the host may call, in C++.
 * See <hip/hip_runtime.h>.
 *
 * Atomics are atomic for all kernels and for the CPU, without ordering. Barriers, votes and
 * shuffles work in a block of one thread only, because the threads of a block run one after
 * another. In a larger block they end the kernel, and synchronisation returns hipErrorNotSupported
 * with a text that names the function. They need exceptions; a program compiled without exceptions
 * does not have them.
 */
#ifndef HIP_DETAIL_DEVICE_FUNCTIONS_H
#define HIP_DETAIL_DEVICE_FUNCTIONS_H

#include <hip/detail/host_kernel.h>

#ifdef __cplusplus

#include <cstring>

/* ---- atomics: each returns the previous value */

namespace hip_impl {

/* For operations without an instruction: repeats until no other thread interferes. */
template <typename T, typename Change> T exchange_by(T *address, Change change) {
    T before;
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    T after = change(before);
    while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        after = change(before);
    return before;
}

/* A type that the first argument alone determines. */
template <typename T> using value_of = typename as_is<T>::type;

template <typename T> T add(T *address, T value, std::true_type) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
template <typename T> T add(T *address, T value, std::false_type) {
    return exchange_by(
        address, [value](T before) { return before + value; });
}

template <typename T> T subtract(T *address, T value, std::true_type) {
    return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}
template <typename T> T subtract(T *address, T value, std::false_type) {
    return exchange_by(
        address, [value](T before) { return before - value; });
}

} // namespace hip_impl

template <typename T> T atomicAdd(T *address, hip_impl::value_of<T> value) {
    return hip_impl::add(address, value, std::is_integral<T>());
}

template <typename T> T atomicSub(T *address, hip_impl::value_of<T> value) {
    return hip_impl::subtract(address, value, std::is_integral<T>());
}

template <typename T> T atomicExch(T *address, hip_impl::value_of<T> value) {
    T before;
    __atomic_exchange(address, &value, &before, __ATOMIC_RELAXED);
    return before;
}

template <typename T>
T atomicCAS(T *address, hip_impl::value_of<T> compare, hip_impl::value_of<T> value) {
    __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return compare;
}

template <typename T> T atomicMin(T *address, hip_impl::value_of<T> value) {
    return hip_impl::exchange_by(
        address, [value](T before) { return value < before ? value : before; });
}

template <typename T> T atomicMax(T *address, hip_impl::value_of<T> value) {
    return hip_impl::exchange_by(
        address, [value](T before) { return before < value ? value : before; });
}

template <typename T> T atomicAnd(T *address, hip_impl::value_of<T> value) {
    return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}

template <typename T> T atomicOr(T *address, hip_impl::value_of<T> value) {
    return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}

template <typename T> T atomicXor(T *address, hip_impl::value_of<T> value) {
    return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

/* Up to `limit`, then 0 again; and down from it. */
inline unsigned atomicInc(unsigned *address, unsigned limit) {
    return hip_impl::exchange_by(
        address, [limit](unsigned before) { return before >= limit ? 0 : before + 1; });
}

inline unsigned atomicDec(unsigned *address, unsigned limit) {
    return hip_impl::exchange_by(
        address,
        [limit](unsigned before) { return before == 0 || before > limit ? limit : before - 1; });
}

/* ---- order of memory */

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline void __threadfence_block() { __threadfence(); }

inline void __threadfence_system() { __threadfence(); }

/* ---- functions of all threads of a block */

#if defined(__cpp_exceptions)

namespace hip_impl {

inline void needs_no_other_thread(const char *why) {
    if (blockDim.x * blockDim.y * blockDim.z > 1) throw stop{hipErrorNotSupported, why};
}

} // namespace hip_impl

#define HIP_ALONE_(function)                                                                       \
    ::hip_impl::needs_no_other_thread(                                                             \
        function " in a block of several threads, which run one after the other here")

inline void __syncthreads() { HIP_ALONE_("__syncthreads()"); }

inline int __syncthreads_count(int predicate) {
    HIP_ALONE_("__syncthreads_count()");
    return predicate != 0;
}

inline int __syncthreads_and(int predicate) {
    HIP_ALONE_("__syncthreads_and()");
    return predicate != 0;
}

inline int __syncthreads_or(int predicate) {
    HIP_ALONE_("__syncthreads_or()");
    return predicate != 0;
}

inline int __all(int predicate) {
    HIP_ALONE_("__all()");
    return predicate != 0;
}

inline int __any(int predicate) {
    HIP_ALONE_("__any()");
    return predicate != 0;
}

inline unsigned long long __ballot(int predicate) {
    HIP_ALONE_("__ballot()");
    return predicate != 0;
}

inline unsigned long long __activemask() {
    HIP_ALONE_("__activemask()");
    return 1;
}

template <typename T> T __shfl(T value, int lane, int width = warpSize) {
    (void)lane;
    (void)width;
    HIP_ALONE_("__shfl()");
    return value;
}

template <typename T> T __shfl_up(T value, unsigned delta, int width = warpSize) {
    (void)delta;
    (void)width;
    HIP_ALONE_("__shfl_up()");
    return value;
}

template <typename T> T __shfl_down(T value, unsigned delta, int width = warpSize) {
    (void)delta;
    (void)width;
    HIP_ALONE_("__shfl_down()");
    return value;
}

template <typename T> T __shfl_xor(T value, int mask, int width = warpSize) {
    (void)mask;
    (void)width;
    HIP_ALONE_("__shfl_xor()");
    return value;
}

#undef HIP_ALONE_

#endif
#endif
#endif
