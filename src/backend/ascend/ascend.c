// SPDX-License-Identifier: Apache-2.0
// The adapter between AscendCL and the back-end that all vendors share (backend/vendor). What the
// vendor's virtual memory is like: memory is mapped whole, at offset 0, by one call for each
// mapping; a reservation takes memory of one device for good; the owner may use a mapping from the
// start, others are let in (generation 2) and never out again; memory leaves the process as a
// number, for processes that are named.
//
// A thread needs a context, so each device's default context is looked up once and made current
// for the time of a call; one that was current before is put back. Devices are never reset and the
// runtime is never finalized: another library of the process may use them too. The devices of the
// process are made peers, because copies between devices fail otherwise.
//
// Generation 1 queues copies of aligned addresses only, and no generation queues all fills: what is
// refused is done by calls that wait, in the order of the stream (TN_NATIVE_DEFER).
#include "backend/ascend/ascend.h"

#include <stdlib.h>
#include <string.h>

#include "backend/ascend/abi.h"
#include "backend/vendor/vendor.h"
#include "base/error.h"

struct functions {
#define FUNCTION(name, parameters, needed) int(*name) parameters;
    ACL_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
    const char *(*aclrtGetSocName)(void);
    _Atomic(void *) contexts[TN_VENDOR_DEVICES_MAX]; // default contexts; NULL: not looked up yet
};

enum { REQUIRED = 0, OPTIONAL = 1 };

static const struct tn_symbol symbols[] = {
#define FUNCTION(name, parameters, needed) {#name, offsetof(struct functions, name), needed},
    ACL_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
        {"aclrtGetSocName", offsetof(struct functions, aclrtGetSocName), OPTIONAL},
};

#define CALL(f, name, ...) ((struct tn_native){(f)->name(__VA_ARGS__), #name})

// ---- what calls return

tarn_status tn_ascend_status_of(int64_t code) {
    switch (code) {
    case ACL_INVALID_PARAM:
    case ACL_RT_PARAM_INVALID:
    case ACL_RT_INVALID_MEMORY_TYPE:
    case ACL_RT_INVALID_MALLOC_TYPE:
        return TARN_BAD_ARGUMENT;
    case ACL_RT_MEMORY_ALLOCATION:
    case ACL_BAD_ALLOC:
        return TARN_NO_DEVICE_MEMORY;
    case ACL_RT_INVALID_DEVICEID:
    case ACL_INVALID_DEVICE:
    case ACL_RT_NO_DEVICE:
        return TARN_BAD_DEVICE;
    case ACL_RT_INVALID_HANDLE:
    case ACL_INVALID_RESOURCE_HANDLE:
        return TARN_BAD_HANDLE;
    case ACL_RT_NO_PERMISSION:
        return TARN_NO_ACCESS;
    case ACL_RT_RESOURCE_ALLOC_FAIL:
    case ACL_RT_NO_EVENT_RESOURCE:
    case ACL_RT_NO_STREAM_RESOURCE:
        return TARN_NO_HANDLES;
    case ACL_API_NOT_SUPPORT:
    case ACL_FEATURE_UNSUPPORTED:
    case ACL_RT_FEATURE_NOT_SUPPORT:
        return TARN_UNSUPPORTED;
    case ACL_RT_STREAM_NOT_COMPLETE:
    case ACL_RT_EVENT_NOT_COMPLETE:
        return TARN_NOT_READY;
    case ACL_RT_WAIT_TIMEOUT:
    case ACL_RT_STREAM_SYNC_TIMEOUT:
    case ACL_RT_EVENT_SYNC_TIMEOUT:
        return TARN_TIMED_OUT;
    case ACL_HOST_MEMORY_ALREADY_REGISTERED:
        return TARN_BUSY;
    case ACL_HOST_MEMORY_NOT_REGISTERED:
        return TARN_BAD_ADDRESS;
    case ACL_RT_DEVICE_TASK_ABORT:
    case ACL_RT_DEVICE_OOM:
        return TARN_DEVICE_FAULT;
    default:
        return TARN_NATIVE;
    }
}

static const char *error_name(void *d, int64_t code) {
    (void)d;
    switch (code) {
#define ACL_CODE(name, value)                                                                      \
    case value:                                                                                    \
        return #name;
        ACL_CODE_LIST(ACL_CODE)
#undef ACL_CODE
    default:
        return "unknown";
    }
}

static void *pointer(uint64_t number) {
    return (void *)(uintptr_t)number;
}

// ---- devices

static struct tn_native device_count(void *d, int *count) {
    const struct functions *f = d;
    uint32_t number = 0;
    struct tn_native answer = CALL(f, aclrtGetDeviceCount, &number);
    if (tn_native_ok(answer)) {
        *count = (int)(number < TN_VENDOR_DEVICES_MAX ? number : TN_VENDOR_DEVICES_MAX);
    }
    return answer;
}

// The current device gets a way to all others. Where there is none, copies will say so.
static void open_peers(const struct functions *f, int device) {
    uint32_t count = 0;
    if (f->aclrtDeviceCanAccessPeer == NULL || f->aclrtDeviceEnablePeerAccess == NULL ||
        f->aclrtGetDeviceCount(&count) != ACL_SUCCESS) {
        return;
    }
    for (int32_t peer = 0; peer < (int32_t)count; peer++) {
        int32_t can = 0;
        if (peer != device && f->aclrtDeviceCanAccessPeer(&can, device, peer) == ACL_SUCCESS &&
            can != 0) {
            (void)f->aclrtDeviceEnablePeerAccess(peer, 0);
        }
    }
}

// Makes the device's default context, which stays, and remembers it.
static struct tn_native first_enter(struct functions *f, int device) {
    void *context = NULL;
    struct tn_native answer = CALL(f, aclrtSetDevice, device);
    if (tn_native_ok(answer)) {
        answer = CALL(f, aclrtGetCurrentContext, &context);
    }
    if (tn_native_ok(answer)) {
        open_peers(f, device);
        tn_store_release(&f->contexts[device], context);
    }
    return answer;
}

// A context that was good may be no more: after a fork, or when somebody has reset the device.
static struct tn_native enter(void *d, int device, struct tn_vendor_saved *saved) {
    struct functions *f = d;
    void *context = tn_load_acquire(&f->contexts[device]);
    saved->context = NULL;
    (void)f->aclrtGetCurrentContext(&saved->context); // refused when there is none
    if (context != NULL && saved->context == context) {
        return TN_NATIVE_OK;
    }
    saved->changed = true;
    struct tn_native answer = {ACL_RT_CONTEXT_NULL, "aclrtSetCurrentContext"};
    if (context != NULL) {
        answer = CALL(f, aclrtSetCurrentContext, context);
    }
    return tn_native_ok(answer) ? answer : first_enter(f, device);
}

// A thread that had no context keeps ours: there is no way to take it away.
static void leave(void *d, const struct tn_vendor_saved *saved) {
    const struct functions *f = d;
    if (saved->changed && saved->context != NULL) {
        (void)f->aclrtSetCurrentContext(saved->context);
    }
}

static struct acl_prop prop_of(const struct tn_vendor_phys_desc *wish) {
    struct acl_prop prop = {.attribute = wish->host ? ACL_DDR_MEM_HUGE : ACL_HBM_MEM_HUGE};
    prop.location.type = wish->host ? ACL_LOCATION_HOST : ACL_LOCATION_DEVICE;
    prop.location.id = wish->host ? 0 : (uint32_t)wish->device;
    return prop;
}

static uint64_t granularity(const struct functions *f, int device, int option) {
    const struct tn_vendor_phys_desc wish = {.device = device};
    struct acl_prop prop = prop_of(&wish);
    size_t bytes = 0;
    return f->aclrtMemGetAllocationGranularity != NULL &&
                   f->aclrtMemGetAllocationGranularity(&prop, option, &bytes) == ACL_SUCCESS
               ? bytes
               : 0;
}

static struct tn_native about(void *d, int device, struct tn_vendor_device_info *about) {
    const struct functions *f = d;
    const char *name = f->aclrtGetSocName != NULL ? f->aclrtGetSocName() : NULL;
    (void)strncpy(about->name, name != NULL ? name : "Ascend", sizeof about->name - 1);
    about->granularity_minimum = granularity(f, device, ACL_GRANULARITY_MINIMUM);
    about->granularity_recommended = granularity(f, device, ACL_GRANULARITY_RECOMMENDED);
    return TN_NATIVE_OK;
}

// Chips with one kind of memory tell of it as HBM, or of the other as nothing.
static struct tn_native memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    const struct functions *f = d;
    size_t left = 0;
    size_t total = 0;
    struct tn_native answer = CALL(f, aclrtGetMemInfo, ACL_HBM_MEM, &left, &total);
    if (tn_native_ok(answer) && total == 0) {
        answer = CALL(f, aclrtGetMemInfo, ACL_DDR_MEM, &left, &total);
    }
    if (tn_native_ok(answer)) {
        *free_bytes = left;
        *total_bytes = total;
    }
    return answer;
}

// ---- virtual memory

// A wish must be aligned to the size, rounded up to a power of two, from 2 MiB to 1 GiB.
static void *good_wish(tarn_addr hint, uint64_t size) {
    uint64_t unit = (uint64_t)2 << 20;
    while (unit < size && unit < (uint64_t)1 << 30) {
        unit *= 2;
    }
    return hint % unit == 0 ? pointer(hint) : NULL;
}

static struct tn_native reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                tarn_addr *addr) {
    const struct functions *f = d;
    void *got = NULL;
    (void)alignment; // the vendor takes none but its own
    struct tn_native answer =
        CALL(f, aclrtReserveMemAddress, &got, size, 0, good_wish(hint, size), ACL_RESERVE_FLAGS);
    if (tn_native_ok(answer)) {
        *addr = (tarn_addr)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native unreserve(void *d, tarn_addr addr, uint64_t size) {
    const struct functions *f = d;
    (void)size;
    return CALL(f, aclrtReleaseMemAddress, pointer(addr));
}

static struct tn_native create(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle) {
    const struct functions *f = d;
    const struct acl_prop prop = prop_of(wish);
    void *got = NULL;
    struct tn_native answer = CALL(f, aclrtMallocPhysical, &got, wish->bytes, &prop, 0);
    if (tn_native_ok(answer)) {
        *handle = (uint64_t)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native destroy(void *d, uint64_t handle) {
    const struct functions *f = d;
    return CALL(f, aclrtFreePhysical, pointer(handle));
}

static struct tn_native map(void *d, tarn_addr addr, uint64_t size, uint64_t handle) {
    const struct functions *f = d;
    return CALL(f, aclrtMapMem, pointer(addr), size, 0, pointer(handle), 0);
}

static struct tn_native unmap(void *d, tarn_addr addr, uint64_t size) {
    const struct functions *f = d;
    (void)size;
    return CALL(f, aclrtUnmapMem, pointer(addr));
}

static struct tn_native set_access(void *d, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count) {
    const struct functions *f = d;
    struct acl_access access[TN_VENDOR_DEVICES_MAX + 1];
    memset(access, 0, sizeof access);
    for (size_t i = 0; i < count; i++) {
        access[i].flags = (int)rights[i].access;
        access[i].location.type = rights[i].host ? ACL_LOCATION_HOST : ACL_LOCATION_DEVICE;
        access[i].location.id = rights[i].host ? 0 : (uint32_t)rights[i].device;
    }
    return CALL(f, aclrtMemSetAccess, pointer(addr), size, access, count);
}

static struct tn_native export_token(void *d, uint64_t handle, tarn_shareable *out) {
    const struct functions *f = d;
    return CALL(f, aclrtMemExportToShareableHandle, pointer(handle), 0, 0, &out->token);
}

static struct tn_native import_token(void *d, int device, const tarn_shareable *in,
                                     uint64_t *handle) {
    const struct functions *f = d;
    void *got = NULL;
    struct tn_native answer = CALL(f, aclrtMemImportFromShareableHandle, in->token, device, &got);
    if (tn_native_ok(answer)) {
        *handle = (uint64_t)(uintptr_t)got;
    }
    return answer;
}

// Everybody cannot be let in any more once a token is made.
static struct tn_native allow(void *d, uint64_t token, const int *pids, size_t count) {
    const struct functions *f = d;
    struct tn_native answer = {ACL_RT_FEATURE_NOT_SUPPORT, "aclrtMemSetPidToShareableHandle"};
    for (size_t i = 0; i < count; i++) {
        int32_t pid = pids[i];
        if (pid == TARN_PROCESS_ANY) {
            return answer;
        }
    }
    answer.code = ACL_SUCCESS;
    for (size_t i = 0; i < count && tn_native_ok(answer); i++) {
        int32_t pid = pids[i];
        answer = CALL(f, aclrtMemSetPidToShareableHandle, token, &pid, 1);
    }
    return answer;
}

// ---- plain and pinned memory, peers

// Without the 32 bytes behind, which are for others' kernels, where the vendor lets us.
static struct tn_native alloc(void *d, uint64_t size, tarn_addr *addr) {
    const struct functions *f = d;
    void *got = NULL;
    struct tn_native answer = f->aclrtMallocAlign32 != NULL
                                  ? CALL(f, aclrtMallocAlign32, &got, size, ACL_MALLOC_HUGE_FIRST)
                                  : CALL(f, aclrtMalloc, &got, size, ACL_MALLOC_HUGE_FIRST);
    if (tn_native_ok(answer)) {
        *addr = (tarn_addr)(uintptr_t)got;
    }
    return answer;
}

static struct tn_native free_plain(void *d, tarn_addr addr) {
    const struct functions *f = d;
    return CALL(f, aclrtFree, pointer(addr));
}

static struct tn_native host_alloc(void *d, uint64_t size, void **ptr) {
    const struct functions *f = d;
    return CALL(f, aclrtMallocHost, ptr, size);
}

static struct tn_native host_free(void *d, void *ptr) {
    const struct functions *f = d;
    return CALL(f, aclrtFreeHost, ptr);
}

// Whole pages, which is what the vendor takes.
enum { PAGE = 4096 };

static void *page_of(void *ptr) {
    return pointer((uintptr_t)ptr / PAGE * PAGE);
}

static struct tn_native host_register(void *d, void *ptr, uint64_t size) {
    const struct functions *f = d;
    void *start = page_of(ptr);
    uint64_t bytes = (size + (uint64_t)((char *)ptr - (char *)start) + PAGE - 1) / PAGE * PAGE;
    void *device = NULL;
    return f->aclrtHostRegisterV2 != NULL
               ? CALL(f, aclrtHostRegisterV2, start, bytes, ACL_HOST_REG_MAPPED_AND_PINNED)
               : CALL(f, aclrtHostRegister, start, bytes, ACL_HOST_REGISTER_MAPPED, &device);
}

static struct tn_native host_unregister(void *d, void *ptr) {
    const struct functions *f = d;
    return CALL(f, aclrtHostUnregister, page_of(ptr));
}

static struct tn_native peer_can(void *d, int device, int peer, bool *can) {
    const struct functions *f = d;
    int32_t answer = 0;
    struct tn_native native = CALL(f, aclrtDeviceCanAccessPeer, &answer, device, peer);
    if (tn_native_ok(native)) {
        *can = answer != 0;
    }
    return native;
}

// All ways are open, since copies need them: see open_peers().
static struct tn_native peer_set(void *d, int peer, bool enabled) {
    (void)d, (void)peer, (void)enabled;
    return TN_NATIVE_OK;
}

// ---- streams and events

static struct tn_native stream_create(void *d, void **stream) {
    const struct functions *f = d;
    return CALL(f, aclrtCreateStream, stream);
}

static struct tn_native stream_destroy(void *d, void *stream) {
    const struct functions *f = d;
    return CALL(f, aclrtDestroyStream, stream);
}

static struct tn_native stream_synchronize(void *d, void *stream) {
    const struct functions *f = d;
    return CALL(f, aclrtSynchronizeStream, stream);
}

static struct tn_native stream_synchronize_for(void *d, void *stream, int32_t ms) {
    const struct functions *f = d;
    return CALL(f, aclrtSynchronizeStreamWithTimeout, stream, ms);
}

static struct tn_native stream_query(void *d, void *stream) {
    const struct functions *f = d;
    int status = ACL_STREAM_COMPLETE;
    struct tn_native answer = CALL(f, aclrtStreamQuery, stream, &status);
    if (tn_native_ok(answer) && status != ACL_STREAM_COMPLETE) {
        answer.code = ACL_RT_STREAM_NOT_COMPLETE;
    }
    return answer;
}

static struct tn_native stream_wait(void *d, void *stream, void *event) {
    const struct functions *f = d;
    return CALL(f, aclrtStreamWaitEvent, stream, event);
}

static struct tn_native stream_call(void *d, void *stream, void (*fn)(void *), void *arg) {
    const struct functions *f = d;
    return CALL(f, aclrtLaunchHostFunc, stream, fn, arg);
}

static struct tn_native device_synchronize(void *d) {
    const struct functions *f = d;
    return (struct tn_native){f->aclrtSynchronizeDevice(), "aclrtSynchronizeDevice"};
}

// The newer kind can be recorded again while others still wait for the former record.
static struct tn_native event_create(void *d, void **event) {
    const struct functions *f = d;
    return f->aclrtCreateEventExWithFlag != NULL
               ? CALL(f, aclrtCreateEventExWithFlag, event, ACL_EVENT_SYNC_PROGRESS_TIME)
               : CALL(f, aclrtCreateEventWithFlag, event, ACL_EVENT_SYNC_PROGRESS_TIME);
}

static struct tn_native event_destroy(void *d, void *event) {
    const struct functions *f = d;
    return CALL(f, aclrtDestroyEvent, event);
}

static struct tn_native event_record(void *d, void *event, void *stream) {
    const struct functions *f = d;
    return CALL(f, aclrtRecordEvent, event, stream);
}

static struct tn_native event_query(void *d, void *event) {
    const struct functions *f = d;
    int status = ACL_EVENT_COMPLETE;
    struct tn_native answer = CALL(f, aclrtQueryEventStatus, event, &status);
    if (tn_native_ok(answer) && status != ACL_EVENT_COMPLETE) {
        answer.code = ACL_RT_EVENT_NOT_COMPLETE;
    }
    return answer;
}

static struct tn_native event_synchronize(void *d, void *event) {
    const struct functions *f = d;
    return CALL(f, aclrtSynchronizeEvent, event);
}

static struct tn_native event_synchronize_for(void *d, void *event, int32_t ms) {
    const struct functions *f = d;
    return CALL(f, aclrtSynchronizeEventWithTimeout, event, ms);
}

static struct tn_native event_elapsed(void *d, void *start, void *end, int64_t *ns) {
    const struct functions *f = d;
    float ms = 0;
    struct tn_native answer = CALL(f, aclrtEventElapsedTime, &ms, start, end);
    if (tn_native_ok(answer)) {
        *ns = (int64_t)((double)ms * 1e6);
    }
    return answer;
}

// ---- moving

// What the vendor does not queue, or not from such an address, it does at once.
static struct tn_native or_later(struct tn_native answer) {
    if (answer.code == ACL_RT_FEATURE_NOT_SUPPORT || answer.code == ACL_RT_ADDR_UNALIGNED) {
        answer.code = TN_NATIVE_DEFER;
    }
    return answer;
}

static struct tn_native copy(void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    const struct functions *f = d;
    return or_later(CALL(f, aclrtMemcpyAsync, pointer(dst), bytes, pointer(src), bytes,
                         ACL_COPY_DEFAULT, stream));
}

static struct tn_native copy_box(void *d, void *stream, const struct tn_vendor_box *box) {
    const struct functions *f = d;
    if (box->height > ACL_MOST_ROWS || box->width > ACL_MOST_WIDTH) {
        return (struct tn_native){TN_NATIVE_DEFER, "aclrtMemcpy2dAsync"};
    }
    return or_later(CALL(f, aclrtMemcpy2dAsync, pointer(box->dst), box->dst_pitch,
                         pointer(box->src), box->src_pitch, box->width, box->height,
                         ACL_COPY_DEFAULT, stream));
}

static struct tn_native copy_now(void *d, tarn_addr dst, tarn_addr src, uint64_t bytes) {
    const struct functions *f = d;
    return CALL(f, aclrtMemcpy, pointer(dst), bytes, pointer(src), bytes, ACL_COPY_DEFAULT);
}

// The same byte over and over, whatever the element.
static bool is_one_byte(uint32_t value, unsigned element) {
    uint32_t byte = value & 0xffu;
    return element == 1 || (element == 2 && (value & 0xffffu) == byte * 0x101u) ||
           (element == 4 && value == byte * 0x1010101u);
}

static struct tn_native fill(void *d, void *stream, tarn_addr dst, uint32_t value, unsigned element,
                             uint64_t bytes) {
    const struct functions *f = d;
    if (is_one_byte(value, element)) {
        return or_later(CALL(f, aclrtMemsetAsync, pointer(dst), bytes, (int32_t)(value & 0xffu),
                             bytes, stream));
    }
    if (f->aclrtMemsetD32Async == NULL || dst % 4 != 0 || bytes % 4 != 0) {
        return (struct tn_native){TN_NATIVE_DEFER, "aclrtMemsetD32Async"};
    }
    uint32_t word = element == 2 ? (value & 0xffffu) * 0x10001u : value;
    return or_later(CALL(f, aclrtMemsetD32Async, pointer(dst), bytes, word, bytes / 4, stream));
}

// By copies of a piece of the pattern.
static struct tn_native fill_now(void *d, tarn_addr dst, uint32_t value, unsigned element,
                                 uint64_t bytes) {
    const struct functions *f = d;
    unsigned char pattern[4096];
    struct tn_native answer = TN_NATIVE_OK;
    if (is_one_byte(value, element)) {
        return CALL(f, aclrtMemset, pointer(dst), bytes, (int32_t)(value & 0xffu), bytes);
    }
    for (size_t i = 0; i < sizeof pattern; i += element) {
        memcpy(pattern + i, &value, element);
    }
    for (uint64_t at = 0; at < bytes && tn_native_ok(answer); at += sizeof pattern) {
        uint64_t piece = bytes - at < sizeof pattern ? bytes - at : sizeof pattern;
        answer = CALL(f, aclrtMemcpy, pointer(dst + at), piece, pattern, piece, ACL_COPY_DEFAULT);
    }
    return answer;
}

// ---- loading

static bool has_vmm(const struct functions *f) {
    return f->aclrtMemGetAllocationGranularity != NULL && f->aclrtReserveMemAddress != NULL &&
           f->aclrtReleaseMemAddress != NULL && f->aclrtMallocPhysical != NULL &&
           f->aclrtFreePhysical != NULL && f->aclrtMapMem != NULL && f->aclrtUnmapMem != NULL;
}

static void fit_sharing(struct tn_vendor_driver *driver, const struct functions *f) {
    if (f->aclrtMemExportToShareableHandle == NULL ||
        f->aclrtMemImportFromShareableHandle == NULL) {
        driver->shareable = 0;
        driver->export = NULL;
        driver->import = NULL;
    }
    if (f->aclrtMemSetPidToShareableHandle == NULL) {
        driver->allow = NULL;
    }
}

// Generations are told by what is there; that a function is there and refuses is seen by trying.
static void fit_version(struct tn_vendor_driver *driver, const struct functions *f) {
    int32_t version[3] = {0, 0, 0};
    if (f->aclrtGetVersion != NULL) {
        (void)f->aclrtGetVersion(&version[0], &version[1], &version[2]);
    }
    driver->version = (uint32_t)(version[0] * 1000000 + version[1] * 1000 + version[2]);
    driver->reserve = has_vmm(f) ? driver->reserve : NULL;
    driver->set_access = f->aclrtMemSetAccess != NULL ? driver->set_access : NULL;
    driver->stream_call = f->aclrtLaunchHostFunc != NULL ? driver->stream_call : NULL;
    driver->copy_box = f->aclrtMemcpy2dAsync != NULL ? driver->copy_box : NULL;
    if (f->aclrtSynchronizeStreamWithTimeout == NULL ||
        f->aclrtSynchronizeEventWithTimeout == NULL) {
        driver->stream_synchronize_for = NULL;
        driver->event_synchronize_for = NULL;
    }
    if (f->aclrtDeviceCanAccessPeer == NULL) {
        driver->peer_can = NULL;
        driver->peer_set = NULL;
    }
    if (f->aclrtHostUnregister == NULL ||
        (f->aclrtHostRegister == NULL && f->aclrtHostRegisterV2 == NULL)) {
        driver->host_register = NULL;
        driver->host_unregister = NULL;
    }
    fit_sharing(driver, f);
}

// That somebody else has started the runtime is fine; that it does not start is told by the
// devices.
static tarn_status load(const struct tn_library *library, struct tn_vendor_driver *driver,
                        void **d) {
    struct functions *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the functions of AscendCL");
    }
    tarn_status status =
        tn_library_resolve(driver->name, library, symbols, sizeof symbols / sizeof symbols[0], f);
    if (status != TARN_OK) {
        free(f);
        return status;
    }
    (void)f->aclInit(NULL);
    fit_version(driver, f);
    *d = f;
    return TARN_OK;
}

static const char *const sonames[] = {"libascendcl.so", NULL};

static const struct tn_vendor_driver driver = {
    .name = "ascend",
    .options_variable = "TARN_ASCEND",
    .library_variable = "TARN_ASCEND_LIBRARY",
    .sonames = sonames,
    .symbol = "aclInit",
    .load = load,
    .whole_maps = true,
    .one_owner = true,
    .grants_owner = true,
    .full_rights_only = true,
    .shareable = TARN_SHAREABLE_TOKEN,
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,
    .status_of = tn_ascend_status_of,
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
    .export = export_token,
    .import = import_token,
    .allow = allow,
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
    .stream_synchronize_for = stream_synchronize_for,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .stream_call = stream_call,
    .device_synchronize = device_synchronize,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_synchronize = event_synchronize,
    .event_synchronize_for = event_synchronize_for,
    .event_elapsed = event_elapsed,
    .copy = copy,
    .copy_box = copy_box,
    .fill = fill,
    .copy_now = copy_now,
    .fill_now = fill_now,
};

static tarn_status platform_open(const char *options, void **p) {
    return tn_vendor_open(&driver, options, p);
}

const tarn_backend tn_backend_ascend = {
    TN_VENDOR_SLOTS,
    .name = "ascend",
    .summary = "cards by Huawei, through libascendcl",
    .platform_open = platform_open,
};
