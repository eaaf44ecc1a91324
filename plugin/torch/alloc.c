// SPDX-License-Identifier: Apache-2.0
// Allocation and free, under the names that frameworks call. Any thread may call these functions.
#include <inttypes.h>
#include <stdio.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"

// ---- allocation

static _Atomic(tarn_torch_refusal) refusal;

void tarn_torch_on_refusal(tarn_torch_refusal function) {
    atomic_store_explicit(&refusal, function, memory_order_release);
}

// Describes the state of the pool, for the log of a job that ended because of the refusal.
static void explain_refusal(struct tn_torch_device *device, tarn_status status, uint64_t bytes,
                            int number, char text[TN_TORCH_TEXT]) {
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    tarn_error error;
    (void)tarn_last_error(&error);
    int length = snprintf(text, TN_TORCH_TEXT, "%s: %" PRIu64 " bytes on device %d: %s",
                          tarn_status_name(status), bytes, number, error.message);
    if (length < TN_TORCH_TEXT && tarn_pool_explain(tn_torch_pool(device), &report) == TARN_OK)
        (void)snprintf(text + length, TN_TORCH_TEXT - (size_t)length,
                       "; %" PRIu64 " are live, %" PRIu64
                       " wait for streams; the device has %" PRIu64 " left",
                       report.live_bytes, report.waiting_bytes, report.device_free);
}

static void *alloc_block(uint64_t bytes, int number, void *native, const char *call) {
    struct tn_torch_device *device = tn_torch_device(number, call);
    tarn_stream stream = device != NULL ? tn_torch_stream(device, native, call) : 0;
    tarn_addr addr = 0;
    if (stream == 0) return NULL;
    tarn_status status = tarn_pool_alloc(tn_torch_pool(device), bytes, stream, &addr);
    if (__builtin_expect(status != TARN_OK, 0)) {
        char text[TN_TORCH_TEXT];
        explain_refusal(device, status, bytes, number, text);
        tn_torch_report(call, "%s", text);
        return NULL;
    }
    return (void *)(uintptr_t)addr;
}

// The callback may not return, so this is the last action of an allocation.
static void *call_refusal(ssize_t size, int device) {
    tarn_torch_refusal function = atomic_load_explicit(&refusal, memory_order_acquire);
    if (function != NULL) {
        char text[TN_TORCH_TEXT];
        (void)snprintf(
            text, sizeof text,
            "libtarn-torch cannot allocate %zd bytes on device %d; standard error has the reason",
            size, device);
        function("tarn_torch_malloc", "libtarn-torch", 0, text);
    }
    return NULL;
}

// ---- free

// Reports a free of an address that is not a live block. In a child of fork() the block may be its
// parent's, which the free ignores.
static void report_unknown(struct tn_torch_device *device, const void *ptr, int number,
                           const char *call) {
    if (tn_torch_was_forked()) return;
    if (device == NULL) {
        tn_torch_report(call, "BAD_ADDRESS: %p, but device %d has no pool yet", ptr, number);
        return;
    }
    const struct tn_torch_device *owner = tn_torch_owner(ptr);
    (void)atomic_fetch_add_explicit(&device->bad_frees, 1, memory_order_relaxed);
    if (owner != NULL)
        tn_torch_report(call, "BAD_DEVICE: %p is a block of another device, not of device %d", ptr,
                        number);
    else
        tn_torch_report(call, "BAD_ADDRESS: %p is not a live block of device %d", ptr, number);
}

// Frees a block on the stream. If the pool cannot record a stream that uses the block, this thread
// waits for the device instead; a block that cannot be waited for stays live.
static tarn_status free_ordered(struct tn_torch_device *device, const void *ptr, void *native,
                                const char *call) {
    tarn_pool *pool = tn_torch_pool(device);
    tarn_stream stream = tn_torch_known_stream(device, native);
    tarn_status status = TARN_NO_HANDLES;
    if (stream == 0) { // a wrong pointer does not make its stream known
        tarn_block block;
        tarn_status found = tarn_pool_query_block(pool, TARN_ADDR(ptr), &block);
        if (found != TARN_OK || block.addr != TARN_ADDR(ptr))
            return found != TARN_OK ? found : TARN_BAD_ADDRESS;
        stream = tn_torch_stream(device, native, call);
    }
    if (stream != 0 && !atomic_load_explicit(&device->unrecorded, memory_order_relaxed)) {
        bool only = atomic_load_explicit(&device->stream_count, memory_order_relaxed) < 2;
        status = only ? tarn_pool_free(pool, TARN_ADDR(ptr))
                      : tarn_pool_free_on(pool, TARN_ADDR(ptr), stream);
    }
    if (status == TARN_NO_HANDLES || status == TARN_NO_HOST_MEMORY) {
        status = tarn_device_synchronize(device->tarn, TARN_FOREVER);
        status = status == TARN_OK ? tarn_pool_free(pool, TARN_ADDR(ptr)) : status;
    }
    return status;
}

static void free_block(void *ptr, int number, void *native, const char *call) {
    struct tn_torch_device *device = tn_torch_known(number);
    if (ptr == NULL) return;
    if (device == NULL) {
        report_unknown(NULL, ptr, number, call);
        return;
    }
    tarn_status status = free_ordered(device, ptr, native, call);
    if (status == TARN_BAD_ADDRESS)
        report_unknown(device, ptr, number, call);
    else if (status != TARN_OK)
        tn_torch_report_status(call, status);
}

// ---- PyTorch, and RMM through Python

void *tarn_torch_malloc(ssize_t size, int device, void *stream) {
    if (size < 0) tn_torch_report(__func__, "BAD_ARGUMENT: %zd bytes on device %d", size, device);
    void *block = size > 0 ? alloc_block((uint64_t)size, device, stream, __func__) : NULL;
    return block == NULL && size != 0 ? call_refusal(size, device) : block;
}

void tarn_torch_free(void *ptr, ssize_t size, int device, void *stream) {
    (void)size;
    free_block(ptr, device, stream, __func__);
}

void tarn_torch_record_stream(void *ptr, void *stream) {
    if (ptr == NULL) return;
    struct tn_torch_device *device = tn_torch_owner(ptr);
    if (device == NULL) {
        if (!tn_torch_was_forked())
            tn_torch_report(__func__, "BAD_ADDRESS: %p is not a live block", ptr);
        return;
    }
    tarn_stream used = tn_torch_stream(device, stream, __func__);
    tarn_status status =
        used != 0 ? tarn_pool_used_on(tn_torch_pool(device), TARN_ADDR(ptr), used) : TARN_OK;
    if (status != TARN_OK) tn_torch_report_status(__func__, status);
    if (used == 0 || status == TARN_NO_HANDLES || status == TARN_NO_HOST_MEMORY)
        atomic_store_explicit(&device->unrecorded, true, memory_order_relaxed);
}

// ---- CuPy

void *tarn_cupy_malloc(void *stream, size_t size, int device) {
    if (size > (size_t)INT64_MAX) {
        tn_torch_report(__func__, "BAD_ARGUMENT: %zu bytes on device %d", size, device);
        return NULL;
    }
    return size > 0 ? alloc_block(size, device, stream, __func__) : NULL;
}

void tarn_cupy_free(void *stream, void *ptr, int device) {
    free_block(ptr, device, stream, __func__);
}
