// SPDX-License-Identifier: Apache-2.0
// The table of devices: see device.h. `making` serialises the creation of pools and streams.
#include "plugin/torch/device.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct tn_torch_device devices[TN_TORCH_DEVICES];
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(bool) inherited;

// ---- messages

// One write, so that lines of different threads do not mix.
void tn_torch_report(const char *call, const char *format, ...) {
    char text[TN_TORCH_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "tarn-torch: %s: %s\n", call, text);
}

void tn_torch_report_status(const char *call, tarn_status status) {
    tarn_error error;
    (void)tarn_last_error(&error);
    tn_torch_report(call, "%s: %s", tarn_status_name(status), error.message);
}

// ---- fork

static void lock_before_fork(void) { (void)pthread_mutex_lock(&making); }

static void unlock_in_parent(void) { (void)pthread_mutex_unlock(&making); }

// The parent's pools cannot be used in the child: Tarn refuses them. The child forgets them.
static void reset_in_child(void) {
    for (int i = 0; i < TN_TORCH_DEVICES; i++) {
        if (atomic_load_explicit(&devices[i].pool, memory_order_relaxed) != NULL) {
            atomic_store_explicit(&inherited, true, memory_order_relaxed);
            memset(&devices[i], 0, sizeof devices[i]);
        }
    }
    (void)pthread_mutex_unlock(&making);
}

// Called after a device was opened: handlers that are registered later run earlier before a fork,
// and this lock must be taken before Tarn's.
static void register_fork(void) {
    (void)pthread_atfork(lock_before_fork, unlock_in_parent, reset_in_child);
}

bool tn_torch_was_forked(void) { return atomic_load_explicit(&inherited, memory_order_relaxed); }

// ---- creating a device

static tarn_status open_device(int number, tarn_device **device) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_device *first = NULL;
    tarn_status status = tarn_device_open(tn_torch_first_device(), &first);
    if (status != TARN_OK) return status;
    status = tarn_device_query(first, &info);
    if (status == TARN_OK) status = tarn_device_sibling(first, info.ordinal + number, device);
    (void)tarn_device_close(first);
    return status;
}

// Under the lock.
static tarn_status create_device(struct tn_torch_device *device, int number, const char *call) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_device *tarn = NULL;
    tarn_pool *pool = NULL;
    tarn_plan *plan = NULL;
    const char *path = NULL;
    char why[TN_TORCH_TEXT] = "";
    tarn_status status = tn_torch_read_pool(&desc, &path, why);
    if (status != TARN_OK) {
        tn_torch_report(call, "%s: %s", tarn_status_name(status), why);
        return status;
    }
    status = open_device(number, &tarn);
    if (status == TARN_OK) status = tarn_rule_get(TARN_RULE_CACHING_512, &desc.rule);
    if (status == TARN_OK && path != NULL) status = tarn_plan_load(path, &plan);
    if (status == TARN_OK) {
        desc.device = tarn;
        desc.plan = plan;
        desc.user = (uint64_t)(uintptr_t)device;
        status = tarn_pool_create(&desc, &pool);
    }
    tarn_plan_destroy(plan);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        if (tarn != NULL)
            tn_torch_report_status(call, status);
        else // most often it is one that the user did not choose
            tn_torch_report(call,
                            "%s: %s; TARN_TORCH_DEVICE names the device (now %s), such as host:0",
                            tarn_status_name(status), error.message, tn_torch_first_device());
        (void)tarn_device_close(tarn);
        return status;
    }
    (void)pthread_once(&registered, register_fork);
    device->tarn = tarn;
    atomic_store_explicit(&device->pool, pool, memory_order_release);
    return TARN_OK;
}

struct tn_torch_device *tn_torch_known(int device) {
    if (device < 0 || device >= TN_TORCH_DEVICES) return NULL;
    bool made = atomic_load_explicit(&devices[device].pool, memory_order_acquire) != NULL;
    return made ? &devices[device] : NULL;
}

struct tn_torch_device *tn_torch_device(int device, const char *call) {
    struct tn_torch_device *known = tn_torch_known(device);
    if (__builtin_expect(known != NULL, 1)) return known;
    if (device < 0 || device >= TN_TORCH_DEVICES) {
        tn_torch_report(call, "BAD_DEVICE: device %d is not in the range 0 to %d", device,
                        TN_TORCH_DEVICES - 1);
        return NULL;
    }
    (void)pthread_mutex_lock(&making);
    known = tn_torch_known(device);
    if (known == NULL && create_device(&devices[device], device, call) == TARN_OK)
        known = &devices[device];
    (void)pthread_mutex_unlock(&making);
    return known;
}

struct tn_torch_device *tn_torch_owner(const void *ptr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(TARN_ADDR(ptr), &info);
    bool is_block = info.pool != NULL && info.block == TARN_ADDR(ptr);
    return is_block ? (struct tn_torch_device *)(uintptr_t)info.pool_user : NULL;
}

// ---- streams

// Finds the slot of a stream, or the empty slot for it. NULL: the table is full without it.
static struct tn_torch_stream *find_stream_slot(struct tn_torch_device *device, const void *native,
                                                tarn_stream *stream) {
    // Fibonacci hashing: handles are addresses or small numbers.
    unsigned at = (unsigned)((uint64_t)(uintptr_t)native * UINT64_C(0x9e3779b97f4a7c15) >> 54);
    for (unsigned i = 0; i < TN_TORCH_STREAMS; i++, at = (at + 1) % TN_TORCH_STREAMS) {
        struct tn_torch_stream *slot = &device->streams[at];
        *stream = atomic_load_explicit(&slot->stream, memory_order_acquire);
        if (*stream == 0 || slot->native == native) return slot;
    }
    return NULL;
}

// Under the lock.
static tarn_stream add_stream(struct tn_torch_device *device, void *native, const char *call) {
    tarn_stream stream = 0;
    struct tn_torch_stream *slot = find_stream_slot(device, native, &stream);
    if (slot == NULL) {
        tn_torch_report(call, "NO_HANDLES: stream %p exceeds the limit of %d streams", native,
                        TN_TORCH_STREAMS);
        return 0;
    }
    if (stream != 0) return stream; // another thread was faster
    tarn_status status = tarn_stream_wrap(device->tarn, native, &stream);
    if (status != TARN_OK) {
        tn_torch_report_status(call, status);
        return 0;
    }
    slot->native = native;
    atomic_store_explicit(&slot->stream, stream, memory_order_release);
    (void)atomic_fetch_add_explicit(&device->stream_count, 1, memory_order_relaxed);
    return stream;
}

tarn_stream tn_torch_known_stream(struct tn_torch_device *device, const void *native) {
    tarn_stream stream = 0;
    return find_stream_slot(device, native, &stream) != NULL ? stream : 0;
}

tarn_stream tn_torch_stream(struct tn_torch_device *device, void *native, const char *call) {
    tarn_stream stream = tn_torch_known_stream(device, native);
    if (__builtin_expect(stream != 0, 1)) return stream;
    if ((uintptr_t)native == 2) { // CUDA's handle of the calling thread's default stream
        tn_torch_report(call, "UNSUPPORTED: stream %p is the default stream of each thread",
                        native);
        return 0;
    }
    (void)pthread_mutex_lock(&making);
    stream = add_stream(device, native, call);
    (void)pthread_mutex_unlock(&making);
    return stream;
}

bool tn_torch_native(const struct tn_torch_device *device, tarn_stream stream, void **native) {
    for (unsigned i = 0; i < TN_TORCH_STREAMS; i++) {
        const struct tn_torch_stream *slot = &device->streams[i];
        if (atomic_load_explicit(&slot->stream, memory_order_acquire) == stream && stream != 0) {
            *native = slot->native;
            return true;
        }
    }
    return false;
}
