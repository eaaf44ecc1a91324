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
    static void sync(KERNEL_HERE_) {
        (void)kernel_impl::meet_block(KERNEL_AT_("thread_block::sync"), 0);
    }
    static unsigned thread_rank() { return kernel_impl::number_of_thread(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static bool is_valid() { return true; }
    static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
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

    /* For scans: the values of the threads with lower ranks, and of the own one if `with_own`. */
    template <typename T, typename Combine>
    T combined_below(T value, Combine two, bool with_own, KERNEL_HERE_) const {
        kernel_impl::gathered all = kernel_impl::gather(KERNEL_AT_("scan"), mask_, value);
        all.met &= (with_own ? 2ull << __lane_id() : 1ull << __lane_id()) - 1;
        return kernel_impl::combine<T>(all, two);
    }
    template <typename T> uint64 lanes_with(T value, KERNEL_HERE_) const {
        return kernel_impl::matching(
            kernel_impl::gather(KERNEL_AT_("labeled_partition"), mask_, value), value);
    }
    /* The lanes of the part of `size` ranks to which the calling one belongs. */
    uint64 part(unsigned count) const {
        const unsigned begin = thread_rank() / count * count;
        uint64 lanes = 0;
        for (unsigned i = begin; i < begin + count && i < size(); i++) lanes |= 1ull << lane_of(i);
        return lanes;
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
  public:
    explicit coalesced_group(uint64 mask, unsigned rank = 0, unsigned groups = 1)
        : lane_group(mask), rank_(rank), groups_(groups) {}
    unsigned meta_group_rank() const { return rank_; }
    unsigned meta_group_size() const { return groups_; }

  private:
    unsigned rank_, groups_;
};

/* The lanes that come to this call and neither have returned nor wait elsewhere. */
inline coalesced_group coalesced_threads(KERNEL_HERE_) {
    return coalesced_group(
        kernel_impl::meet_warp(KERNEL_AT_("coalesced_threads"), kernel_impl::who_comes, 0).mask);
}

/* `size` lanes, a power of two, which contain the calling one. The last tile of a block has that size
 * too, although some of its lanes do not exist. */
class tile_group : public lane_group {
  public:
    unsigned size() const { return tile_; }
    unsigned num_threads() const { return tile_; }
    unsigned meta_group_rank() const { return kernel_impl::number_of_thread() / tile_; }
    unsigned meta_group_size() const {
        return (blockDim.x * blockDim.y * blockDim.z + tile_ - 1) / tile_;
    }

  protected:
    explicit tile_group(unsigned size) : lane_group(lanes(size)), tile_(size) {}
    friend tile_group tiled_partition(const thread_block &, unsigned);

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
class thread_block_tile : public tile_group {
    static_assert(Size > 0 && (Size & (Size - 1)) == 0 && Size <= warpSize,
                  "a tile has a power of two of threads, at most a warp");

  public:
    thread_block_tile() : tile_group(Size) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned numThreads = Size;
};

inline tile_group tiled_partition(const thread_block &, unsigned size) { return tile_group(size); }
template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
    return coalesced_group(parent.part(size), parent.thread_rank() / size,
                           (parent.size() + size - 1) / size);
}

/* The threads of a group with the same label, or that agree on a predicate. */
template <typename T>
coalesced_group labeled_partition(const lane_group &parent, T label, KERNEL_HERE_) {
    return coalesced_group(parent.lanes_with(label, file_, line_));
}
inline coalesced_group binary_partition(const lane_group &parent, bool predicate, KERNEL_HERE_) {
    return labeled_partition(parent, predicate, file_, line_);
}

/* A group of any kind, as a parameter of a function. */
class thread_group {
  public:
    thread_group(const thread_block &) : lanes_(0), size_(thread_block::size()) {}
    thread_group(const grid_group &grid)
        : lanes_(0), size_(static_cast<unsigned>(grid.size())), is_grid_(true) {}
    thread_group(const coalesced_group &group) : lanes_(group), size_(group.size()) {}
    thread_group(const tile_group &group) : lanes_(group.part(64)), size_(group.size()) {}

    void sync(KERNEL_HERE_) const {
        if (lanes_.size() > 0) return lanes_.sync(file_, line_);
        (void)kernel_impl::meet_block(KERNEL_AT_("thread_group::sync"), 0, is_grid_);
    }
    unsigned size() const { return size_; }
    unsigned num_threads() const { return size_; }
    unsigned thread_rank() const {
        return lanes_.size() > 0 ? lanes_.thread_rank()
               : is_grid_        ? static_cast<unsigned>(grid_group().thread_rank())
                                 : thread_block::thread_rank();
    }
    bool is_valid() const { return !is_grid_ || grid_group().is_valid(); }

  private:
    coalesced_group lanes_; /* none for a block and a grid */
    unsigned size_;
    bool is_grid_ = false;
    friend thread_group tiled_partition(const thread_group &, unsigned);
};

inline thread_group tiled_partition(const thread_group &parent, unsigned size) {
    if (parent.lanes_.size() > 0) return tiled_partition(parent.lanes_, size);
    return tiled_partition(thread_block(), size);
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

/* The values of all threads of the group, combined in the order of their ranks; and those of the threads
 * up to the own one, and before it: T() for the first. */
template <typename Group, typename T, typename Combine>
T reduce(const Group &group, T value, Combine &&two, KERNEL_HERE_) {
    return group.combined(value, two, file_, line_);
}
template <typename Group, typename T, typename Combine = plus<T>>
T inclusive_scan(const Group &group, T value, Combine &&two = Combine(), KERNEL_HERE_) {
    return group.combined_below(value, two, true, file_, line_);
}
template <typename Group, typename T, typename Combine = plus<T>>
T exclusive_scan(const Group &group, T value, Combine &&two = Combine(), KERNEL_HERE_) {
    return group.combined_below(value, two, false, file_, line_);
}

/* One thread of the group calls a function. */
template <typename Group, typename Function, typename... Arguments>
void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
    if (group.thread_rank() == 0)
        static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}

/* ---- copies by all threads of a group, which wait() ends. Each copies a part at once. */

template <typename Group>
void memcpy_async(const Group &group, void *to, const void *from, std::size_t bytes) {
    const std::size_t part = (bytes + group.size() - 1) / group.size();
    const std::size_t begin = part * group.thread_rank();
    if (begin < bytes)
        std::memcpy(static_cast<char *>(to) + begin, static_cast<const char *>(from) + begin,
                    part < bytes - begin ? part : bytes - begin);
}
/* By counts of elements; the smaller one counts. */
template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, std::size_t to_count, const T *from,
                  std::size_t from_count) {
    memcpy_async(group, static_cast<void *>(to), static_cast<const void *>(from),
                 (to_count < from_count ? to_count : from_count) * sizeof *to);
}
template <typename Group> void wait(const Group &group, KERNEL_HERE_) { group.sync(file_, line_); }
template <unsigned Stages, typename Group> void wait_prior(const Group &group, KERNEL_HERE_) {
    group.sync(file_, line_);
}

} // namespace cooperative_groups

#endif
#endif
