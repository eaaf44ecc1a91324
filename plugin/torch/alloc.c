// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing, by the names that frameworks call.
#include <stdio.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"

// ---- allocation

static _Atomic(tarn_torch_refusal) refusal;

void tarn_torch_on_refusal(tarn_torch_refusal function) {
    atomic_store_explicit(&refusal, function, memory_order_release);
}

// What there was, for whoever reads the log of a job that died of it.
static void explain(struct tn_torch_device *device, tarn_status status, uint64_t bytes, int number,
                    char text[TN_TORCH_TEXT]) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    uint64_t left = 0;
    tarn_error error;
    (void)tarn_pool_query_stats(tn_torch_pool(device), &stats);
    (void)tarn_device_query_memory(device->tarn, &left, NULL);
    (void)tarn_last_error(&error);
    (void)snprintf(text, TN_TORCH_TEXT,
                   "%s: %llu bytes on device %d: %s; the pool holds %llu bytes, %llu of them live, "
                   "%llu waiting for streams; the device has %llu left",
                   tarn_status_name(status), (unsigned long long)bytes, number, error.message,
                   (unsigned long long)stats.held_bytes, (unsigned long long)stats.live_bytes,
                   (unsigned long long)stats.pending_bytes, (unsigned long long)left);
}

static void *allocate(uint64_t bytes, int number, void *native, const char *call) {
    struct tn_torch_device *device = tn_torch_device(number, call);
    tarn_stream stream = device != NULL ? tn_torch_stream(device, native, call) : 0;
    tarn_addr addr = 0;
    if (stream == 0) {
        return NULL;
    }
    tarn_status status = tarn_pool_alloc(tn_torch_pool(device), bytes, stream, &addr);
    if (__builtin_expect(status != TARN_OK, 0)) {
        char text[TN_TORCH_TEXT];
        explain(device, status, bytes, number, text);
        tn_torch_complain(call, "%s", text);
        return NULL;
    }
    return (void *)(uintptr_t)addr;
}

// The refusal's function may not return: this is the last thing done.
static void *refuse(ssize_t size, int device) {
    tarn_torch_refusal function = atomic_load_explicit(&refusal, memory_order_acquire);
    if (function != NULL) {
        char text[TN_TORCH_TEXT];
        (void)snprintf(text, sizeof text,
                       "libtarn-torch has no %zd bytes on device %d; standard error says why", size,
                       device);
        function("tarn_torch_malloc", "libtarn-torch", 0, text);
    }
    return NULL;
}

// ---- freeing

// Nothing here has such a block. A child frees what its parent had: that is not to be done here.
static void unknown_block(struct tn_torch_device *device, const void *ptr, int number,
                          const char *call) {
    if (tn_torch_inherited()) {
        return;
    }
    if (device == NULL) {
        tn_torch_complain(call, "BAD_ADDRESS: %p, and device %d never allocated", ptr, number);
        return;
    }
    const struct tn_torch_device *owner = tn_torch_owner(ptr);
    (void)atomic_fetch_add_explicit(&device->bad_frees, 1, memory_order_relaxed);
    if (owner != NULL) {
        tn_torch_complain(call, "BAD_DEVICE: %p is a block of another device than %d", ptr, number);
    } else {
        tn_torch_complain(call, "BAD_ADDRESS: %p is no live block of device %d", ptr, number);
    }
}

static tarn_status use_on(struct tn_torch_device *device, const void *ptr, void *native,
                          const char *call) {
    tarn_stream stream = tn_torch_stream(device, native, call);
    return stream != 0 ? tarn_pool_used_on(tn_torch_pool(device), TARN_ADDR(ptr), stream) : TARN_OK;
}

// Freed on another stream than its own, a block must not come back before that one's work is done.
static void wait_for_other(struct tn_torch_device *device, const void *ptr, void *native,
                           const char *call) {
    tarn_block block;
    if (atomic_load_explicit(&device->stream_count, memory_order_relaxed) < 2 ||
        tarn_pool_query_block(tn_torch_pool(device), TARN_ADDR(ptr), &block) != TARN_OK ||
        block.addr != TARN_ADDR(ptr)) {
        return;
    }
    tarn_stream stream = tn_torch_stream(device, native, call);
    if (stream != 0 && stream != block.stream) {
        (void)tarn_pool_used_on(tn_torch_pool(device), TARN_ADDR(ptr), stream);
    }
}

static void give_back(void *ptr, int number, void *native, const char *call) {
    struct tn_torch_device *device = tn_torch_known(number);
    if (ptr == NULL) {
        return;
    }
    if (device == NULL) {
        unknown_block(NULL, ptr, number, call);
        return;
    }
    wait_for_other(device, ptr, native, call);
    tarn_status status = tarn_pool_free(tn_torch_pool(device), TARN_ADDR(ptr));
    if (status == TARN_BAD_ADDRESS) {
        unknown_block(device, ptr, number, call);
    } else if (status != TARN_OK) {
        tn_torch_complain_of(call, status);
    }
}

// ---- PyTorch, and RMM by way of Python

void *tarn_torch_malloc(ssize_t size, int device, void *stream) {
    if (size < 0) {
        tn_torch_complain(__func__, "BAD_ARGUMENT: %zd bytes on device %d", size, device);
    }
    void *block = size > 0 ? allocate((uint64_t)size, device, stream, __func__) : NULL;
    return block == NULL && size != 0 ? refuse(size, device) : block;
}

void tarn_torch_free(void *ptr, ssize_t size, int device, void *stream) {
    (void)size;
    give_back(ptr, device, stream, __func__);
}

void tarn_torch_record_stream(void *ptr, void *stream) {
    if (ptr == NULL) {
        return;
    }
    struct tn_torch_device *device = tn_torch_owner(ptr);
    if (device == NULL) {
        if (!tn_torch_inherited()) {
            tn_torch_complain(__func__, "BAD_ADDRESS: %p is no live block", ptr);
        }
        return;
    }
    tarn_status status = use_on(device, ptr, stream, __func__);
    if (status != TARN_OK) {
        tn_torch_complain_of(__func__, status);
    }
}

// ---- CuPy

void *tarn_cupy_malloc(void *stream, size_t size, int device) {
    if (size > (size_t)INT64_MAX) {
        tn_torch_complain(__func__, "BAD_ARGUMENT: %zu bytes on device %d", size, device);
        return NULL;
    }
    return size > 0 ? allocate(size, device, stream, __func__) : NULL;
}

void tarn_cupy_free(void *stream, void *ptr, int device) {
    give_back(ptr, device, stream, __func__);
}
