// SPDX-License-Identifier: Apache-2.0
// The adapter for AMD GPUs: HIP as a table for backend/vendor. Any thread may call these functions.
// load_hip() detects the differences between versions 5 to 7 once:
//
//  - Import takes a pointer to the descriptor before 7.1, and its value since 7.1.
//  - Before 7, hipMemMap may report success without mapping, and hipMemUnmap fails on ranges of
//    several mappings: maps are verified, and mappings are unmapped one by one. Host locations
//    exist since 7.
//  - 5.2 has no hipLaunchHostFunc; hipStreamAddCallback replaces it.
//
// A call that fails sets the thread's "last error", which belongs to the application. It is cleared
// again.
#include "backend/hip/hip.h"

#include <hip/hip_runtime_api.h>
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

// The functions: X(name, needed). FOR(slot): without it, the driver lacks the slot.
#define FUNCTION_LIST(X)                                                                           \
    X(hipInit, REQUIRED)                                                                           \
    X(hipRuntimeGetVersion, REQUIRED)                                                              \
    X(hipGetLastError, REQUIRED)                                                                   \
    X(hipGetErrorName, REQUIRED)                                                                   \
    X(hipGetDeviceCount, REQUIRED)                                                                 \
    X(hipGetDevice, REQUIRED)                                                                      \
    X(hipSetDevice, REQUIRED)                                                                      \
    X(hipDeviceGetName, REQUIRED)                                                                  \
    X(hipDeviceGetAttribute, REQUIRED)                                                             \
    X(hipDeviceSynchronize, REQUIRED)                                                              \
    X(hipDeviceCanAccessPeer, REQUIRED)                                                            \
    X(hipDeviceEnablePeerAccess, REQUIRED)                                                         \
    X(hipDeviceDisablePeerAccess, REQUIRED)                                                        \
    X(hipMemGetInfo, REQUIRED)                                                                     \
    X(hipMalloc, REQUIRED)                                                                         \
    X(hipFree, REQUIRED)                                                                           \
    X(hipHostMalloc, REQUIRED)                                                                     \
    X(hipHostFree, REQUIRED)                                                                       \
    X(hipHostRegister, REQUIRED)                                                                   \
    X(hipHostUnregister, REQUIRED)                                                                 \
    X(hipStreamCreateWithFlags, REQUIRED)                                                          \
    X(hipStreamDestroy, REQUIRED)                                                                  \
    X(hipStreamSynchronize, REQUIRED)                                                              \
    X(hipStreamQuery, REQUIRED)                                                                    \
    X(hipStreamIsCapturing, OPTIONAL)                                                              \
    X(hipStreamWaitEvent, REQUIRED)                                                                \
    X(hipLaunchHostFunc, OPTIONAL)                                                                 \
    X(hipStreamAddCallback, REQUIRED)                                                              \
    X(hipEventCreateWithFlags, REQUIRED)                                                           \
    X(hipEventDestroy, REQUIRED)                                                                   \
    X(hipEventRecord, REQUIRED)                                                                    \
    X(hipEventQuery, REQUIRED)                                                                     \
    X(hipEventSynchronize, REQUIRED)                                                               \
    X(hipEventElapsedTime, REQUIRED)                                                               \
    X(hipPointerGetAttributes, FOR(is_pageable))                                                   \
    X(hipMemcpyAsync, REQUIRED)                                                                    \
    X(hipMemcpy2DAsync, REQUIRED)                                                                  \
    X(hipMemsetAsync, REQUIRED)                                                                    \
    X(hipMemsetD16Async, REQUIRED)                                                                 \
    X(hipMemsetD32Async, REQUIRED)                                                                 \
    X(hipMemset2DAsync, REQUIRED)                                                                  \
    X(hipMemGetAllocationGranularity, FOR(reserve))                                                \
    X(hipMemAddressReserve, FOR(reserve))                                                          \
    X(hipMemAddressFree, FOR(reserve))                                                             \
    X(hipMemCreate, FOR(reserve))                                                                  \
    X(hipMemRelease, FOR(reserve))                                                                 \
    X(hipMemMap, FOR(reserve))                                                                     \
    X(hipMemUnmap, FOR(reserve))                                                                   \
    X(hipMemSetAccess, FOR(reserve))                                                               \
    X(hipMemGetAccess, FOR(reserve))                                                               \
    X(hipMemExportToShareableHandle, FOR(export))                                                  \
    X(hipMemImportFromShareableHandle, FOR(import))

struct hip_functions {
#define FUNCTION(name, needed) __typeof__(name) *name;
    FUNCTION_LIST(FUNCTION)
#undef FUNCTION
    bool imports_value;
    bool records_not_ready;    // NOT_READY sets the last error
    bool reports_unregistered; // hipPointerGetAttributes succeeds for unknown host memory
};

#define FOR TN_VENDOR_FOR
enum { REQUIRED = 0, OPTIONAL = 1 };

static const struct tn_symbol symbols[] = {
#define FUNCTION(name, needed) {#name, offsetof(struct hip_functions, name), needed},
    FUNCTION_LIST(FUNCTION)
#undef FUNCTION
};

// ---- results

static struct tn_native clear_error(const struct hip_functions *f, const char *call,
                                    hipError_t code) {
    if (code != hipSuccess && (code != hipErrorNotReady || f->records_not_ready))
        (void)f->hipGetLastError();
    return (struct tn_native){code, call};
}

// Calls a function of HIP. `d` is the table of functions, as the slots get it.
#define CALL(d, name, ...)                                                                         \
    clear_error(d, #name, ((const struct hip_functions *)(d))->name(__VA_ARGS__))

// Defines a function of the table that is one native call: FORWARD(name, native, parameters,
// arguments...).
#define FORWARD(name, native, parameters, ...)                                                     \
    static struct tn_native name parameters { return CALL(d, native, __VA_ARGS__); }

tarn_status tn_hip_status_of(int64_t code) {
    switch (code) {
    case hipErrorInvalidValue: return TARN_BAD_ARGUMENT;
    case hipErrorOutOfMemory: return TARN_NO_DEVICE_MEMORY;
    case hipErrorNoDevice:
    case hipErrorInvalidDevice: return TARN_BAD_DEVICE;
    case hipErrorInvalidHandle: return TARN_BAD_HANDLE;
    case hipErrorNotReady: return TARN_NOT_READY;
    case hipErrorHostMemoryAlreadyRegistered: return TARN_BUSY;
    case hipErrorHostMemoryNotRegistered: return TARN_BAD_ADDRESS;
    case hipErrorNotSupported: return TARN_UNSUPPORTED;
    case hipErrorECCNotCorrectable:
    case hipErrorIllegalAddress:
    case hipErrorLaunchTimeOut:
    case hipErrorContextIsDestroyed:
    case hipErrorAssert:
    case hipErrorLaunchFailure: return TARN_DEVICE_FAILED;
    default: return TARN_NATIVE;
    }
}

static const char *hip_error_name(void *d, int64_t code) {
    const char *name = ((const struct hip_functions *)d)->hipGetErrorName((hipError_t)code);
    return name != NULL ? name : "unknown";
}

// ---- devices

FORWARD(hip_device_count, hipGetDeviceCount, (void *d, int *count), count)

static hipMemAllocationProp prop_of(const struct tn_vendor_phys_desc *desc) {
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned};
    prop.requestedHandleType =
        desc->shareable ? hipMemHandleTypePosixFileDescriptor : hipMemHandleTypeNone;
    prop.location = (hipMemLocation){hipMemLocationTypeDevice, desc->device};
    if (desc->host) {
        prop.location.type = desc->device < 0 ? hipMemLocationTypeHost : hipMemLocationTypeHostNuma;
        prop.location.id = desc->device < 0 ? 0 : desc->device;
    }
    return prop;
}

static struct tn_native read_granularity(const struct hip_functions *f, int device,
                                         hipMemAllocationGranularity_flags option,
                                         uint64_t *bytes) {
    const struct tn_vendor_phys_desc desc = {.device = device};
    const hipMemAllocationProp prop = prop_of(&desc);
    size_t size = 0;
    struct tn_native answer = CALL(f, hipMemGetAllocationGranularity, &size, &prop, option);
    if (tn_native_ok(answer)) *bytes = size;
    return answer;
}

// If the attribute is 0, AMD forbids the calls. If it is 1, they are tried later.
static struct tn_native hip_device_info(void *d, int device, struct tn_vendor_device_info *info) {
    const struct hip_functions *f = d;
    int vmm = 0;
    struct tn_native answer = CALL(f, hipDeviceGetName, info->name, sizeof info->name, device);
    if (!tn_native_ok(answer) || f->hipMemGetAllocationGranularity == NULL ||
        !tn_native_ok(CALL(f, hipDeviceGetAttribute, &vmm,
                           hipDeviceAttributeVirtualMemoryManagementSupported, device)) ||
        vmm == 0)
        return answer;
    answer =
        read_granularity(f, device, hipMemAllocationGranularityMinimum, &info->granularity_minimum);
    if (tn_native_ok(answer))
        answer = read_granularity(f, device, hipMemAllocationGranularityRecommended,
                                  &info->granularity_recommended);
    return answer;
}

FORWARD(hip_memory_info, hipMemGetInfo, (void *d, uint64_t *free_bytes, uint64_t *total_bytes),
        free_bytes, total_bytes)

static struct tn_native hip_enter(void *d, int device, struct tn_vendor_saved *saved) {
    struct tn_native answer = CALL(d, hipGetDevice, &saved->device);
    if (tn_native_ok(answer) && saved->device != device) {
        answer = CALL(d, hipSetDevice, device);
        saved->changed = tn_native_ok(answer);
    }
    return answer;
}

static void hip_leave(void *d, const struct tn_vendor_saved *saved) {
    if (saved->changed) (void)CALL(d, hipSetDevice, saved->device);
}

// ---- virtual memory

static void *to_pointer(uint64_t number) { return (void *)(uintptr_t)number; }

static hipMemGenericAllocationHandle_t to_handle(uint64_t number) {
    return (hipMemGenericAllocationHandle_t)(uintptr_t)number;
}

static struct tn_native hip_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                    tarn_addr *addr) {
    void *got = NULL;
    return tn_vendor_pointer(
        CALL(d, hipMemAddressReserve, &got, size, alignment, to_pointer(hint), 0), &got, addr);
}

FORWARD(hip_unreserve, hipMemAddressFree, (void *d, tarn_addr addr, uint64_t size),
        to_pointer(addr), size)

static struct tn_native hip_create(void *d, const struct tn_vendor_phys_desc *desc,
                                   uint64_t *handle) {
    const hipMemAllocationProp prop = prop_of(desc);
    void *got = NULL;
    return tn_vendor_pointer(
        CALL(d, hipMemCreate, (hipMemGenericAllocationHandle_t *)&got, desc->bytes, &prop, 0), &got,
        handle);
}

FORWARD(hip_destroy, hipMemRelease, (void *d, uint64_t handle), to_handle(handle))
FORWARD(hip_map, hipMemMap, (void *d, tarn_addr addr, uint64_t size, uint64_t handle),
        to_pointer(addr), size, 0, to_handle(handle), 0)
FORWARD(hip_unmap, hipMemUnmap, (void *d, tarn_addr addr, uint64_t size), to_pointer(addr), size)

static struct tn_native hip_set_access(void *d, tarn_addr addr, uint64_t size,
                                       const struct tn_vendor_right *rights, size_t count) {
    hipMemAccessDesc access[TN_VENDOR_DEVICES_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        access[i].location.type =
            rights[i].host ? hipMemLocationTypeHost : hipMemLocationTypeDevice;
        access[i].location.id = rights[i].host ? 0 : rights[i].device;
        access[i].flags = (hipMemAccessFlags)rights[i].access;
    }
    return CALL(d, hipMemSetAccess, to_pointer(addr), size, access, count);
}

static struct tn_native hip_is_mapped(void *d, tarn_addr addr) {
    const hipMemLocation location = {hipMemLocationTypeDevice, 0};
    unsigned long long flags = 0;
    return CALL(d, hipMemGetAccess, &flags, &location, to_pointer(addr));
}

FORWARD(hip_export, hipMemExportToShareableHandle, (void *d, uint64_t handle, tarn_shareable *out),
        &out->fd, to_handle(handle), hipMemHandleTypePosixFileDescriptor, 0)

static struct tn_native hip_import(void *d, int device, const tarn_shareable *in,
                                   uint64_t *handle) {
    const struct hip_functions *f = d;
    int fd = in->fd;
    void *given = f->imports_value ? to_pointer((uint64_t)(unsigned)fd) : &fd;
    void *got = NULL;
    (void)device; // the current one
    if (fd < 0) return (struct tn_native){hipErrorInvalidValue, "hipMemImportFromShareableHandle"};
    return tn_vendor_pointer(CALL(f, hipMemImportFromShareableHandle,
                                  (hipMemGenericAllocationHandle_t *)&got, given,
                                  hipMemHandleTypePosixFileDescriptor),
                             &got, handle);
}

// ---- plain and pinned memory, peers

static struct tn_native hip_alloc(void *d, uint64_t size, tarn_addr *addr) {
    void *got = NULL;
    return tn_vendor_pointer(CALL(d, hipMalloc, &got, size), &got, addr);
}

FORWARD(hip_free, hipFree, (void *d, tarn_addr addr), to_pointer(addr))
FORWARD(hip_host_alloc, hipHostMalloc, (void *d, uint64_t size, void **ptr), ptr, size,
        hipHostMallocPortable | hipHostMallocMapped)
FORWARD(hip_host_free, hipHostFree, (void *d, void *ptr), ptr)
FORWARD(hip_host_register, hipHostRegister, (void *d, void *ptr, uint64_t size), ptr, size,
        hipHostMallocPortable | hipHostMallocMapped)
FORWARD(hip_host_unregister, hipHostUnregister, (void *d, void *ptr), ptr)

FORWARD(hip_peer_can, hipDeviceCanAccessPeer, (void *d, int device, int peer, int *can), can,
        device, peer)

static struct tn_native hip_peer_set(void *d, int peer, bool enabled) {
    struct tn_native answer = enabled ? CALL(d, hipDeviceEnablePeerAccess, peer, 0)
                                      : CALL(d, hipDeviceDisablePeerAccess, peer);
    // Another library in this process may have done it before us.
    bool is_set =
        answer.code == (enabled ? hipErrorPeerAccessAlreadyEnabled : hipErrorPeerAccessNotEnabled);
    return is_set ? TN_NATIVE_OK : answer;
}

// ---- streams and events

FORWARD(hip_stream_create, hipStreamCreateWithFlags, (void *d, void **stream),
        (hipStream_t *)stream, hipStreamNonBlocking)
FORWARD(hip_stream_destroy, hipStreamDestroy, (void *d, void *stream), stream)
FORWARD(hip_stream_synchronize, hipStreamSynchronize, (void *d, void *stream), stream)

// A query would end the capture of a stream whose work runs later anyway.
static struct tn_native hip_stream_query(void *d, void *stream) {
    const struct hip_functions *f = d;
    struct tn_native answer = TN_NATIVE_OK;
    hipStreamCaptureStatus capturing = hipStreamCaptureStatusNone;
    if (f->hipStreamIsCapturing != NULL) answer = CALL(d, hipStreamIsCapturing, stream, &capturing);
    if (capturing != hipStreamCaptureStatusNone) answer.code = hipErrorNotReady;
    return tn_native_ok(answer) ? CALL(d, hipStreamQuery, stream) : answer;
}

FORWARD(hip_stream_wait, hipStreamWaitEvent, (void *d, void *stream, void *event), stream, event, 0)
FORWARD(hip_stream_call, hipLaunchHostFunc, (void *d, void *stream, void (*fn)(void *), void *arg),
        stream, fn, arg)

// For hipStreamAddCallback, whose callbacks also take the stream and its state.
struct callback {
    void (*fn)(void *);
    void *arg;
};

static void run_callback(hipStream_t stream, hipError_t status, void *arg) {
    struct callback callback = *(struct callback *)arg;
    (void)stream;
    free(arg);
    if (status == hipSuccess) callback.fn(callback.arg);
}

static struct tn_native stream_call_before_5_3(void *d, void *stream, void (*fn)(void *),
                                               void *arg) {
    struct callback *callback = malloc(sizeof *callback);
    if (callback == NULL) return (struct tn_native){hipErrorOutOfMemory, "malloc"};
    *callback = (struct callback){fn, arg};
    struct tn_native answer = CALL(d, hipStreamAddCallback, stream, run_callback, callback, 0);
    if (!tn_native_ok(answer)) free(callback);
    return answer;
}

FORWARD(hip_device_synchronize, hipDeviceSynchronize, (void *d), )

FORWARD(hip_event_create, hipEventCreateWithFlags, (void *d, void **event), (hipEvent_t *)event,
        hipEventDefault)
FORWARD(hip_event_destroy, hipEventDestroy, (void *d, void *event), event)
FORWARD(hip_event_record, hipEventRecord, (void *d, void *event, void *stream), event, stream)
FORWARD(hip_event_query, hipEventQuery, (void *d, void *event), event)
FORWARD(hip_event_synchronize, hipEventSynchronize, (void *d, void *event), event)

FORWARD(hip_event_elapsed, hipEventElapsedTime, (void *d, void *start, void *end, float *ms), ms,
        start, end)

// ---- copies and fills

static bool hip_is_pageable(void *d, tarn_addr addr) {
    const struct hip_functions *f = d;
    union {
        hipPointerAttribute_t read;
        uint64_t room[16]; // for members of later versions
    } attributes = {.read = {.type = hipMemoryTypeUnregistered}};
    return !tn_native_ok(CALL(f, hipPointerGetAttributes, &attributes.read, to_pointer(addr))) ||
           (f->reports_unregistered && attributes.read.type == hipMemoryTypeUnregistered);
}

FORWARD(hip_copy, hipMemcpyAsync,
        (void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes), to_pointer(dst),
        to_pointer(src), bytes, hipMemcpyDefault, stream)
FORWARD(hip_copy_box, hipMemcpy2DAsync, (void *d, void *stream, const struct tn_vendor_box *box),
        to_pointer(box->dst), box->dst_pitch, to_pointer(box->src), box->src_pitch, box->width,
        box->height, hipMemcpyDefault, stream)

static struct tn_native hip_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                                 unsigned element, uint64_t bytes) {
    switch (element) {
    case 1: return CALL(d, hipMemsetAsync, to_pointer(dst), (int)(value & 0xffu), bytes, stream);
    case 2:
        return CALL(d, hipMemsetD16Async, to_pointer(dst), (unsigned short)value, bytes / 2,
                    stream);
    default: return CALL(d, hipMemsetD32Async, to_pointer(dst), (int)value, bytes / 4, stream);
    }
}

// HIP fills boxes of bytes only. Rows of wider elements are filled one by one.
static struct tn_native hip_fill_box(void *d, void *stream, const struct tn_vendor_box *box,
                                     uint32_t value, unsigned element) {
    if (element != 1) return (struct tn_native){TN_NATIVE_ROWS, "hipMemset2DAsync"};
    return CALL(d, hipMemset2DAsync, to_pointer(box->dst), box->dst_pitch, (int)(value & 0xffu),
                box->width, box->height, stream);
}

// ---- loading

enum { VERSION_6 = 60000000, VERSION_7 = 70000000, VERSION_7_1 = 70100000 };

static void fit_version(struct tn_vendor_driver *driver, struct hip_functions *f, int version) {
    bool since_7 = version >= VERSION_7;
    driver->version = (uint32_t)version;
    driver->spans = since_7;
    driver->verify_maps = !since_7;
    driver->features_possible = since_7 ? TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS : 0u;
    f->imports_value = version >= VERSION_7_1;
    f->records_not_ready = !since_7;
    f->reports_unregistered = version >= VERSION_6;
    if (f->hipLaunchHostFunc == NULL) driver->stream_call = stream_call_before_5_3;
}

// The results of hipInit are ignored: hipGetDeviceCount reports missing devices more precisely.
static tarn_status load_hip(const struct tn_library *library, struct tn_vendor_driver *driver,
                            void **d) {
    int version = 0;
    TN_TRY(tn_vendor_resolve(driver, library, "HIP", symbols, sizeof symbols / sizeof symbols[0],
                             sizeof(struct hip_functions), d));
    (void)CALL(*d, hipInit, 0);
    (void)CALL(*d, hipRuntimeGetVersion, &version);
    fit_version(driver, *d, version);
    return TARN_OK;
}

static const char *const sonames[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                      "libamdhip64.so.5", NULL};

static const struct tn_vendor_driver driver = {
    .name = "hip",
    .options_variable = "TARN_HIP",
    .library_variable = "TARN_HIP_LIBRARY",
    .sonames = sonames,
    .symbol = "hipInit",
    .load = load_hip,
    .shareable = TARN_SHAREABLE_FD,
    .status_of = tn_hip_status_of,
    .error_name = hip_error_name,
    TN_VENDOR_COMMON_FUNCTIONS(hip),
    .is_mapped = hip_is_mapped,
    .fill_box = hip_fill_box,
    .is_pageable = hip_is_pageable,
};

TN_VENDOR_BACKEND(hip, "AMD GPUs, through libamdhip64")
