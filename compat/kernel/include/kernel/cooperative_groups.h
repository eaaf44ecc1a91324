/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/cooperative_groups.h - groups of threads of a kernel compiled for the host, in C++.
 *
 * A block, tiles of a warp, the lanes that come to a place together, and the grid of a cooperative
 * launch. Functions for which the threads of a group meet end the kernel if one of them does not
 * come: LaunchFailure. A tile has at most as many threads as a warp has lanes. Groups of
 * several devices do not exist.
 */
#ifndef KERNEL_COOPERATIVE_GROUPS_H
#define KERNEL_COOPERATIVE_GROUPS_H

#include <kernel/atomic_functions.h>
#include <kernel/device_functions.h>

#if defined(__cplusplus) && defined(KERNEL_API_)

namespace cooperative_groups {

using uint64 = unsigned long long;

/* ---- the threads of a block */

class thread_block {
  public:
    void sync(KERNEL_HERE_) const {
        (void)kernel_impl::meet_block(KERNEL_AT_("thread_block::sync"), 0);
    }
    unsigned thread_rank() const { return kernel_impl::number_of_thread(); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
    bool is_valid() const { return true; }
    dim3 group_index() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    dim3 thread_index() const { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

/* ---- all threads of a cooperative launch */

class grid_group {
  public:
    bool is_valid() const { return kernel_impl::running->cooperative != 0; }
    void sync(KERNEL_HERE_) const {
        (void)kernel_impl::meet_block(KERNEL_AT_("grid_group::sync"), 0, 1);
    }
    uint64 thread_rank() const {
        return static_cast<uint64>(block_rank()) * (blockDim.x * blockDim.y * blockDim.z) +
               kernel_impl::number_of_thread();
    }
    uint64 size() const {
        return static_cast<uint64>(num_blocks()) * (blockDim.x * blockDim.y * blockDim.z);
    }
    uint64 num_threads() const { return size(); }
    uint64 block_rank() const {
        return (static_cast<uint64>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    uint64 num_blocks() const { return static_cast<uint64>(gridDim.x) * gridDim.y * gridDim.z; }
    dim3 block_index() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    dim3 group_dim() const { return gridDim; }
    dim3 dim_blocks() const { return gridDim; }
};

inline grid_group this_grid() { return {}; }

/* ---- lanes of a warp: of a tile, or those that came together */

class lane_group {
  public:
    void sync(KERNEL_HERE_) const {
        (void)kernel_impl::meet_warp(KERNEL_AT_("group::sync"), mask_, 0);
    }
    unsigned size() const { return static_cast<unsigned>(__popcll(mask_)); }
    unsigned num_threads() const { return size(); }
    bool is_valid() const { return true; }
    unsigned thread_rank() const {
        return static_cast<unsigned>(__popcll(mask_ & ((1ull << __lane_id()) - 1)));
    }

    template <typename T> T shfl(T value, int rank, KERNEL_HERE_) const {
        return kernel_impl::shuffle(KERNEL_AT_("group::shfl"), mask_, value,
                                    lane_of(static_cast<unsigned>(rank) % size()));
    }
    template <typename T> T shfl_up(T value, unsigned delta, KERNEL_HERE_) const {
        const unsigned rank = thread_rank();
        return kernel_impl::shuffle(KERNEL_AT_("group::shfl_up"), mask_, value,
                                    lane_of(rank < delta ? rank : rank - delta));
    }
    template <typename T> T shfl_down(T value, unsigned delta, KERNEL_HERE_) const {
        const unsigned rank = thread_rank();
        return kernel_impl::shuffle(KERNEL_AT_("group::shfl_down"), mask_, value,
                                    lane_of(rank + delta < size() ? rank + delta : rank));
    }
    template <typename T> T shfl_xor(T value, unsigned other, KERNEL_HERE_) const {
        const unsigned rank = thread_rank();
        return kernel_impl::shuffle(KERNEL_AT_("group::shfl_xor"), mask_, value,
                                    lane_of((rank ^ other) < size() ? rank ^ other : rank));
    }

    uint64 ballot(int predicate, KERNEL_HERE_) const {
        return ranks(
            kernel_impl::meet_warp(KERNEL_AT_("group::ballot"), mask_, predicate != 0).votes);
    }
    int any(int predicate, KERNEL_HERE_) const {
        return kernel_impl::meet_warp(KERNEL_AT_("group::any"), mask_, predicate != 0).votes != 0;
    }
    int all(int predicate, KERNEL_HERE_) const {
        return kernel_impl::meet_warp(KERNEL_AT_("group::all"), mask_, predicate == 0).votes == 0;
    }
    template <typename T> uint64 match_any(T value, KERNEL_HERE_) const {
        return ranks(kernel_impl::matching(
            kernel_impl::gather(KERNEL_AT_("group::match_any"), mask_, value), value));
    }
    template <typename T> uint64 match_all(T value, int &same, KERNEL_HERE_) const {
        const kernel_impl::gathered all =
            kernel_impl::gather(KERNEL_AT_("group::match_all"), mask_, value);
        same = kernel_impl::matching(all, value) == all.met;
        return same != 0 ? ranks(all.met) : 0;
    }

    /* For reduce(). */
    template <typename T, typename Combine> T combined(T value, Combine two, KERNEL_HERE_) const {
        return kernel_impl::combine<T>(kernel_impl::gather(KERNEL_AT_("reduce"), mask_, value),
                                       two);
    }

  protected:
    explicit lane_group(uint64 mask) : mask_(mask) {}
    uint64 mask_;

  private:
    unsigned lane_of(unsigned rank) const {
        uint64 left = mask_;
        for (; rank > 0; rank--) left &= left - 1;
        return left == 0 ? 64 : static_cast<unsigned>(__ffsll(left)) - 1;
    }

    /* The bits of lanes of the group, as bits of their ranks. */
    uint64 ranks(uint64 lanes) const {
        uint64 result = 0;
        uint64 left = mask_;
        for (unsigned rank = 0; left != 0; left &= left - 1, rank++)
            if ((lanes & left & (~left + 1)) != 0) result |= 1ull << rank;
        return result;
    }
};

class coalesced_group : public lane_group {
    explicit coalesced_group(uint64 mask) : lane_group(mask) {}
    friend coalesced_group coalesced_threads(const char *, int);
};

/* The lanes that come to this call and neither have returned nor wait elsewhere. */
inline coalesced_group coalesced_threads(KERNEL_HERE_) {
    return coalesced_group(
        kernel_impl::meet_warp(KERNEL_AT_("coalesced_threads"), kernel_impl::who_comes, 0).mask);
}

/* `size` lanes, a power of two, which contain the calling one. The last tile of a block has that size
 * too, although some of its lanes do not exist. */
class thread_group : public lane_group {
  public:
    unsigned size() const { return tile_; }
    unsigned num_threads() const { return tile_; }
    unsigned meta_group_rank() const { return kernel_impl::number_of_thread() / tile_; }
    unsigned meta_group_size() const {
        return (blockDim.x * blockDim.y * blockDim.z + tile_ - 1) / tile_;
    }

  protected:
    explicit thread_group(unsigned size) : lane_group(lanes(size)), tile_(size) {}
    friend thread_group tiled_partition(const thread_block &, unsigned);

  private:
    static uint64 lanes(unsigned size) {
        if (size == 0 || (size & (size - 1)) != 0 || size > static_cast<unsigned>(warpSize)) {
            KERNEL_API_(ExtHostFail)
            (kernel_impl::running, KERNEL_API_(ErrorInvalidValue),
             "a tile has a power of two of threads, at most a warp");
        }
        const unsigned thread = kernel_impl::number_of_thread();
        const unsigned begin = thread / size * size;
        const unsigned left = blockDim.x * blockDim.y * blockDim.z - begin;
        const uint64 all = ~0ull >> (64 - (left < size ? left : size));
        return all << begin % static_cast<unsigned>(warpSize);
    }
    unsigned tile_;
};

template <unsigned int Size, typename Parent = thread_block>
class thread_block_tile : public thread_group {
    static_assert(Size > 0 && (Size & (Size - 1)) == 0 && Size <= warpSize,
                  "a tile has a power of two of threads, at most a warp");

  public:
    thread_block_tile() : thread_group(Size) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned numThreads = Size;
};

inline thread_group tiled_partition(const thread_block &, unsigned size) {
    return thread_group(size);
}
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}

/* ---- functions of every group */

template <typename Group> void sync(const Group &group, KERNEL_HERE_) { group.sync(file_, line_); }
template <typename Group> unsigned long long thread_rank(const Group &group) {
    return group.thread_rank();
}
template <typename Group> unsigned long long group_size(const Group &group) { return group.size(); }

template <typename T> struct plus {
    T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <typename T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
    T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T> struct bit_or {
    T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <typename T> struct bit_xor {
    T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

/* The values of all threads of the group, combined in the order of their ranks. */
template <typename Group, typename T, typename Combine>
T reduce(const Group &group, T value, Combine &&two, KERNEL_HERE_) {
    return group.combined(value, two, file_, line_);
}

} // namespace cooperative_groups

#endif
#endif
