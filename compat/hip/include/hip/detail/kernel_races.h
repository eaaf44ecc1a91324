/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/kernel_races.h - the functions that compilers call for each access with
 * -fsanitize=thread. `tarn hipcc --kernel-races` compiles this file once for each program or module,
 * and links it in the place of the sanitizer's library. Programs do not include it.
 */
#ifndef HIP_DETAIL_KERNEL_RACES_H
#define HIP_DETAIL_KERNEL_RACES_H

#ifdef __cplusplus

#include <hip/detail/kernel.h>
#include <string.h>

#define HIP_HOOK_ extern "C" __attribute__((visibility("hidden"), used))
#define HIP_ACCESS_(address, bytes, kind)                                                          \
    hipExtHostAccess(address, bytes, kind, __builtin_frame_address(0))

/* ---- plain accesses; volatile ones count as atomic, because old programs synchronise by them */

#define HIP_HOOKS_(bytes)                                                                          \
    HIP_HOOK_ void __tsan_read##bytes(void *p) { HIP_ACCESS_(p, bytes, 0); }                       \
    HIP_HOOK_ void __tsan_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 1); }                      \
    HIP_HOOK_ void __tsan_unaligned_read##bytes(void *p) { HIP_ACCESS_(p, bytes, 0); }             \
    HIP_HOOK_ void __tsan_unaligned_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 1); }            \
    HIP_HOOK_ void __tsan_volatile_read##bytes(void *p) { HIP_ACCESS_(p, bytes, 2); }              \
    HIP_HOOK_ void __tsan_volatile_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 3); }             \
    HIP_HOOK_ void __tsan_unaligned_volatile_read##bytes(void *p) { HIP_ACCESS_(p, bytes, 2); }    \
    HIP_HOOK_ void __tsan_unaligned_volatile_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 3); }   \
    HIP_HOOK_ void __tsan_read_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 1); }                 \
    HIP_HOOK_ void __tsan_unaligned_read_write##bytes(void *p) { HIP_ACCESS_(p, bytes, 1); }
HIP_HOOKS_(1)
HIP_HOOKS_(2)
HIP_HOOKS_(4)
HIP_HOOKS_(8)
HIP_HOOKS_(16)

HIP_HOOK_ void __tsan_read_range(void *p, size_t bytes) { HIP_ACCESS_(p, bytes, 0); }
HIP_HOOK_ void __tsan_write_range(void *p, size_t bytes) { HIP_ACCESS_(p, bytes, 1); }
HIP_HOOK_ void __tsan_vptr_read(void **p) { HIP_ACCESS_(p, sizeof *p, 0); }
HIP_HOOK_ void __tsan_vptr_update(void **p, void *) { HIP_ACCESS_(p, sizeof *p, 1); }
HIP_HOOK_ void __tsan_init() {}
HIP_HOOK_ void __tsan_func_entry(void *) {}
HIP_HOOK_ void __tsan_func_exit() {}

HIP_HOOK_ void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    HIP_ACCESS_(from, bytes, 0);
    HIP_ACCESS_(to, bytes, 1);
    return memcpy(to, from, bytes);
}
HIP_HOOK_ void *__tsan_memmove(void *to, const void *from, size_t bytes) {
    HIP_ACCESS_(from, bytes, 0);
    HIP_ACCESS_(to, bytes, 1);
    return memmove(to, from, bytes);
}
HIP_HOOK_ void *__tsan_memset(void *to, int value, size_t bytes) {
    HIP_ACCESS_(to, bytes, 1);
    return memset(to, value, bytes);
}

/* ---- atomics, in the strongest order */

HIP_HOOK_ void __tsan_atomic_thread_fence(int) {
    hipExtHostFence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HIP_HOOK_ void __tsan_atomic_signal_fence(int) {}

#define HIP_ORDER_(order)                                                                          \
    if ((order) != __ATOMIC_RELAXED) hipExtHostFence()
#define HIP_CHANGE_(bits, type, name, function)                                                    \
    HIP_HOOK_ type __tsan_atomic##bits##_##name(volatile type *p, type value, int order) {         \
        HIP_ACCESS_(p, sizeof *p, 3);                                                              \
        HIP_ORDER_(order);                                                                         \
        return function(p, value, __ATOMIC_SEQ_CST);                                               \
    }
#define HIP_COMPARE_(bits, type, name)                                                             \
    HIP_HOOK_ int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected,  \
                                                                type value, int order, int) {      \
        HIP_ACCESS_(p, sizeof *p, 3);                                                              \
        HIP_ORDER_(order);                                                                         \
        return __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define HIP_ATOMICS_(bits, type)                                                                   \
    HIP_HOOK_ type __tsan_atomic##bits##_load(const volatile type *p, int order) {                 \
        HIP_ACCESS_(p, sizeof *p, 2);                                                              \
        HIP_ORDER_(order);                                                                         \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    HIP_HOOK_ void __tsan_atomic##bits##_store(volatile type *p, type value, int order) {          \
        HIP_ACCESS_(p, sizeof *p, 3);                                                              \
        HIP_ORDER_(order);                                                                         \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    HIP_CHANGE_(bits, type, exchange, __atomic_exchange_n)                                         \
    HIP_CHANGE_(bits, type, fetch_add, __atomic_fetch_add)                                         \
    HIP_CHANGE_(bits, type, fetch_sub, __atomic_fetch_sub)                                         \
    HIP_CHANGE_(bits, type, fetch_and, __atomic_fetch_and)                                         \
    HIP_CHANGE_(bits, type, fetch_or, __atomic_fetch_or)                                           \
    HIP_CHANGE_(bits, type, fetch_xor, __atomic_fetch_xor)                                         \
    HIP_CHANGE_(bits, type, fetch_nand, __atomic_fetch_nand)                                       \
    HIP_COMPARE_(bits, type, strong)                                                               \
    HIP_COMPARE_(bits, type, weak)                                                                 \
    HIP_HOOK_ type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,     \
                                                              type value, int order, int) {        \
        HIP_ACCESS_(p, sizeof *p, 3);                                                              \
        HIP_ORDER_(order);                                                                         \
        (void)__atomic_compare_exchange_n(p, &expected, value, 0, __ATOMIC_SEQ_CST,                \
                                          __ATOMIC_SEQ_CST);                                       \
        return expected;                                                                           \
    }
HIP_ATOMICS_(8, unsigned char)
HIP_ATOMICS_(16, unsigned short)
HIP_ATOMICS_(32, unsigned int)
HIP_ATOMICS_(64, unsigned long)

#endif
#endif
