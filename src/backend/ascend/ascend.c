// SPDX-License-Identifier: Apache-2.0
// The adapter for Huawei NPUs: AscendCL as a table for backend/vendor. Any thread may call these
// functions. In the vendor's virtual memory one call maps one allocation, completely. A reservation
// accepts memory of one device only. The owner has all rights to a mapping; others can get them
// (generation 2) and cannot lose them. Memory is exported as a number, to processes that are
// listed.
#include "backend/ascend/ascend.h"

#include <acl/acl.h>
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

// The functions: X(name, needed). FOR(slot): without it, the driver lacks the slot.
#define FUNCTION_LIST(X)                                                                           \
    X(aclInit, REQUIRED)                                                                           \
    X(aclrtGetVersion, OPTIONAL)                                                                   \
    X(aclrtGetDeviceCount, REQUIRED)                                                               \
    X(aclrtSetDevice, REQUIRED)                                                                    \
    X(aclrtGetCurrentContext, REQUIRED)                                                            \
    X(aclrtSetCurrentContext, REQUIRED)                                                            \
    X(aclrtSynchronizeDevice, REQUIRED)                                                            \
    X(aclrtDeviceCanAccessPeer, FOR(peer_can))                                                     \
    X(aclrtDeviceEnablePeerAccess, OPTIONAL)                                                       \
    X(aclrtGetMemInfo, REQUIRED)                                                                   \
    X(aclrtMalloc, REQUIRED)                                                                       \
    X(aclrtMallocAlign32, OPTIONAL)                                                                \
    X(aclrtFree, REQUIRED)                                                                         \
    X(aclrtMallocHost, REQUIRED)                                                                   \
    X(aclrtFreeHost, REQUIRED)                                                                     \
    X(aclrtHostRegister, OPTIONAL)                                                                 \
    X(aclrtHostRegisterV2, OPTIONAL)                                                               \
    X(aclrtHostUnregister, FOR(host_register))                                                     \
    X(aclrtPointerGetAttributes, FOR(is_pageable))                                                 \
    X(aclrtCreateStream, REQUIRED)                                                                 \
    X(aclrtDestroyStream, REQUIRED)                                                                \
    X(aclrtSynchronizeStream, REQUIRED)                                                            \
    X(aclrtSynchronizeStreamWithTimeout, FOR(stream_synchronize_for))                              \
    X(aclrtStreamQuery, REQUIRED)                                                                  \
    X(aclrtStreamWaitEvent, REQUIRED)                                                              \
    X(aclrtLaunchHostFunc, FOR(stream_call))                                                       \
    X(aclrtCreateEventExWithFlag, OPTIONAL)                                                        \
    X(aclrtCreateEventWithFlag, REQUIRED)                                                          \
    X(aclrtDestroyEvent, REQUIRED)                                                                 \
    X(aclrtRecordEvent, REQUIRED)                                                                  \
    X(aclrtQueryEventStatus, REQUIRED)                                                             \
    X(aclrtSynchronizeEvent, REQUIRED)                                                             \
    X(aclrtSynchronizeEventWithTimeout, FOR(event_synchronize_for))                                \
    X(aclrtEventElapsedTime, REQUIRED)                                                             \
    X(aclrtMemcpy, REQUIRED)                                                                       \
    X(aclrtMemcpyAsync, REQUIRED)                                                                  \
    X(aclrtMemcpy2dAsync, FOR(copy_box))                                                           \
    X(aclrtMemset, REQUIRED)                                                                       \
    X(aclrtMemsetAsync, REQUIRED)                                                                  \
    X(aclrtMemsetD32Async, OPTIONAL)                                                               \
    X(aclrtMemGetAllocationGranularity, FOR(reserve))                                              \
    X(aclrtReserveMemAddress, FOR(reserve))                                                        \
    X(aclrtReleaseMemAddress, FOR(reserve))                                                        \
    X(aclrtMallocPhysical, FOR(reserve))                                                           \
    X(aclrtFreePhysical, FOR(reserve))                                                             \
    X(aclrtMapMem, FOR(reserve))                                                                   \
    X(aclrtUnmapMem, FOR(reserve))                                                                 \
    X(aclrtMemSetAccess, FOR(set_access))                                                          \
    X(aclrtMemExportToShareableHandle, FOR(export))                                                \
    X(aclrtMemImportFromShareableHandle, FOR(import))                                              \
    X(aclrtMemSetPidToShareableHandle, FOR(allow))                                                 \
    X(aclrtGetSocName, OPTIONAL)

// A thread needs a context. Each device's default context is created once and made current for the
// time of a call, and the previous one is restored. Devices are never reset and the runtime is
// never finalised, because another library of the process may use them. All devices of the process
// are made peers, because copies between devices fail otherwise.
struct ascend_functions {
#define FUNCTION(name, needed) __typeof__(name) *name;
    FUNCTION_LIST(FUNCTION)
#undef FUNCTION
    _Atomic(void *) contexts[TN_VENDOR_DEVICES_MAX]; // default contexts; NULL until first used
};

#define FOR TN_VENDOR_FOR
enum { REQUIRED = 0, OPTIONAL = 1 };

static const struct tn_symbol symbols[] = {
#define FUNCTION(name, needed) {#name, offsetof(struct ascend_functions, name), needed},
    FUNCTION_LIST(FUNCTION)
#undef FUNCTION
};

// Calls a function of AscendCL. `d` is the table of functions, as the slots get it.
#define CALL(d, name, ...)                                                                         \
    ((struct tn_native){((const struct ascend_functions *)(d))->name(__VA_ARGS__), #name})

// Defines a function of the table that is one native call: FORWARD(name, native, parameters,
// arguments...).
#define FORWARD(name, native, parameters, ...)                                                     \
    static struct tn_native name parameters { return CALL(d, native, __VA_ARGS__); }

// ---- results

// The header's constants cannot label cases.
enum {
#define ERROR_CODE(name, value, text) ACL_##name = value,
    ACL_ERROR_LIST(ERROR_CODE)
};

tarn_status tn_ascend_status_of(int64_t code) {
    switch (code) {
    case ACL_INVALID_PARAM:
    case ACL_RT_PARAM_INVALID:
    case ACL_RT_INVALID_MEMORY_TYPE:
    case ACL_RT_INVALID_MALLOC_TYPE: return TARN_BAD_ARGUMENT;
    case ACL_RT_MEMORY_ALLOCATION:
    case ACL_BAD_ALLOC: return TARN_NO_DEVICE_MEMORY;
    case ACL_RT_INVALID_DEVICEID:
    case ACL_INVALID_DEVICE:
    case ACL_RT_NO_DEVICE: return TARN_BAD_DEVICE;
    case ACL_RT_INVALID_HANDLE:
    case ACL_INVALID_RESOURCE_HANDLE: return TARN_BAD_HANDLE;
    case ACL_RT_NO_PERMISSION: return TARN_NO_ACCESS;
    case ACL_RT_RESOURCE_ALLOC_FAIL:
    case ACL_RT_NO_EVENT_RESOURCE:
    case ACL_RT_NO_STREAM_RESOURCE: return TARN_NO_HANDLES;
    case ACL_API_NOT_SUPPORT:
    case ACL_FEATURE_UNSUPPORTED:
    case ACL_RT_FEATURE_NOT_SUPPORT: return TARN_UNSUPPORTED;
    case ACL_RT_STREAM_NOT_COMPLETE:
    case ACL_RT_EVENT_NOT_COMPLETE: return TARN_NOT_READY;
    case ACL_RT_WAIT_TIMEOUT:
    case ACL_RT_STREAM_SYNC_TIMEOUT:
    case ACL_RT_EVENT_SYNC_TIMEOUT: return TARN_TIMED_OUT;
    case ACL_HOST_MEMORY_ALREADY_REGISTERED: return TARN_BUSY;
    case ACL_HOST_MEMORY_NOT_REGISTERED: return TARN_BAD_ADDRESS;
    case ACL_RT_DEVICE_TASK_ABORT:
    case ACL_RT_DEVICE_OOM: return TARN_DEVICE_FAILED;
    default: return TARN_NATIVE;
    }
}

static const char *ascend_error_name(void *d, int64_t code) {
    (void)d;
    switch (code) {
#define ERROR_NAME(name, value, text)                                                              \
    case value: return #name;
        ACL_ERROR_LIST(ERROR_NAME)
    default: return "unknown";
    }
}

static void *to_pointer(uint64_t number) { return (void *)(uintptr_t)number; }

// ---- devices

FORWARD(ascend_device_count, aclrtGetDeviceCount, (void *d, int *count), (uint32_t *)count)

// Enables access from the current device to all others. Copies between devices fail without it.
static void enable_peers(const struct ascend_functions *f, int device) {
    uint32_t count = 0;
    if (f->aclrtDeviceCanAccessPeer == NULL || f->aclrtDeviceEnablePeerAccess == NULL ||
        f->aclrtGetDeviceCount(&count) != ACL_SUCCESS)
        return;
    for (int32_t peer = 0; peer < (int32_t)count; peer++) {
        int32_t can = 0;
        if (peer != device && f->aclrtDeviceCanAccessPeer(&can, device, peer) == ACL_SUCCESS &&
            can != 0)
            (void)f->aclrtDeviceEnablePeerAccess(peer, 0);
    }
}

// Creates the device's default context, which is never destroyed, and stores it.
static struct tn_native create_context(struct ascend_functions *f, int device) {
    void *context = NULL;
    struct tn_native answer = CALL(f, aclrtSetDevice, device);
    if (tn_native_ok(answer)) answer = CALL(f, aclrtGetCurrentContext, &context);
    if (tn_native_ok(answer)) {
        enable_peers(f, device);
        tn_store_release(&f->contexts[device], context);
    }
    return answer;
}

// A stored context may have become invalid, after fork() or a reset of the device.
static struct tn_native ascend_enter(void *d, int device, struct tn_vendor_saved *saved) {
    struct ascend_functions *f = d;
    void *context = tn_load_acquire(&f->contexts[device]);
    saved->context = NULL;
    (void)f->aclrtGetCurrentContext(&saved->context); // fails if there is none
    if (context != NULL && saved->context == context) return TN_NATIVE_OK;
    saved->changed = true;
    struct tn_native answer = {ACL_RT_CONTEXT_NULL, "aclrtSetCurrentContext"};
    if (context != NULL) answer = CALL(f, aclrtSetCurrentContext, context);
    return tn_native_ok(answer) ? answer : create_context(f, device);
}

// A thread that had no context keeps ours, because no call removes it.
static void ascend_leave(void *d, const struct tn_vendor_saved *saved) {
    const struct ascend_functions *f = d;
    if (saved->changed && saved->context != NULL) (void)f->aclrtSetCurrentContext(saved->context);
}

static aclrtPhysicalMemProp prop_of(const struct tn_vendor_phys_desc *desc) {
    aclrtPhysicalMemProp prop = {.memAttr = desc->host ? ACL_DDR_MEM_HUGE : ACL_HBM_MEM_HUGE};
    prop.location.type = desc->host ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = desc->host ? 0 : (uint32_t)desc->device;
    return prop;
}

static uint64_t read_granularity(const struct ascend_functions *f, int device,
                                 aclrtMemGranularityOptions option) {
    const struct tn_vendor_phys_desc desc = {.device = device};
    aclrtPhysicalMemProp prop = prop_of(&desc);
    size_t bytes = 0;
    return f->aclrtMemGetAllocationGranularity != NULL &&
                   f->aclrtMemGetAllocationGranularity(&prop, option, &bytes) == ACL_SUCCESS
               ? bytes
               : 0;
}

static struct tn_native ascend_device_info(void *d, int device,
                                           struct tn_vendor_device_info *info) {
    const struct ascend_functions *f = d;
    const char *name = f->aclrtGetSocName != NULL ? f->aclrtGetSocName() : NULL;
    (void)strncpy(info->name, name != NULL ? name : "Ascend", sizeof info->name - 1);
    info->granularity_minimum = read_granularity(f, device, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM);
    info->granularity_recommended =
        read_granularity(f, device, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    return TN_NATIVE_OK;
}

// Chips with one kind of memory report it as HBM, or report 0 bytes of HBM.
static struct tn_native ascend_memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    struct tn_native answer = CALL(d, aclrtGetMemInfo, ACL_HBM_MEM, free_bytes, total_bytes);
    return tn_native_ok(answer) && *total_bytes == 0
               ? CALL(d, aclrtGetMemInfo, ACL_DDR_MEM, free_bytes, total_bytes)
               : answer;
}

// ---- virtual memory

// A hint must be aligned to the size, rounded up to a power of two, from 2 MiB to 1 GiB. Others
// are ignored.
static void *usable_hint(tarn_addr hint, uint64_t size) {
    uint64_t unit = (uint64_t)2 << 20;
    while (unit < size && unit < (uint64_t)1 << 30) unit *= 2;
    return hint % unit == 0 ? to_pointer(hint) : NULL;
}

static struct tn_native ascend_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                       tarn_addr *addr) {
    void *got = NULL;
    (void)alignment; // the vendor uses its own, and all programs pass 1 for the flags
    return tn_vendor_pointer(
        CALL(d, aclrtReserveMemAddress, &got, size, 0, usable_hint(hint, size), 1), &got, addr);
}

static struct tn_native ascend_unreserve(void *d, tarn_addr addr, uint64_t size) {
    (void)size;
    return CALL(d, aclrtReleaseMemAddress, to_pointer(addr));
}

static struct tn_native ascend_create(void *d, const struct tn_vendor_phys_desc *desc,
                                      uint64_t *handle) {
    const aclrtPhysicalMemProp prop = prop_of(desc);
    void *got = NULL;
    return tn_vendor_pointer(CALL(d, aclrtMallocPhysical, &got, desc->bytes, &prop, 0), &got,
                             handle);
}

FORWARD(ascend_destroy, aclrtFreePhysical, (void *d, uint64_t handle), to_pointer(handle))
FORWARD(ascend_map, aclrtMapMem, (void *d, tarn_addr addr, uint64_t size, uint64_t handle),
        to_pointer(addr), size, 0, to_pointer(handle), 0)

static struct tn_native ascend_unmap(void *d, tarn_addr addr, uint64_t size) {
    (void)size;
    return CALL(d, aclrtUnmapMem, to_pointer(addr));
}

static struct tn_native ascend_set_access(void *d, tarn_addr addr, uint64_t size,
                                          const struct tn_vendor_right *rights, size_t count) {
    aclrtMemAccessDesc access[TN_VENDOR_DEVICES_MAX + 1];
    memset(access, 0, sizeof access);
    for (size_t i = 0; i < count; i++) {
        access[i].flags = (aclrtMemAccessFlags)rights[i].access;
        access[i].location.type =
            rights[i].host ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
        access[i].location.id = rights[i].host ? 0 : (uint32_t)rights[i].device;
    }
    return CALL(d, aclrtMemSetAccess, to_pointer(addr), size, access, count);
}

FORWARD(ascend_export, aclrtMemExportToShareableHandle,
        (void *d, uint64_t handle, tarn_shareable *out), to_pointer(handle), 0, 0, &out->token)

static struct tn_native ascend_import(void *d, int device, const tarn_shareable *in,
                                      uint64_t *handle) {
    void *got = NULL;
    return tn_vendor_pointer(CALL(d, aclrtMemImportFromShareableHandle, in->token, device, &got),
                             &got, handle);
}

// A list of all processes is not possible once the token exists.
static struct tn_native ascend_allow(void *d, uint64_t token, const int *pids, size_t count) {
    struct tn_native answer = {ACL_RT_FEATURE_NOT_SUPPORT, "aclrtMemSetPidToShareableHandle"};
    for (size_t i = 0; i < count; i++)
        if (pids[i] == TARN_PROCESS_ANY) return answer;
    answer.code = ACL_SUCCESS;
    for (size_t i = 0; i < count && tn_native_ok(answer); i++) {
        int32_t pid = pids[i];
        answer = CALL(d, aclrtMemSetPidToShareableHandle, token, &pid, 1);
    }
    return answer;
}

// ---- plain and pinned memory, peers

// aclrtMallocAlign32 omits the 32 bytes of padding for other kernels. Older versions lack it.
static struct tn_native ascend_alloc(void *d, uint64_t size, tarn_addr *addr) {
    const struct ascend_functions *f = d;
    void *got = NULL;
    return tn_vendor_pointer(
        f->aclrtMallocAlign32 != NULL
            ? CALL(f, aclrtMallocAlign32, &got, size, ACL_MEM_MALLOC_HUGE_FIRST)
            : CALL(f, aclrtMalloc, &got, size, ACL_MEM_MALLOC_HUGE_FIRST),
        &got, addr);
}

FORWARD(ascend_free, aclrtFree, (void *d, tarn_addr addr), to_pointer(addr))
FORWARD(ascend_host_alloc, aclrtMallocHost, (void *d, uint64_t size, void **ptr), ptr, size)
FORWARD(ascend_host_free, aclrtFreeHost, (void *d, void *ptr), ptr)

// The vendor registers complete pages.
enum { PAGE = 4096 };

static void *page_of(void *ptr) { return to_pointer((uintptr_t)ptr / PAGE * PAGE); }

static struct tn_native ascend_host_register(void *d, void *ptr, uint64_t size) {
    const struct ascend_functions *f = d;
    void *start = page_of(ptr);
    uint64_t bytes = (size + (uint64_t)((char *)ptr - (char *)start) + PAGE - 1) / PAGE * PAGE;
    void *device = NULL;
    return f->aclrtHostRegisterV2 != NULL
               ? CALL(f, aclrtHostRegisterV2, start, bytes,
                      ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED)
               : CALL(f, aclrtHostRegister, start, bytes, ACL_HOST_REGISTER_MAPPED, &device);
}

FORWARD(ascend_host_unregister, aclrtHostUnregister, (void *d, void *ptr), page_of(ptr))

FORWARD(ascend_peer_can, aclrtDeviceCanAccessPeer, (void *d, int device, int peer, int *can), can,
        device, peer)

// All peers are enabled already, because copies need that: see enable_peers().
static struct tn_native ascend_peer_set(void *d, int peer, bool enabled) {
    (void)d, (void)peer, (void)enabled;
    return TN_NATIVE_OK;
}

// ---- streams and events

FORWARD(ascend_stream_create, aclrtCreateStream, (void *d, void **stream), stream)
FORWARD(ascend_stream_destroy, aclrtDestroyStream, (void *d, void *stream), stream)
FORWARD(ascend_stream_synchronize, aclrtSynchronizeStream, (void *d, void *stream), stream)
FORWARD(ascend_stream_synchronize_for, aclrtSynchronizeStreamWithTimeout,
        (void *d, void *stream, int32_t ms), stream, ms)

static struct tn_native ascend_stream_query(void *d, void *stream) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    struct tn_native answer = CALL(d, aclrtStreamQuery, stream, &status);
    if (tn_native_ok(answer) && status != ACL_STREAM_STATUS_COMPLETE)
        answer.code = ACL_RT_STREAM_NOT_COMPLETE;
    return answer;
}

FORWARD(ascend_stream_wait, aclrtStreamWaitEvent, (void *d, void *stream, void *event), stream,
        event)
FORWARD(ascend_stream_call, aclrtLaunchHostFunc,
        (void *d, void *stream, void (*fn)(void *), void *arg), stream, fn, arg)

FORWARD(ascend_device_synchronize, aclrtSynchronizeDevice, (void *d), )

// The newer kind can be recorded again while threads still wait for the previous record.
static struct tn_native ascend_event_create(void *d, void **event) {
    const struct ascend_functions *f = d;
    const uint32_t flags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;
    return f->aclrtCreateEventExWithFlag != NULL ? CALL(f, aclrtCreateEventExWithFlag, event, flags)
                                                 : CALL(f, aclrtCreateEventWithFlag, event, flags);
}

FORWARD(ascend_event_destroy, aclrtDestroyEvent, (void *d, void *event), event)
FORWARD(ascend_event_record, aclrtRecordEvent, (void *d, void *event, void *stream), event, stream)

static struct tn_native ascend_event_query(void *d, void *event) {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    struct tn_native answer = CALL(d, aclrtQueryEventStatus, event, &status);
    if (tn_native_ok(answer) && status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
        answer.code = ACL_RT_EVENT_NOT_COMPLETE;
    return answer;
}

FORWARD(ascend_event_synchronize, aclrtSynchronizeEvent, (void *d, void *event), event)
FORWARD(ascend_event_synchronize_for, aclrtSynchronizeEventWithTimeout,
        (void *d, void *event, int32_t ms), event, ms)

FORWARD(ascend_event_elapsed, aclrtEventElapsedTime, (void *d, void *start, void *end, float *ms),
        ms, start, end)

// ---- copies and fills

// Generation 1 queues copies of aligned addresses only, and no generation queues all fills. Waiting
// calls run the refused operations in stream order (TN_NATIVE_DEFER).
static struct tn_native or_defer(struct tn_native answer) {
    if (answer.code == ACL_RT_FEATURE_NOT_SUPPORT || answer.code == ACL_RT_ADDR_UNALIGNED)
        answer.code = TN_NATIVE_DEFER;
    return answer;
}

static struct tn_native ascend_copy(void *d, void *stream, tarn_addr dst, tarn_addr src,
                                    uint64_t bytes) {
    return or_defer(CALL(d, aclrtMemcpyAsync, to_pointer(dst), bytes, to_pointer(src), bytes,
                         ACL_MEMCPY_DEFAULT, stream));
}

static bool ascend_is_pageable(void *d, tarn_addr addr) {
    aclrtPtrAttributes attributes = {.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED};
    return !tn_native_ok(CALL(d, aclrtPointerGetAttributes, to_pointer(addr), &attributes)) ||
           attributes.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED;
}

enum { ROWS_MAX = 5242880, WIDTH_MAX = 5000000 }; // of copies of boxes

static struct tn_native ascend_copy_box(void *d, void *stream, const struct tn_vendor_box *box) {
    if (box->height > ROWS_MAX || box->width > WIDTH_MAX)
        return (struct tn_native){TN_NATIVE_DEFER, "aclrtMemcpy2dAsync"};
    return or_defer(CALL(d, aclrtMemcpy2dAsync, to_pointer(box->dst), box->dst_pitch,
                         to_pointer(box->src), box->src_pitch, box->width, box->height,
                         ACL_MEMCPY_DEFAULT, stream));
}

FORWARD(ascend_copy_now, aclrtMemcpy, (void *d, tarn_addr dst, tarn_addr src, uint64_t bytes),
        to_pointer(dst), bytes, to_pointer(src), bytes, ACL_MEMCPY_DEFAULT)

// Returns true if all bytes of the pattern are equal.
static bool is_one_byte(uint32_t value, unsigned element) {
    uint32_t byte = value & 0xffu;
    return element == 1 || (element == 2 && (value & 0xffffu) == byte * 0x101u) ||
           (element == 4 && value == byte * 0x1010101u);
}

static struct tn_native ascend_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                                    unsigned element, uint64_t bytes) {
    const struct ascend_functions *f = d;
    if (is_one_byte(value, element))
        return or_defer(CALL(f, aclrtMemsetAsync, to_pointer(dst), bytes, (int32_t)(value & 0xffu),
                             bytes, stream));
    if (f->aclrtMemsetD32Async == NULL || dst % 4 != 0 || bytes % 4 != 0)
        return (struct tn_native){TN_NATIVE_DEFER, "aclrtMemsetD32Async"};
    uint32_t word = element == 2 ? (value & 0xffffu) * 0x10001u : value;
    return or_defer(CALL(f, aclrtMemsetD32Async, to_pointer(dst), bytes, word, bytes / 4, stream));
}

// Copies a buffer that repeats the pattern.
static struct tn_native ascend_fill_now(void *d, tarn_addr dst, uint32_t value, unsigned element,
                                        uint64_t bytes) {
    unsigned char pattern[4096];
    struct tn_native answer = TN_NATIVE_OK;
    if (is_one_byte(value, element))
        return CALL(d, aclrtMemset, to_pointer(dst), bytes, (int32_t)(value & 0xffu), bytes);
    for (size_t i = 0; i < sizeof pattern; i += element) memcpy(pattern + i, &value, element);
    for (uint64_t at = 0; at < bytes && tn_native_ok(answer); at += sizeof pattern) {
        uint64_t piece = bytes - at < sizeof pattern ? bytes - at : sizeof pattern;
        answer =
            CALL(d, aclrtMemcpy, to_pointer(dst + at), piece, pattern, piece, ACL_MEMCPY_DEFAULT);
    }
    return answer;
}

// ---- loading

// The functions that exist identify the generation. A function that exists may still refuse;
// vendor/probe.c finds that out.
static void fit_version(struct tn_vendor_driver *driver, const struct ascend_functions *f) {
    int32_t version[3] = {0, 0, 0};
    if (f->aclrtGetVersion != NULL) (void)f->aclrtGetVersion(&version[0], &version[1], &version[2]);
    driver->version = (uint32_t)(version[0] * 1000000 + version[1] * 1000 + version[2]);
    if (f->aclrtHostRegister == NULL && f->aclrtHostRegisterV2 == NULL)
        driver->host_register = NULL;
}

// The result of aclInit is ignored: another library may have started the runtime, and a runtime
// that does not start has no devices.
static tarn_status load_ascend(const struct tn_library *library, struct tn_vendor_driver *driver,
                               void **d) {
    TN_TRY(tn_vendor_resolve(driver, library, "AscendCL", symbols,
                             sizeof symbols / sizeof symbols[0], sizeof(struct ascend_functions),
                             d));
    struct ascend_functions *f = *d;
    (void)f->aclInit(NULL);
    fit_version(driver, f);
    return TARN_OK;
}

static const char *const sonames[] = {"libascendcl.so", NULL};

static const struct tn_vendor_driver driver = {
    .name = "ascend",
    .options_variable = "TARN_ASCEND",
    .library_variable = "TARN_ASCEND_LIBRARY",
    .sonames = sonames,
    .symbol = "aclInit",
    .load = load_ascend,
    .whole_maps = true,
    .one_owner = true,
    .grants_owner = true,
    .full_rights_only = true,
    .shareable = TARN_SHAREABLE_TOKEN,
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,
    .status_of = tn_ascend_status_of,
    .error_name = ascend_error_name,
    TN_VENDOR_COMMON_FUNCTIONS(ascend),
    .allow = ascend_allow,
    .stream_synchronize_for = ascend_stream_synchronize_for,
    .event_synchronize_for = ascend_event_synchronize_for,
    .is_pageable = ascend_is_pageable,
    .copy_now = ascend_copy_now,
    .fill_now = ascend_fill_now,
};

TN_VENDOR_BACKEND(ascend, "Huawei NPUs, through libascendcl")
