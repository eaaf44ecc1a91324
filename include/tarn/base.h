/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/base.h
 * Statuses, the last error, addresses and the version, which every other header needs.
 *
 * Conventions of the whole API:
 *  - Every call that can fail returns a tarn_status: 0 is success, negative values are failures.
 *    The values never change. Each function lists its own statuses with their reasons.
 *  - Inputs come first, outputs last. Outputs are written on success only. A failing call changes
 *    nothing.
 *  - Lengths, offsets, alignments and granularities are bytes. Times are nanoseconds and their
 *    names end in `_ns`.
 *  - A struct that may grow begins with `struct_size`. TARN_INIT(type) sets it and zeroes the rest;
 *    zero in any other field selects the default. TARN_BAD_STRUCT is returned if struct_size is not
 *    set, or if bytes beyond those that the library knows are not zero.
 *  - Every function may be called from any thread at any time unless its comment says otherwise.
 *  - No function is a cancellation point. A thread that pthread_cancel() cancels inside a call, for
 *    example while it waits for a message, a stream or an event, finishes the call and ends at its
 *    next cancellation point. A host function on a calling thread runs with cancellation disabled.
 *    A wait that must end early needs a timeout. A thread that can be cancelled asynchronously must
 *    not call the library.
 *  - In a child of fork() every call about an object of the parent returns TARN_FORKED.
 *  - Device addresses are numbers (tarn_addr), not pointers, so that no caller dereferences one by
 *    accident.
 */
#ifndef TARN_BASE_H
#define TARN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TARN_VERSION_MAJOR 0 /**< version of these headers: major */
#define TARN_VERSION_MINOR 4 /**< minor */
#define TARN_VERSION_PATCH 0 /**< patch */
#define TARN_VERSION_DEV   1 /**< 1 until this version is released: it is shown as X.Y.Z-dev */

/** @cond */
#if defined(__GNUC__)
#define TARN_API               __attribute__((visibility("default")))
#define TARN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TARN_API
#define TARN_PRINTF(fmt, args)
#endif
/** @endcond */

/**
 * @def TARN_INIT
 * Initialises a struct that begins with `struct_size`, in C11 and in C++11:
 *
 *     tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
 */
#ifdef __cplusplus
extern "C++" {
template <typename type> inline type tarn_init() {
    type blank = type();
    blank.struct_size = sizeof blank;
    return blank;
}
}
#define TARN_INIT(type) tarn_init<type>()
#else
#define TARN_INIT(type)                                                                            \
    { .struct_size = sizeof(type) }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The closed set of statuses: X(NAME, value, "text"). The enum, tarn_status_name() and
 * tarn_status_text() are generated from this list. Values are never reused or renumbered.
 */
#define TARN_STATUS_LIST(X)                                                                        \
    X(OK, 0, "success")                                                                            \
    X(BAD_ARGUMENT, -1, "an argument is out of its range")                                         \
    X(BAD_STRUCT, -2, "a struct carries fields this library does not know")                        \
    X(BAD_HANDLE, -3, "the handle is not, or no longer, valid")                                    \
    X(BAD_ADDRESS, -4, "the address or range lies in nothing that this call works on")             \
    X(BAD_DEVICE, -5, "no such device")                                                            \
    X(BAD_CONFIG, -6, "a device name or configuration value cannot be understood")                 \
    X(NO_HOST_MEMORY, -7, "host memory exhausted")                                                 \
    X(NO_DEVICE_MEMORY, -8, "device memory exhausted")                                             \
    X(NO_ADDRESS_SPACE, -9, "address space exhausted")                                             \
    X(NO_HANDLES, -10, "handles or file descriptors exhausted")                                    \
    X(NO_MAPPINGS, -11, "the kernel's budget of memory mappings is exhausted")                     \
    X(BUSY, -12, "the object is still in use")                                                     \
    X(NOT_MAPPED, -13, "part of the range has no physical memory mapped")                          \
    X(ALREADY_MAPPED, -14, "part of the range is mapped already")                                  \
    X(NO_ACCESS, -15, "the location has no right to do this here")                                 \
    X(MISALIGNED, -16, "an address, offset or size is not a multiple of the granularity")          \
    X(NOT_READY, -17, "the work is not complete yet")                                              \
    X(TIMED_OUT, -18, "the deadline passed")                                                       \
    X(UNSUPPORTED, -19, "this backend or build does not provide it")                               \
    X(DEVICE_FAILED, -20, "work on the device failed; the stream reports it until destroyed")      \
    X(CORRUPT, -21, "a check found the book-keeping or the data damaged")                          \
    X(SYSTEM, -22, "the operating system refused; see the native code")                            \
    X(NATIVE, -23, "the vendor's library refused; see the native code")                            \
    X(FORKED, -24, "the object belongs to the parent process")                                     \
    X(PEER_GONE, -25, "the process on the other side is gone")

/** A status: TARN_OK, or the reason of a failure. */
typedef enum tarn_status {
#define TARN_STATUS_ENUM(name, value, text) TARN_##name = value, /**< see TARN_STATUS_LIST */
    TARN_STATUS_LIST(TARN_STATUS_ENUM)
#undef TARN_STATUS_ENUM
} tarn_status;

/** An address as a device sees it. 0 is not an address. On `host` it is also a pointer of this
 * process. */
typedef uint64_t tarn_addr;

/** A timeout that never expires, in nanoseconds. A timeout of 0 does not wait. */
#define TARN_FOREVER UINT64_MAX

/**
 * A flag of calls that free memory or unmap it (tarn_unmap(), tarn_memory_free(), tarn_free(),
 * tarn_pool_trim()): they do not wait for streams first. The caller guarantees that no work uses
 * the memory. Each call describes the effect on work that does.
 */
#define TARN_NO_WAIT (1u << 0)

/**
 * A key, by which another process of the same user on the same machine can use memory or an event. It
 * is text of letters, digits and hyphens, padded with at least one zero, that may travel by any means.
 * The contents are opaque. A key is valid until its object or the process that exported it ends.
 */
typedef struct tarn_key {
    unsigned char bytes[64]; /**< the text */
} tarn_key;

/** Stands for every process in a list of processes that may import memory. */
#define TARN_PROCESS_ANY 0

/**
 * Returns the name of a status, such as "NO_DEVICE_MEMORY". The string is static.
 *
 * @param status any value
 * @return the name; "UNKNOWN" for an unknown value
 */
TARN_API const char *tarn_status_name(tarn_status status);

/**
 * Returns the text of a status. The string is static.
 *
 * @param status any value
 * @return the text, never NULL
 */
TARN_API const char *tarn_status_text(tarn_status status);

/** The last failure of a thread. The strings belong to the thread until its next failing call. */
typedef struct tarn_error {
    int32_t status;      /**< a tarn_status: TARN_OK: no call of this thread has failed yet */
    int64_t native_code; /**< errno or the vendor's code, or 0 */
    const char *call;    /**< the native call that failed ("mmap", "cuMemCreate"), or "" */
    const char *message; /**< one line with the offending values; never NULL */
} tarn_error;

/**
 * Describes the last call of the calling thread that failed. Calls that succeed leave it alone.
 *
 * @param error filled; may be NULL
 * @return error->status
 */
TARN_API tarn_status tarn_last_error(tarn_error *error);

/** Resets the calling thread's last failure to TARN_OK. */
TARN_API void tarn_clear_error(void);

/** Returns the version of the library: major * 1000000 + minor * 1000 + patch. */
TARN_API uint32_t tarn_version(void);

#ifdef __cplusplus
}
#endif
#endif
