// SPDX-License-Identifier: Apache-2.0
// The adapter between HIP and the back-end that all vendors share (backend/vendor). Thin: one native
// call for each function. What differs between versions 5 to 7 is decided once, in load().
//
//  - Import takes a pointer to the descriptor before 7.1, and its value from 7.1 on.
//  - Before 7, success of hipMemMap proves nothing, and hipMemUnmap breaks on runs of mappings:
//    maps are verified, and mappings unmapped one by one. Locations of the host are 7's too.
//  - 5.2 has no hipLaunchHostFunc; hipStreamAddCallback does the same.
//  - A call that fails leaves a "last error" on the thread, which belongs to the program and not to
//    us: it is taken back.
#include "backend/hip/hip.h"

#include <stdlib.h>

#include "backend/hip/abi.h"
#include "backend/vendor/vendor.h"
#include "base/error.h"

struct functions {
#define FUNCTION(name, parameters, needed) int(*name) parameters;
    HIP_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
    const char *(*hipGetErrorName)(int error);
    bool imports_value;
    bool records_not_ready;  // as a last error
    bool tells_unregistered; // memory of the CPU that it does not know, instead of failing
};

enum { REQUIRED = 0, OPTIONAL = 1 };

static const struct tn_symbol symbols[] = {
#define FUNCTION(name, parameters, needed) {#name, offsetof(struct functions, name), needed},
    HIP_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
        {"hipGetErrorName", offsetof(struct functions, hipGetErrorName), REQUIRED},
};

// ---- what calls return

static struct tn_native told(const struct functions *f, const char *call, int code) {
    if (code != HIP_SUCCESS && (code != HIP_NOT_READY || f->records_not_ready)) {
        (void)f->hipGetLastError();
    }
    return (struct tn_native){code, call};
}
#define CALL(f, name, ...) told((f), #name, (f)->name(__VA_ARGS__))

tarn_status tn_hip_status_of(int64_t code) {
    switch (code) {
    case HIP_INVALID_VALUE:
        return TARN_BAD_ARGUMENT;
    case HIP_OUT_OF_MEMORY:
        return TARN_NO_DEVICE_MEMORY;
    case HIP_NO_DEVICE:
    case HIP_INVALID_DEVICE:
        return TARN_BAD_DEVICE;
    case HIP_INVALID_HANDLE:
        return TARN_BAD_HANDLE;
    case HIP_NOT_READY:
        return TARN_NOT_READY;
    case HIP_ALREADY_REGISTERED:
        return TARN_BUSY;
    case HIP_NOT_REGISTERED:
        return TARN_BAD_ADDRESS;
    case HIP_NOT_SUPPORTED:
        return TARN_UNSUPPORTED;
    case HIP_ECC_NOT_CORRECTABLE:
    case HIP_ILLEGAL_ADDRESS:
    case HIP_LAUNCH_TIMED_OUT:
    case HIP_CONTEXT_IS_DESTROYED:
    case HIP_ASSERT:
    case HIP_LAUNCH_FAILURE:
        return TARN_DEVICE_FAULT;
    default:
        return TARN_NATIVE;
    }
}

static const char *error_name(void *d, int64_t code) {
    const char *name = ((const struct functions *)d)->hipGetErrorName((int)code);
    return name != NULL ? name : "unknown";
}

// ---- devices

static struct tn_native device_count(void *d, int *count) {
    const struct functions *f = d;
    return CALL(f, hipGetDeviceCount, count);
}

static struct hip_prop prop_of(const struct tn_vendor_phys_desc *wish) {
    struct hip_prop prop = {.type = HIP_ALLOCATION_PINNED};
    prop.handle_type = wish->shareable ? HIP_HANDLE_FD : HIP_HANDLE_NONE;
    prop.location = (struct hip_location){HIP_LOCATION_DEVICE, wish->device};
    if (wish->host) {
        prop.location.type = wish->device < 0 ? HIP_LOCATION_HOST : HIP_LOCATION_HOST_NUMA;
        prop.location.id = wish->device < 0 ? 0 : wish->device;
    }
    return prop;
}

static struct tn_native granularity(const struct functions *f, int device, int option,
                                    uint64_t *bytes) {
    const struct tn_vendor_phys_desc wish = {.device = device};
    const struct hip_prop prop = prop_of(&wish);
    size_t size = 0;
    struct tn_native answer = CALL(f, hipMemGetAllocationGranularity, &size, &prop, option);
    if (tn_native_ok(answer)) {
        *bytes = size;
    }
    return answer;
}

// Attribute 0 is believed: AMD forbids the calls then. Attribute 1 is tried.
static struct tn_native about(void *d, int device, struct tn_vendor_device_info *about) {
    const struct functions *f = d;
    int vmm = 0;
    struct tn_native answer = CALL(f, hipDeviceGetName, about->name, sizeof about->name, device);
    if (!tn_native_ok(answer) || f->hipMemGetAllocationGranularity == NULL ||
        !tn_native_ok(CALL(f, hipDeviceGetAttribute, &vmm, HIP_ATTRIBUTE_VMM, device)) ||
        vmm == 0) {
        return answer;
    }
    answer = granularity(f, device, HIP_GRANULARITY_MINIMUM, &about->granularity_minimum);
    if (tn_native_ok(answer)) {
        answer =
            granularity(f, device, HIP_GRANULARITY_RECOMMENDED, &about->granularity_recommended);
    }
    return answer;
}

static struct tn_native memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    const struct functions *f = d;
    size_t left = 0;
    size_t total = 0;
    struct tn_native answer = CALL(f, hipMemGetInfo, &left, &total);
    if (tn_native_ok(answer)) {
        *free_bytes = left;
        *total_bytes = total;
    }
    return answer;
}

static struct tn_native enter(void *d, int device, struct tn_vendor_saved *saved) {
    const struct functions *f = d;
    struct tn_native answer = CALL(f, hipGetDevice, &saved->device);
    if (tn_native_ok(answer) && saved->device != device) {
        answer = CALL(f, hipSetDevice, device);
        saved->changed = tn_native_ok(answer);
    }
    return answer;
}

static void leave(void *d, const struct tn_vendor_saved *saved) {
    const struct functions *f = d;
    if (saved->changed) {
        (void)CALL(f, hipSetDevice, saved->device);
    }
}

// ---- virtual memory

static void *pointer(uint64_t number) {
    return (void *)(uintptr_t)number;
}

static struct tn_native reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                tarn_addr *addr) {
    const struct functions *f = d;
    void *got = NULL;
    struct tn_native answer =
        CALL(f, hipMemAddressReserve, &got, size, alignment, pointer(hint), 0);
    if (tn_native_ok(answer)) {
        *addr = (tarn_addr)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native unreserve(void *d, tarn_addr addr, uint64_t size) {
    const struct functions *f = d;
    return CALL(f, hipMemAddressFree, pointer(addr), size);
}

static struct tn_native create(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle) {
    const struct functions *f = d;
    const struct hip_prop prop = prop_of(wish);
    void *got = NULL;
    struct tn_native answer = CALL(f, hipMemCreate, &got, wish->bytes, &prop, 0);
    if (tn_native_ok(answer)) {
        *handle = (uint64_t)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native destroy(void *d, uint64_t handle) {
    const struct functions *f = d;
    return CALL(f, hipMemRelease, pointer(handle));
}

static struct tn_native map(void *d, tarn_addr addr, uint64_t size, uint64_t handle) {
    const struct functions *f = d;
    return CALL(f, hipMemMap, pointer(addr), size, 0, pointer(handle), 0);
}

static struct tn_native unmap(void *d, tarn_addr addr, uint64_t size) {
    const struct functions *f = d;
    return CALL(f, hipMemUnmap, pointer(addr), size);
}

static struct tn_native set_access(void *d, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count) {
    const struct functions *f = d;
    struct hip_access access[TN_VENDOR_DEVICES_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        access[i].location.type = rights[i].host ? HIP_LOCATION_HOST : HIP_LOCATION_DEVICE;
        access[i].location.id = rights[i].host ? 0 : rights[i].device;
        access[i].flags = (int)rights[i].access;
    }
    return CALL(f, hipMemSetAccess, pointer(addr), size, access, count);
}

static struct tn_native is_mapped(void *d, tarn_addr addr) {
    const struct functions *f = d;
    const struct hip_location location = {HIP_LOCATION_DEVICE, 0};
    unsigned long long flags = 0;
    return CALL(f, hipMemGetAccess, &flags, &location, pointer(addr));
}

static struct tn_native export_fd(void *d, uint64_t handle, tarn_shareable *out) {
    const struct functions *f = d;
    int fd = -1;
    struct tn_native answer =
        CALL(f, hipMemExportToShareableHandle, &fd, pointer(handle), HIP_HANDLE_FD, 0);
    if (tn_native_ok(answer)) {
        out->fd = fd;
    }
    return answer;
}

static struct tn_native import_fd(void *d, int device, const tarn_shareable *in, uint64_t *handle) {
    const struct functions *f = d;
    int fd = in->fd;
    void *given = f->imports_value ? pointer((uint64_t)(unsigned)fd) : &fd;
    void *got = NULL;
    (void)device; // the current one
    struct tn_native answer =
        fd < 0 ? (struct tn_native){HIP_INVALID_VALUE, "hipMemImportFromShareableHandle"}
               : CALL(f, hipMemImportFromShareableHandle, &got, given, HIP_HANDLE_FD);
    if (tn_native_ok(answer)) {
        *handle = (uint64_t)(uintptr_t)got;
    }
    return answer;
}

// ---- plain and pinned memory, peers

static struct tn_native alloc(void *d, uint64_t size, tarn_addr *addr) {
    const struct functions *f = d;
    void *got = NULL;
    struct tn_native answer = CALL(f, hipMalloc, &got, size);
    if (tn_native_ok(answer)) {
        *addr = (tarn_addr)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native free_plain(void *d, tarn_addr addr) {
    const struct functions *f = d;
    return CALL(f, hipFree, pointer(addr));
}

static struct tn_native host_alloc(void *d, uint64_t size, void **ptr) {
    const struct functions *f = d;
    return CALL(f, hipHostMalloc, ptr, size, HIP_HOST_PORTABLE_AND_MAPPED);
}

static struct tn_native host_free(void *d, void *ptr) {
    const struct functions *f = d;
    return CALL(f, hipHostFree, ptr);
}

static struct tn_native host_register(void *d, void *ptr, uint64_t size) {
    const struct functions *f = d;
    return CALL(f, hipHostRegister, ptr, size, HIP_HOST_PORTABLE_AND_MAPPED);
}

static struct tn_native host_unregister(void *d, void *ptr) {
    const struct functions *f = d;
    return CALL(f, hipHostUnregister, ptr);
}

static struct tn_native peer_can(void *d, int device, int peer, bool *can) {
    const struct functions *f = d;
    int answer = 0;
    struct tn_native native = CALL(f, hipDeviceCanAccessPeer, &answer, device, peer);
    if (tn_native_ok(native)) {
        *can = answer != 0;
    }
    return native;
}

static struct tn_native peer_set(void *d, int peer, bool enabled) {
    const struct functions *f = d;
    struct tn_native answer = enabled ? CALL(f, hipDeviceEnablePeerAccess, peer, 0)
                                      : CALL(f, hipDeviceDisablePeerAccess, peer);
    bool so_already = answer.code == (enabled ? HIP_PEER_ALREADY_ENABLED : HIP_PEER_NOT_ENABLED);
    return so_already ? TN_NATIVE_OK : answer; // another library in the process may have done it
}

// ---- streams and events

static struct tn_native stream_create(void *d, void **stream) {
    const struct functions *f = d;
    return CALL(f, hipStreamCreateWithFlags, stream, HIP_STREAM_NON_BLOCKING);
}

static struct tn_native stream_destroy(void *d, void *stream) {
    const struct functions *f = d;
    return CALL(f, hipStreamDestroy, stream);
}

static struct tn_native stream_synchronize(void *d, void *stream) {
    const struct functions *f = d;
    return CALL(f, hipStreamSynchronize, stream);
}

static struct tn_native stream_query(void *d, void *stream) {
    const struct functions *f = d;
    return CALL(f, hipStreamQuery, stream);
}

static struct tn_native stream_wait(void *d, void *stream, void *event) {
    const struct functions *f = d;
    return CALL(f, hipStreamWaitEvent, stream, event, 0);
}

static struct tn_native stream_call(void *d, void *stream, void (*fn)(void *), void *arg) {
    const struct functions *f = d;
    return CALL(f, hipLaunchHostFunc, stream, fn, arg);
}

// The older way: the callback is told the stream and its state, and is one of ours.
struct callback {
    void (*fn)(void *);
    void *arg;
};

static void run_callback(void *stream, int status, void *arg) {
    struct callback callback = *(struct callback *)arg;
    (void)stream;
    free(arg);
    if (status == HIP_SUCCESS) {
        callback.fn(callback.arg);
    }
}

static struct tn_native stream_call_before_5_3(void *d, void *stream, void (*fn)(void *),
                                               void *arg) {
    const struct functions *f = d;
    struct callback *callback = malloc(sizeof *callback);
    if (callback == NULL) {
        return (struct tn_native){HIP_OUT_OF_MEMORY, "malloc"};
    }
    *callback = (struct callback){fn, arg};
    struct tn_native answer = CALL(f, hipStreamAddCallback, stream, run_callback, callback, 0);
    if (!tn_native_ok(answer)) {
        free(callback);
    }
    return answer;
}

static struct tn_native device_synchronize(void *d) {
    const struct functions *f = d;
    return told(f, "hipDeviceSynchronize", f->hipDeviceSynchronize());
}

static struct tn_native event_create(void *d, void **event) {
    const struct functions *f = d;
    return CALL(f, hipEventCreateWithFlags, event, HIP_EVENT_DEFAULT);
}

static struct tn_native event_destroy(void *d, void *event) {
    const struct functions *f = d;
    return CALL(f, hipEventDestroy, event);
}

static struct tn_native event_record(void *d, void *event, void *stream) {
    const struct functions *f = d;
    return CALL(f, hipEventRecord, event, stream);
}

static struct tn_native event_query(void *d, void *event) {
    const struct functions *f = d;
    return CALL(f, hipEventQuery, event);
}

static struct tn_native event_synchronize(void *d, void *event) {
    const struct functions *f = d;
    return CALL(f, hipEventSynchronize, event);
}

static struct tn_native event_elapsed(void *d, void *start, void *end, int64_t *ns) {
    const struct functions *f = d;
    float ms = 0;
    struct tn_native answer = CALL(f, hipEventElapsedTime, &ms, start, end);
    if (tn_native_ok(answer)) {
        *ns = (int64_t)((double)ms * 1e6);
    }
    return answer;
}

// ---- moving

static bool is_pageable(void *d, tarn_addr addr) {
    const struct functions *f = d;
    struct hip_pointer attributes = {.type = HIP_MEMORY_UNREGISTERED};
    return !tn_native_ok(CALL(f, hipPointerGetAttributes, &attributes, pointer(addr))) ||
           (f->tells_unregistered && attributes.type == HIP_MEMORY_UNREGISTERED);
}

static struct tn_native copy(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    const struct functions *f = d;
    return CALL(f, hipMemcpyAsync, pointer(dst), pointer(src), bytes, HIP_MEMCPY_DEFAULT, stream);
}

static struct tn_native copy_box(void *d, void *stream, const struct tn_vendor_box *box) {
    const struct functions *f = d;
    return CALL(f, hipMemcpy2DAsync, pointer(box->dst), box->dst_pitch, pointer(box->src),
                box->src_pitch, box->width, box->height, HIP_MEMCPY_DEFAULT, stream);
}

static struct tn_native fill(void *d, void *stream, tarn_addr dst, uint32_t value, unsigned element,
                             uint64_t bytes) {
    const struct functions *f = d;
    switch (element) {
    case 1:
        return CALL(f, hipMemsetAsync, pointer(dst), (int)(value & 0xffu), bytes, stream);
    case 2:
        return CALL(f, hipMemsetD16Async, pointer(dst), (unsigned short)value, bytes / 2, stream);
    default:
        return CALL(f, hipMemsetD32Async, pointer(dst), (int)value, bytes / 4, stream);
    }
}

// HIP fills boxes of bytes; rows of wider elements go one by one.
static struct tn_native fill_box(void *d, void *stream, const struct tn_vendor_box *box,
                                 uint32_t value, unsigned element) {
    const struct functions *f = d;
    struct tn_native answer = TN_NATIVE_OK;
    if (element == 1) {
        return CALL(f, hipMemset2DAsync, pointer(box->dst), box->dst_pitch, (int)(value & 0xffu),
                    box->width, box->height, stream);
    }
    for (uint64_t y = 0; y < box->height && tn_native_ok(answer); y++) {
        answer = fill(d, stream, box->dst + y * box->dst_pitch, value, element, box->width);
    }
    return answer;
}

// ---- loading

enum { VERSION_6 = 60000000, VERSION_7 = 70000000, VERSION_7_1 = 70100000 };

static bool has_vmm(const struct functions *f) {
    return f->hipMemGetAllocationGranularity != NULL && f->hipMemAddressReserve != NULL &&
           f->hipMemAddressFree != NULL && f->hipMemCreate != NULL && f->hipMemRelease != NULL &&
           f->hipMemMap != NULL && f->hipMemUnmap != NULL && f->hipMemSetAccess != NULL &&
           f->hipMemGetAccess != NULL;
}

static void fit_version(struct tn_vendor_driver *driver, struct functions *f, int version) {
    bool since_7 = version >= VERSION_7;
    driver->version = (uint32_t)version;
    driver->spans = since_7;
    driver->verify_maps = !since_7;
    driver->features_possible = since_7 ? TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS : 0u;
    f->imports_value = version >= VERSION_7_1;
    f->records_not_ready = !since_7;
    f->tells_unregistered = version >= VERSION_6;
    if (f->hipPointerGetAttributes == NULL) {
        driver->is_pageable = NULL;
    }
    if (!has_vmm(f)) {
        driver->reserve = NULL;
    }
    if (f->hipMemExportToShareableHandle == NULL || f->hipMemImportFromShareableHandle == NULL) {
        driver->shareable = 0;
        driver->export = NULL;
        driver->import = NULL;
    }
    if (f->hipLaunchHostFunc == NULL) {
        driver->stream_call = stream_call_before_5_3;
    }
}

// Whether there is a device is told by hipGetDeviceCount, and better than by hipInit.
static tarn_status load(const struct tn_library *library, struct tn_vendor_driver *driver,
                        void **d) {
    struct functions *f = calloc(1, sizeof *f);
    int version = 0;
    if (f == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the functions of HIP");
    }
    tarn_status status =
        tn_library_resolve(driver->name, library, symbols, sizeof symbols / sizeof symbols[0], f);
    if (status != TARN_OK) {
        free(f);
        return status;
    }
    (void)CALL(f, hipInit, 0);
    (void)CALL(f, hipRuntimeGetVersion, &version);
    fit_version(driver, f, version);
    *d = f;
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
    .load = load,
    .shareable = TARN_SHAREABLE_FD,
    .status_of = tn_hip_status_of,
    .error_name = error_name,
    .device_count = device_count,
    .about = about,
    .memory_info = memory_info,
    .enter = enter,
    .leave = leave,
    .reserve = reserve,
    .unreserve = unreserve,
    .create = create,
    .destroy = destroy,
    .map = map,
    .unmap = unmap,
    .set_access = set_access,
    .is_mapped = is_mapped,
    .export = export_fd,
    .import = import_fd,
    .alloc = alloc,
    .free = free_plain,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .host_register = host_register,
    .host_unregister = host_unregister,
    .peer_can = peer_can,
    .peer_set = peer_set,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .stream_call = stream_call,
    .device_synchronize = device_synchronize,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_synchronize = event_synchronize,
    .event_elapsed = event_elapsed,
    .copy = copy,
    .copy_box = copy_box,
    .fill = fill,
    .fill_box = fill_box,
    .is_pageable = is_pageable,
};

static tarn_status platform_open(const char *options, void **p) {
    return tn_vendor_open(&driver, options, p);
}

const tarn_backend tn_backend_hip = {
    TN_VENDOR_SLOTS,
    .name = "hip",
    .summary = "cards by AMD, through libamdhip64",
    .platform_open = platform_open,
};
