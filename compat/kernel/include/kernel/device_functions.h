/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/device_functions.h - functions for which threads of a kernel meet, in C++. See the
 * vendor's runtime header.
 *
 * At a barrier, all threads of the block meet that have not returned. With TARN_HIP_BARRIERS=strict
 * or TARN_CUDA_BARRIERS=strict, which `tarn check` sets, a thread that has returned or waits in
 * another line ends the kernel: LaunchFailure, with a text that names both threads. For votes and
 * shuffles, the lanes of a warp meet that neither have returned nor wait elsewhere; for the forms
 * with a mask, exactly those of the mask, or the kernel ends. Lanes that wait in different lines do
 * not meet: those at the lower line go on first. A shuffle from a lane that does not come returns
 * the own value.
 */
#ifndef KERNEL_DEVICE_FUNCTIONS_H
#define KERNEL_DEVICE_FUNCTIONS_H

#include <kernel/host_kernel.h>

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <cstring>

/* ---- functions for which threads meet; each takes the place of its call in the source */

namespace kernel_impl {

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
    const KERNEL_API_(ExtHostPlace) place = {function, file, line, number_of_thread()};
    return KERNEL_API_(ExtHostBlockWait)(running, &place, vote, grid);
}

inline KERNEL_API_(ExtHostLanes)
    meet_warp(const char *function, const char *file, int line, unsigned long long mask,
              unsigned long long value, unsigned from = 64, unsigned long long *values = nullptr) {
    const returning self;
    const KERNEL_API_(ExtHostPlace) place = {function, file, line, number_of_thread()};
    KERNEL_API_(ExtHostLanes) lanes = {mask, value, 0, values, from, warpSize};
    KERNEL_API_(ExtHostWarpWait)(running, &place, &lanes);
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

/* The result of functions that return lanes. */
#if defined(KERNEL_NEEDS_MASKS_)
using lanes_of_warp = unsigned;
#else
using lanes_of_warp = unsigned long long;
#endif

} // namespace kernel_impl

#define KERNEL_HERE_     const char *file_ = __builtin_FILE(), int line_ = __builtin_LINE()
#define KERNEL_AT_(name) name "()", file_, line_

inline void __syncthreads(KERNEL_HERE_) {
    (void)kernel_impl::meet_block(KERNEL_AT_("__syncthreads"), 0);
}
inline int __syncthreads_count(int predicate, KERNEL_HERE_) {
    return static_cast<int>(kernel_impl::meet_block(KERNEL_AT_("__syncthreads_count"), predicate));
}
inline int __syncthreads_and(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_block(KERNEL_AT_("__syncthreads_and"), !predicate) == 0;
}
inline int __syncthreads_or(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_block(KERNEL_AT_("__syncthreads_or"), predicate) != 0;
}

/* The number of the calling lane in its warp. */
inline unsigned __lane_id() { return kernel_impl::number_of_thread() % warpSize; }

inline kernel_impl::lanes_of_warp __activemask(KERNEL_HERE_) {
    return static_cast<kernel_impl::lanes_of_warp>(
        kernel_impl::meet_warp(KERNEL_AT_("__activemask"), kernel_impl::who_comes, 0).mask);
}
inline void __syncwarp(KERNEL_HERE_) {
    (void)kernel_impl::meet_warp(KERNEL_AT_("__syncwarp"), kernel_impl::who_comes, 0);
}

/* ---- all values of a warp */

namespace kernel_impl {

/* The values of 64 lanes, those that met, and the calling one. */
struct gathered {
    unsigned long long of[64];
    unsigned long long met;
};

template <typename T>
gathered gather(const char *function, const char *file, int line, unsigned long long mask,
                T value) {
    static_assert(sizeof value <= 8 && std::is_trivially_copyable<T>::value, "at most 8 bytes");
    gathered all;
    unsigned long long word = 0;
    std::memcpy(&word, &value, sizeof value);
    all.met = meet_warp(function, file, line, mask, word, 64, all.of).mask;
    return all;
}

/* The lanes whose bits are those of `value`. */
template <typename T> lanes_of_warp matching(const gathered &all, T value) {
    unsigned long long word = 0;
    unsigned long long lanes = 0;
    std::memcpy(&word, &value, sizeof value);
    for (unsigned i = 0; i < 64; i++)
        if ((all.met >> i & 1) != 0 && all.of[i] == word) lanes |= 1ull << i;
    return static_cast<lanes_of_warp>(lanes);
}

/* The values of all lanes that met, combined from the lowest on. */
template <typename T, typename Combine> T combine(const gathered &all, Combine combine_two) {
    bool first = true;
    T sum{};
    for (unsigned i = 0; i < 64; i++) {
        if ((all.met >> i & 1) == 0) continue;
        T value;
        std::memcpy(&value, &all.of[i], sizeof value);
        sum = first ? value : combine_two(sum, value);
        first = false;
    }
    return sum;
}

} // namespace kernel_impl

/* ---- meetings of the lanes that come, which some vendors no longer have */

#if !defined(KERNEL_NEEDS_MASKS_)
inline unsigned long long __ballot(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__ballot"), kernel_impl::who_comes, predicate != 0)
        .votes;
}
inline unsigned long long __ballot64(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__ballot64"), kernel_impl::who_comes, predicate != 0)
        .votes;
}
inline int __any(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__any"), kernel_impl::who_comes, predicate != 0)
               .votes != 0;
}
inline int __all(int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__all"), kernel_impl::who_comes, predicate == 0)
               .votes == 0;
}
template <typename T> T __shfl(T value, int lane, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl"), kernel_impl::who_comes, value,
                                kernel_impl::lane_at(static_cast<unsigned>(lane), width));
}
template <typename T> T __shfl_up(T value, unsigned delta, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_up"), kernel_impl::who_comes, value,
                                kernel_impl::lane_above(delta, width));
}
template <typename T> T __shfl_down(T value, unsigned delta, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_down"), kernel_impl::who_comes, value,
                                kernel_impl::lane_below(delta, width));
}
template <typename T> T __shfl_xor(T value, int mask, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_xor"), kernel_impl::who_comes, value,
                                kernel_impl::lane_crossed(mask, width));
}

/* The lanes with the same value; all lanes if all have the same, else 0. */
template <typename T> kernel_impl::lanes_of_warp __match_any(T value, KERNEL_HERE_) {
    return kernel_impl::matching(
        kernel_impl::gather(KERNEL_AT_("__match_any"), kernel_impl::who_comes, value), value);
}
template <typename T> kernel_impl::lanes_of_warp __match_all(T value, int *same, KERNEL_HERE_) {
    const kernel_impl::gathered all =
        kernel_impl::gather(KERNEL_AT_("__match_all"), kernel_impl::who_comes, value);
    const kernel_impl::lanes_of_warp lanes = kernel_impl::matching(all, value);
    *same = lanes == all.met;
    return *same != 0 ? lanes : 0;
}
#endif

/* ---- the same for the lanes of a mask, which must all come */

template <typename T>
kernel_impl::lanes_of_warp __match_any_sync(unsigned long long mask, T value, KERNEL_HERE_) {
    return kernel_impl::matching(kernel_impl::gather(KERNEL_AT_("__match_any_sync"), mask, value),
                                 value);
}
template <typename T>
kernel_impl::lanes_of_warp __match_all_sync(unsigned long long mask, T value, int *same,
                                            KERNEL_HERE_) {
    const kernel_impl::gathered all =
        kernel_impl::gather(KERNEL_AT_("__match_all_sync"), mask, value);
    const kernel_impl::lanes_of_warp lanes = kernel_impl::matching(all, value);
    *same = lanes == all.met;
    return *same != 0 ? lanes : 0;
}

#define KERNEL_REDUCE_(name, operation)                                                            \
    template <typename T> T name(unsigned long long mask, T value, KERNEL_HERE_) {                 \
        return kernel_impl::combine<T>(kernel_impl::gather(KERNEL_AT_(#name), mask, value),        \
                                       [](T a, T b) -> T { return operation; });                   \
    }
KERNEL_REDUCE_(__reduce_add_sync, static_cast<T>(a + b))
KERNEL_REDUCE_(__reduce_min_sync, b < a ? b : a)
KERNEL_REDUCE_(__reduce_max_sync, a < b ? b : a)
KERNEL_REDUCE_(__reduce_and_sync, static_cast<T>(a &b))
KERNEL_REDUCE_(__reduce_or_sync, static_cast<T>(a | b))
KERNEL_REDUCE_(__reduce_xor_sync, static_cast<T>(a ^ b))
#undef KERNEL_REDUCE_

inline void __syncwarp(unsigned long long mask, KERNEL_HERE_) {
    (void)kernel_impl::meet_warp(KERNEL_AT_("__syncwarp"), mask, 0);
}
inline kernel_impl::lanes_of_warp __ballot_sync(unsigned long long mask, int predicate,
                                                KERNEL_HERE_) {
    return static_cast<kernel_impl::lanes_of_warp>(
        kernel_impl::meet_warp(KERNEL_AT_("__ballot_sync"), mask, predicate != 0).votes);
}
inline int __any_sync(unsigned long long mask, int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__any_sync"), mask, predicate != 0).votes != 0;
}
inline int __all_sync(unsigned long long mask, int predicate, KERNEL_HERE_) {
    return kernel_impl::meet_warp(KERNEL_AT_("__all_sync"), mask, predicate == 0).votes == 0;
}
template <typename T>
T __shfl_sync(unsigned long long mask, T value, int lane, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_sync"), mask, value,
                                kernel_impl::lane_at(static_cast<unsigned>(lane), width));
}
template <typename T>
T __shfl_up_sync(unsigned long long mask, T value, unsigned delta, int width = warpSize,
                 KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_up_sync"), mask, value,
                                kernel_impl::lane_above(delta, width));
}
template <typename T>
T __shfl_down_sync(unsigned long long mask, T value, unsigned delta, int width = warpSize,
                   KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_down_sync"), mask, value,
                                kernel_impl::lane_below(delta, width));
}
template <typename T>
T __shfl_xor_sync(unsigned long long mask, T value, int other, int width = warpSize, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__shfl_xor_sync"), mask, value,
                                kernel_impl::lane_crossed(other, width));
}

#endif
#endif
