/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/gcn_functions.h - functions of AMD's compiler for instructions of its GPUs, for kernels
 * compiled for the host, in C++. Lanes meet as for the votes and shuffles of
 * kernel/device_functions.h. Other such functions do not exist.
 */
#ifndef HIP_DETAIL_GCN_FUNCTIONS_H
#define HIP_DETAIL_GCN_FUNCTIONS_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <kernel/device_functions.h>
#include <kernel/integer_functions.h>

/* ---- positions */

#define HIP_POSITION_(name, vector)                                                                \
    inline unsigned __builtin_amdgcn_##name##_x() { return vector.x; }                             \
    inline unsigned __builtin_amdgcn_##name##_y() { return vector.y; }                             \
    inline unsigned __builtin_amdgcn_##name##_z() { return vector.z; }
HIP_POSITION_(workitem_id, threadIdx)
HIP_POSITION_(workgroup_id, blockIdx)
HIP_POSITION_(workgroup_size, blockDim)
#undef HIP_POSITION_
inline unsigned __builtin_amdgcn_wavefrontsize() { return warpSize; }

/* `sum`, and the number of lanes of the mask that are lower than the calling one. */
inline unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned sum) {
    const unsigned lane = __lane_id();
    return sum + static_cast<unsigned>(__popc(lane < 32 ? mask & ((1u << lane) - 1) : mask));
}
inline unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned sum) {
    const unsigned lane = __lane_id();
    return sum + static_cast<unsigned>(lane < 32 ? 0 : __popc(mask & ((1u << (lane - 32)) - 1)));
}
/* The rank of the calling lane among those that come. */
inline unsigned __ockl_activelane_u32(KERNEL_HERE_) {
    const unsigned long long lanes =
        kernel_impl::meet_warp(KERNEL_AT_("__ockl_activelane_u32"), kernel_impl::who_comes, 0).mask;
    return static_cast<unsigned>(__popcll(lanes & ((1ull << __lane_id()) - 1)));
}

/* ---- barriers, fences and waits. Scopes have no effect. */

inline void __builtin_amdgcn_s_barrier(KERNEL_HERE_) { __syncthreads(file_, line_); }
inline void __builtin_amdgcn_wave_barrier(KERNEL_HERE_) { __syncwarp(file_, line_); }
inline void __builtin_amdgcn_s_sleep(int) { kernel_impl::let_others_run(); }
#define __builtin_amdgcn_fence(order, scope) __threadfence()
inline unsigned long long __builtin_amdgcn_s_memtime() {
    return static_cast<unsigned long long>(clock64());
}

/* ---- values of other lanes */

/* The value of the lowest lane that comes, and that of a lane. */
inline int __builtin_amdgcn_readfirstlane(int value, KERNEL_HERE_) {
    return kernel_impl::combine<int>(
        kernel_impl::gather(KERNEL_AT_("__builtin_amdgcn_readfirstlane"), kernel_impl::who_comes,
                            value),
        [](int first, int) { return first; });
}
inline int __builtin_amdgcn_readlane(int value, int lane, KERNEL_HERE_) {
    return kernel_impl::shuffle(KERNEL_AT_("__builtin_amdgcn_readlane"), kernel_impl::who_comes,
                                value, kernel_impl::lane_at(static_cast<unsigned>(lane), warpSize));
}

/* Takes the value of lane index / 4; and gives the value to that lane, where the highest one counts and
 * a lane that receives none gets 0. */
inline int __builtin_amdgcn_ds_bpermute(int index, int value, KERNEL_HERE_) {
    return __builtin_amdgcn_readlane(value, index >> 2, file_, line_);
}
inline int __builtin_amdgcn_ds_permute(int index, int value, KERNEL_HERE_) {
    const unsigned to = static_cast<unsigned>(index) / 4 % warpSize;
    const kernel_impl::gathered all = kernel_impl::gather(
        KERNEL_AT_("__builtin_amdgcn_ds_permute"), kernel_impl::who_comes,
        static_cast<unsigned long long>(to) << 32 | static_cast<unsigned>(value));
    int result = 0;
    for (unsigned i = 0; i < 64; i++)
        if ((all.met >> i & 1) != 0 && all.of[i] >> 32 == __lane_id())
            result = static_cast<int>(all.of[i]);
    return result;
}

namespace hip_impl {

/* The lane from which ds_swizzle takes the value: of four, or by masks within 32. */
inline unsigned swizzled(unsigned lane, unsigned pattern) {
    if ((pattern & 0x8000) != 0) return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
    return (lane & ~31u) | ((((lane & pattern) | pattern >> 5) ^ pattern >> 10) & 31);
}

/* The lane from which a DPP control takes the value, or one above 63 if there is none. A row has 16. */
inline unsigned dpp_source(unsigned lane, unsigned control) {
    const unsigned row = lane & ~15u, at = lane & 15, by = control & 15, none = 64;
    if (control < 0x100) return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
    switch (control >> 4) {
    case 0x10: return at + by < 16 ? lane + by : none; /* row_shl */
    case 0x11: return at >= by ? lane - by : none;     /* row_shr */
    case 0x12: return row | ((at - by) & 15);          /* row_ror */
    case 0x15: return row | by;                        /* row_newbcast, row_share */
    case 0x16: return row | (at ^ by);                 /* row_xmask */
    default: break;
    }
    switch (control) {
    case 0x130: return lane + 1 < warpSize ? lane + 1 : none; /* wave_shl:1 */
    case 0x134: return (lane + 1) % warpSize;                 /* wave_rol:1 */
    case 0x138: return lane > 0 ? lane - 1 : none;            /* wave_shr:1 */
    case 0x13c: return (lane + warpSize - 1) % warpSize;      /* wave_ror:1 */
    case 0x140: return row | (15 - at);                       /* row_mirror */
    case 0x141: return (lane & ~7u) | (7 - (lane & 7));       /* row_half_mirror */
    case 0x142: return row > 0 ? row - 1 : none;              /* row_bcast:15 */
    case 0x143: return lane >= 32 ? 31 : none;                /* row_bcast:31 */
    default: return none;
    }
}

inline int update_dpp(const char *function, const char *file, int line, int old, int value,
                      unsigned control, unsigned rows, unsigned banks, bool zero) {
    const unsigned lane = __lane_id(), from = dpp_source(lane, control);
    const kernel_impl::gathered all =
        kernel_impl::gather(function, file, line, kernel_impl::who_comes, value);
    if ((rows >> lane / 16 & 1) == 0 || (banks >> lane % 16 / 4 & 1) == 0) return old;
    if (from < 64 && (all.met >> from & 1) != 0) return static_cast<int>(all.of[from]);
    return zero ? 0 : old;
}

} // namespace hip_impl

inline int __builtin_amdgcn_ds_swizzle(int value, int pattern, KERNEL_HERE_) {
    return __builtin_amdgcn_readlane(
        value, static_cast<int>(hip_impl::swizzled(__lane_id(), static_cast<unsigned>(pattern))),
        file_, line_);
}
inline int __builtin_amdgcn_update_dpp(int old, int value, int control, int rows, int banks,
                                       bool zero, KERNEL_HERE_) {
    return hip_impl::update_dpp(KERNEL_AT_("__builtin_amdgcn_update_dpp"), old, value,
                                static_cast<unsigned>(control), static_cast<unsigned>(rows),
                                static_cast<unsigned>(banks), zero);
}
inline int __builtin_amdgcn_mov_dpp(int value, int control, int rows, int banks, bool zero,
                                    KERNEL_HERE_) {
    return hip_impl::update_dpp(KERNEL_AT_("__builtin_amdgcn_mov_dpp"), 0, value,
                                static_cast<unsigned>(control), static_cast<unsigned>(rows),
                                static_cast<unsigned>(banks), zero);
}
#define __hip_ds_bpermute(index, value)  __builtin_amdgcn_ds_bpermute(index, value)
#define __hip_ds_permute(index, value)   __builtin_amdgcn_ds_permute(index, value)
#define __hip_ds_swizzle(value, pattern) __builtin_amdgcn_ds_swizzle(value, pattern)
#define __hip_move_dpp(value, control, rows, banks, zero)                                          \
    __builtin_amdgcn_mov_dpp(value, control, rows, banks, zero)

/* ---- bits and numbers */

/* Fields of bits: `width` bits from `at` on. */
inline unsigned __bitextract_u32(unsigned value, unsigned at, unsigned width) {
    width &= 31;
    return width == 0 ? 0 : value << (32 - (at & 31) - width) >> (32 - width);
}
inline unsigned __bitinsert_u32(unsigned to, unsigned value, unsigned at, unsigned width) {
    const unsigned mask = ((1u << (width & 31)) - 1) << (at & 31);
    return (to & ~mask) | (value << (at & 31) & mask);
}
/* The position of the lowest bit that is 1, from 0 on; -1 for 0. */
inline unsigned __lastbit_u32_u32(unsigned value) {
    return static_cast<unsigned>(__ffs(value)) - 1;
}
/* Four bytes of both, by the four bytes of the selector: 0 to 3 are of `low`; 12 and above are
 * constants. */
inline unsigned __builtin_amdgcn_perm(unsigned high, unsigned low, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
    unsigned result = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        const unsigned which = selector >> i & 0xff;
        const unsigned sign =
            which < 12 ? static_cast<unsigned>(bytes >> (16 * (which & 3) + 15)) & 1 : 0;
        result |= (which < 8    ? static_cast<unsigned>(bytes >> 8 * which) & 0xff
                   : which < 12 ? sign * 0xff
                   : which > 12 ? 0xffu
                                : 0u)
                  << i;
    }
    return result;
}
inline unsigned __builtin_amdgcn_alignbyte(unsigned high, unsigned low, unsigned bytes) {
    return __funnelshift_r(low, high, 8 * (bytes & 3));
}
inline unsigned __builtin_amdgcn_alignbit(unsigned high, unsigned low, unsigned bits) {
    return __funnelshift_r(low, high, bits);
}
inline unsigned __builtin_amdgcn_ubfe(unsigned value, unsigned at, unsigned width) {
    return __bitextract_u32(value, at, width);
}
inline float __builtin_amdgcn_fmed3f(float a, float b, float c) {
    return max(min(a, b), min(max(a, b), c));
}
inline float __builtin_amdgcn_rcpf(float value) { return 1 / value; }
inline float __builtin_amdgcn_rsqf(float value) { return 1 / std::sqrt(value); }
inline float __builtin_amdgcn_exp2f(float value) { return std::exp2(value); }
inline float __builtin_amdgcn_fractf(float value) { return value - std::floor(value); }
/* Sums of products of bytes; with `clamp` the sum saturates. */
inline int __builtin_amdgcn_sdot4(int a, int b, int c, bool clamp) {
    const long long sum = static_cast<long long>(__dp4a(a, b, 0)) + c;
    return static_cast<int>(!clamp ? sum : max(min(sum, 0x7fffffffll), -0x80000000ll));
}
inline unsigned __builtin_amdgcn_udot4(unsigned a, unsigned b, unsigned c, bool clamp) {
    const unsigned long long sum = static_cast<unsigned long long>(__dp4a(a, b, 0u)) + c;
    return static_cast<unsigned>(!clamp ? sum : min(sum, 0xffffffffull));
}
inline int amd_mixed_dot(int a, int b, int c, bool clamp) {
    return __builtin_amdgcn_sdot4(a, b, c, clamp);
}
inline unsigned amd_mixed_dot(unsigned a, unsigned b, unsigned c, bool clamp) {
    return __builtin_amdgcn_udot4(a, b, c, clamp);
}

#endif
#endif
