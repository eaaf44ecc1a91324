/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/device_functions.h - functions that kernels compiled for the host may call, in C++.
 * See <hip/hip_runtime.h>.
 *
 * Atomics are atomic for all kernels and for the CPU, without ordering.
 *
 * At a barrier, all threads of the block meet. One that cannot come, because it has returned or
 * waits in another line, ends the kernel: hipErrorLaunchFailure, with a text that names both
 * threads. For votes and shuffles, the lanes of a warp meet that neither have returned nor wait
 * elsewhere; for the forms with a mask, exactly those of the mask, or the kernel ends. Lanes that
 * wait in different lines do not meet: those at the lower line go on first. A shuffle from a lane
 * that does not come returns the own value.
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

/* ---- functions for which threads meet; each takes the place of its call in the source */

namespace hip_impl {

inline unsigned number_of_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/* Sets the coordinates again when others have run on this CPU thread. */
struct returning {
    const uint3 thread = threadIdx;
    ~returning() { threadIdx = thread; }
};

inline unsigned meet_block(const char *function, const char *file, int line, int vote,
                           int grid = 0) {
    const returning self;
    const hipExtHostPlace place = {function, file, line, number_of_thread()};
    return hipExtHostBlockWait(running, &place, vote, grid);
}

inline hipExtHostLanes meet_warp(const char *function, const char *file, int line,
                                 unsigned long long mask, unsigned long long value,
                                 unsigned from = 64, unsigned long long *values = nullptr) {
    const returning self;
    const hipExtHostPlace place = {function, file, line, number_of_thread()};
    hipExtHostLanes lanes = {mask, value, 0, values, from, warpSize};
    hipExtHostWarpWait(running, &place, &lanes);
    return lanes;
}

/* Returns the value of lane `from`, word by word. */
template <typename T>
T shuffle(const char *function, const char *file, int line, unsigned long long mask, T value,
          unsigned from) {
    static_assert(std::is_trivially_copyable<T>::value, "a shuffle copies bytes");
    for (std::size_t at = 0; at < sizeof value; at += 8) {
        char *bytes = reinterpret_cast<char *>(&value) + at;
        const std::size_t size = sizeof value - at < 8 ? sizeof value - at : 8;
        unsigned long long word = 0;
        std::memcpy(&word, bytes, size);
        word = meet_warp(function, file, line, mask, word, from).value;
        std::memcpy(bytes, &word, size);
    }
    return value;
}

/* Lanes from which a shuffle takes values, in groups of `width` lanes. */
inline unsigned lane_at(unsigned lane, int width) {
    const unsigned self = number_of_thread() % warpSize;
    return (self & ~(static_cast<unsigned>(width) - 1)) + lane % static_cast<unsigned>(width);
}
inline unsigned lane_above(unsigned delta, int width) {
    const unsigned self = number_of_thread() % warpSize;
    return self % static_cast<unsigned>(width) < delta ? self : self - delta;
}
inline unsigned lane_below(unsigned delta, int width) {
    const unsigned self = number_of_thread() % warpSize;
    const unsigned size = static_cast<unsigned>(width);
    return self % size + delta >= size ? self : self + delta;
}
inline unsigned lane_crossed(int mask, int width) {
    const unsigned self = number_of_thread() % warpSize;
    const unsigned other = self ^ static_cast<unsigned>(mask);
    const unsigned size = static_cast<unsigned>(width);
    return other >= ((self + size) & ~(size - 1)) ? self : other;
}

/* Every lane of a warp, for the functions without a mask: those that come. */
constexpr unsigned long long who_comes = 0;

} // namespace hip_impl

#define HIP_HERE_     const char *file_ = __builtin_FILE(), int line_ = __builtin_LINE()
#define HIP_AT_(name) name "()", file_, line_

inline void __syncthreads(HIP_HERE_) { (void)hip_impl::meet_block(HIP_AT_("__syncthreads"), 0); }
inline int __syncthreads_count(int predicate, HIP_HERE_) {
    return static_cast<int>(hip_impl::meet_block(HIP_AT_("__syncthreads_count"), predicate));
}
inline int __syncthreads_and(int predicate, HIP_HERE_) {
    return hip_impl::meet_block(HIP_AT_("__syncthreads_and"), !predicate) == 0;
}
inline int __syncthreads_or(int predicate, HIP_HERE_) {
    return hip_impl::meet_block(HIP_AT_("__syncthreads_or"), predicate) != 0;
}

/* The number of the calling lane in its warp. */
inline unsigned __lane_id() { return hip_impl::number_of_thread() % warpSize; }

inline unsigned long long __ballot(int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__ballot"), hip_impl::who_comes, predicate != 0).votes;
}
inline unsigned long long __ballot64(int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__ballot64"), hip_impl::who_comes, predicate != 0).votes;
}
inline int __any(int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__any"), hip_impl::who_comes, predicate != 0).votes != 0;
}
inline int __all(int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__all"), hip_impl::who_comes, predicate == 0).votes == 0;
}
inline unsigned long long __activemask(HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__activemask"), hip_impl::who_comes, 0).mask;
}
inline void __syncwarp(HIP_HERE_) {
    (void)hip_impl::meet_warp(HIP_AT_("__syncwarp"), hip_impl::who_comes, 0);
}

template <typename T> T __shfl(T value, int lane, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl"), hip_impl::who_comes, value,
                             hip_impl::lane_at(static_cast<unsigned>(lane), width));
}
template <typename T> T __shfl_up(T value, unsigned delta, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_up"), hip_impl::who_comes, value,
                             hip_impl::lane_above(delta, width));
}
template <typename T> T __shfl_down(T value, unsigned delta, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_down"), hip_impl::who_comes, value,
                             hip_impl::lane_below(delta, width));
}
template <typename T> T __shfl_xor(T value, int mask, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_xor"), hip_impl::who_comes, value,
                             hip_impl::lane_crossed(mask, width));
}

/* ---- the same for the lanes of a mask, which must all come */

inline void __syncwarp(unsigned long long mask, HIP_HERE_) {
    (void)hip_impl::meet_warp(HIP_AT_("__syncwarp"), mask, 0);
}
inline unsigned long long __ballot_sync(unsigned long long mask, int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__ballot_sync"), mask, predicate != 0).votes;
}
inline int __any_sync(unsigned long long mask, int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__any_sync"), mask, predicate != 0).votes != 0;
}
inline int __all_sync(unsigned long long mask, int predicate, HIP_HERE_) {
    return hip_impl::meet_warp(HIP_AT_("__all_sync"), mask, predicate == 0).votes == 0;
}
template <typename T>
T __shfl_sync(unsigned long long mask, T value, int lane, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_sync"), mask, value,
                             hip_impl::lane_at(static_cast<unsigned>(lane), width));
}
template <typename T>
T __shfl_up_sync(unsigned long long mask, T value, unsigned delta, int width = warpSize,
                 HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_up_sync"), mask, value,
                             hip_impl::lane_above(delta, width));
}
template <typename T>
T __shfl_down_sync(unsigned long long mask, T value, unsigned delta, int width = warpSize,
                   HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_down_sync"), mask, value,
                             hip_impl::lane_below(delta, width));
}
template <typename T>
T __shfl_xor_sync(unsigned long long mask, T value, int other, int width = warpSize, HIP_HERE_) {
    return hip_impl::shuffle(HIP_AT_("__shfl_xor_sync"), mask, value,
                             hip_impl::lane_crossed(other, width));
}

#endif
#endif
