/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/races.h - the functions that compilers call for each access with -fsanitize=thread. `tarn
 * hipcc --kernel-races` and `tarn nvcc --kernel-races` compile this file once for each program or
 * module, and link it in the place of the sanitizer's library. Programs do not include it.
 */
#ifndef KERNEL_RACES_H
#define KERNEL_RACES_H

#include <kernel/launch.h>

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <dlfcn.h>
#include <stddef.h>

#define KERNEL_HOOK_ extern "C" __attribute__((visibility("hidden"), used))
#define KERNEL_ACCESS_(address, bytes, kind)                                                       \
    KERNEL_API_(ExtHostAccess)(address, bytes, kind, __builtin_frame_address(0))

/* ---- plain accesses; volatile ones count as atomic, because old programs synchronise by them.
 * Kinds are those of ExtHostAccess: 1 is a write, 2 atomic, 4 an access that needs its alignment, 8 an address that needs it. */

#define KERNEL_HOOKS_(bytes)                                                                       \
    KERNEL_HOOK_ void __tsan_read##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 4); }                 \
    KERNEL_HOOK_ void __tsan_write##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 5); }                \
    KERNEL_HOOK_ void __tsan_unaligned_read##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 0); }       \
    KERNEL_HOOK_ void __tsan_unaligned_write##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 1); }      \
    KERNEL_HOOK_ void __tsan_volatile_read##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 6); }        \
    KERNEL_HOOK_ void __tsan_volatile_write##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 7); }       \
    KERNEL_HOOK_ void __tsan_unaligned_volatile_read##bytes(void *p) {                             \
        KERNEL_ACCESS_(p, bytes, 2);                                                               \
    }                                                                                              \
    KERNEL_HOOK_ void __tsan_unaligned_volatile_write##bytes(void *p) {                            \
        KERNEL_ACCESS_(p, bytes, 3);                                                               \
    }                                                                                              \
    KERNEL_HOOK_ void __tsan_read_write##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 5); }           \
    KERNEL_HOOK_ void __tsan_unaligned_read_write##bytes(void *p) { KERNEL_ACCESS_(p, bytes, 1); }
KERNEL_HOOKS_(1)
KERNEL_HOOKS_(2)
KERNEL_HOOKS_(4)
KERNEL_HOOKS_(8)
KERNEL_HOOKS_(16)

KERNEL_HOOK_ void __tsan_read_range(void *p, size_t bytes) { KERNEL_ACCESS_(p, bytes, 0); }
KERNEL_HOOK_ void __tsan_write_range(void *p, size_t bytes) { KERNEL_ACCESS_(p, bytes, 1); }
KERNEL_HOOK_ void __tsan_vptr_read(void **p) { KERNEL_ACCESS_(p, sizeof *p, 0); }
KERNEL_HOOK_ void __tsan_vptr_update(void **p, void *) { KERNEL_ACCESS_(p, sizeof *p, 1); }
KERNEL_HOOK_ void __tsan_init() {}

/* GCC calls this function if the address of an object, such as a float4, is not a multiple of the
 * alignment of its type. One that is not a multiple of 8 either is left to the functions above. GCC
 * calls several times for one copy: for the references to both objects, for the load, and for the store. */
#ifndef __clang__
struct kernel_type_mismatch {
    const char *file;
    unsigned line, column;
    const void *type;
    unsigned char log_of_alignment;
    unsigned char use; /* 0: load, 1: store, 2: reference, 3 and more: member */
};
KERNEL_HOOK_ void __ubsan_handle_type_mismatch_v1(kernel_type_mismatch *found, size_t address) {
    static void (*const next)(kernel_type_mismatch *, size_t) =
        reinterpret_cast<void (*)(kernel_type_mismatch *, size_t)>(
            dlsym(RTLD_NEXT, "__ubsan_handle_type_mismatch_v1"));
    static thread_local size_t last_address;
    static thread_local unsigned last_line;
    const bool is_repeated = address == last_address && found->line == last_line;
    last_address = address;
    last_line = found->line;
    if (found->log_of_alignment > 3 && found->use < 3 && address % 8 == 0 && !is_repeated)
        KERNEL_ACCESS_(reinterpret_cast<void *>(address), size_t{1} << found->log_of_alignment, 8);
    if (next != nullptr) next(found, address);
}
#endif
KERNEL_HOOK_ void __tsan_func_entry(void *) {}
KERNEL_HOOK_ void __tsan_func_exit() {}

/* ---- functions of the C library: the program's calls only, because the names are hidden. An
 * instruction of the library makes the access, of which no compiler reports anything. */

#define KERNEL_WRAP_(result, name, ...)                                                            \
    extern "C" __attribute__((weak, visibility("hidden"), used))                                   \
    result kernel_##name##_(__VA_ARGS__) __asm__(#name);                                           \
    result kernel_##name##_(__VA_ARGS__)
#define KERNEL_NEXT_(result, name, ...)                                                            \
    static result (*const next)(__VA_ARGS__) =                                                     \
        reinterpret_cast<result (*)(__VA_ARGS__)>(dlsym(RTLD_NEXT, name))

#define KERNEL_COPY_(hook, name)                                                                   \
    KERNEL_WRAP_(void *, hook, void *to, const void *from, size_t bytes) {                         \
        KERNEL_NEXT_(void *, name, void *, const void *, size_t);                                  \
        KERNEL_ACCESS_(from, bytes, 0);                                                            \
        KERNEL_ACCESS_(to, bytes, 1);                                                              \
        return next(to, from, bytes);                                                              \
    }
#define KERNEL_FILL_(hook)                                                                         \
    KERNEL_WRAP_(void *, hook, void *to, int value, size_t bytes) {                                \
        KERNEL_NEXT_(void *, "memset", void *, int, size_t);                                       \
        KERNEL_ACCESS_(to, bytes, 1);                                                              \
        return next(to, value, bytes);                                                             \
    }
KERNEL_COPY_(memcpy, "memcpy")
KERNEL_COPY_(memmove, "memmove")
KERNEL_COPY_(__tsan_memcpy, "memcpy")
KERNEL_COPY_(__tsan_memmove, "memmove")
KERNEL_FILL_(memset)
KERNEL_FILL_(__tsan_memset)
KERNEL_WRAP_(int, memcmp, const void *a, const void *b, size_t bytes) {
    KERNEL_NEXT_(int, "memcmp", const void *, const void *, size_t);
    KERNEL_ACCESS_(a, bytes, 0);
    KERNEL_ACCESS_(b, bytes, 0);
    return next(a, b, bytes);
}

/* A lock orders as an atomic variable at its address does. */
#define KERNEL_LOCK_(name)                                                                         \
    KERNEL_WRAP_(int, name, void *mutex) {                                                         \
        KERNEL_NEXT_(int, #name, void *);                                                          \
        int error = next(mutex);                                                                   \
        if (error == 0) KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 2);                          \
        return error;                                                                              \
    }
KERNEL_LOCK_(pthread_mutex_lock)
KERNEL_LOCK_(pthread_mutex_trylock)
KERNEL_WRAP_(int, pthread_mutex_unlock, void *mutex) {
    KERNEL_NEXT_(int, "pthread_mutex_unlock", void *);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 3);
    return next(mutex);
}
KERNEL_WRAP_(int, pthread_cond_wait, void *condition, void *mutex) {
    KERNEL_NEXT_(int, "pthread_cond_wait", void *, void *);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 3);
    int error = next(condition, mutex);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 2);
    return error;
}
KERNEL_WRAP_(int, pthread_cond_timedwait, void *condition, void *mutex, const void *time) {
    KERNEL_NEXT_(int, "pthread_cond_timedwait", void *, void *, const void *);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 3);
    int error = next(condition, mutex, time);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 2);
    return error;
}
KERNEL_WRAP_(int, pthread_cond_clockwait, void *condition, void *mutex, int clock,
             const void *time) {
    KERNEL_NEXT_(int, "pthread_cond_clockwait", void *, void *, int, const void *);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 3);
    int error = next(condition, mutex, clock, time);
    KERNEL_ACCESS_(static_cast<char *>(mutex), 1, 2);
    return error;
}
/* std::condition_variable::wait(std::unique_lock<std::mutex> &), whose first word is the mutex. */
KERNEL_WRAP_(void, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, void *condition,
             void **lock) {
    KERNEL_NEXT_(void, "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", void *,
                 void **);
    KERNEL_ACCESS_(static_cast<char *>(*lock), 1, 3);
    next(condition, lock);
    KERNEL_ACCESS_(static_cast<char *>(*lock), 1, 2);
}

/* ---- atomics, in the strongest order. A read is reported when its value is known. */

KERNEL_HOOK_ void __tsan_atomic_thread_fence(int) {
    KERNEL_API_(ExtHostFence)();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
KERNEL_HOOK_ void __tsan_atomic_signal_fence(int) {}

#define KERNEL_ORDER_(order)                                                                       \
    if ((order) != __ATOMIC_RELAXED) KERNEL_API_(ExtHostFence)()
#define KERNEL_CHANGE_(bits, type, name, function)                                                 \
    KERNEL_HOOK_ type __tsan_atomic##bits##_##name(volatile type *p, type value, int order) {      \
        KERNEL_ACCESS_(p, sizeof *p, 7);                                                           \
        KERNEL_ORDER_(order);                                                                      \
        return function(p, value, __ATOMIC_SEQ_CST);                                               \
    }
#define KERNEL_COMPARE_(bits, type, name)                                                          \
    KERNEL_HOOK_ int __tsan_atomic##bits##_compare_exchange_##name(                                \
        volatile type *p, type *expected, type value, int order, int) {                            \
        KERNEL_ACCESS_(p, sizeof *p, 7);                                                           \
        KERNEL_ORDER_(order);                                                                      \
        return __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define KERNEL_ATOMICS_(bits, type)                                                                \
    KERNEL_HOOK_ type __tsan_atomic##bits##_load(const volatile type *p, int order) {              \
        type value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                         \
        KERNEL_ACCESS_(p, sizeof *p, 6);                                                           \
        KERNEL_ORDER_(order);                                                                      \
        return value;                                                                              \
    }                                                                                              \
    KERNEL_HOOK_ void __tsan_atomic##bits##_store(volatile type *p, type value, int order) {       \
        KERNEL_ACCESS_(p, sizeof *p, 7);                                                           \
        KERNEL_ORDER_(order);                                                                      \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    KERNEL_CHANGE_(bits, type, exchange, __atomic_exchange_n)                                      \
    KERNEL_CHANGE_(bits, type, fetch_add, __atomic_fetch_add)                                      \
    KERNEL_CHANGE_(bits, type, fetch_sub, __atomic_fetch_sub)                                      \
    KERNEL_CHANGE_(bits, type, fetch_and, __atomic_fetch_and)                                      \
    KERNEL_CHANGE_(bits, type, fetch_or, __atomic_fetch_or)                                        \
    KERNEL_CHANGE_(bits, type, fetch_xor, __atomic_fetch_xor)                                      \
    KERNEL_CHANGE_(bits, type, fetch_nand, __atomic_fetch_nand)                                    \
    KERNEL_COMPARE_(bits, type, strong)                                                            \
    KERNEL_COMPARE_(bits, type, weak)                                                              \
    KERNEL_HOOK_ type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,  \
                                                                 type value, int order, int) {     \
        KERNEL_ACCESS_(p, sizeof *p, 7);                                                           \
        KERNEL_ORDER_(order);                                                                      \
        (void)__atomic_compare_exchange_n(p, &expected, value, 0, __ATOMIC_SEQ_CST,                \
                                          __ATOMIC_SEQ_CST);                                       \
        return expected;                                                                           \
    }
KERNEL_ATOMICS_(8, unsigned char)
KERNEL_ATOMICS_(16, unsigned short)
KERNEL_ATOMICS_(32, unsigned int)
KERNEL_ATOMICS_(64, unsigned long)

#endif
#endif
