// SPDX-License-Identifier: Apache-2.0
// The framework's devices. Each has one pool, which is created at its first use and never
// destroyed, and the streams on which its blocks were used. Any thread may call these functions:
// creation takes a lock, look-ups take none.
#pragma once

#include <stdatomic.h>

#include <tarn/address.h>
#include <tarn/copy.h>

#include "plugin/torch/config.h"

enum { TN_TORCH_DEVICES = 64, TN_TORCH_STREAMS = 1024 };

// A vendor's stream and Tarn's wrapper of it. The slot is empty while `stream` is 0.
struct tn_torch_stream {
    void *native;                // written before `stream`
    _Atomic(tarn_stream) stream; // released after `native`, acquired before that is read
};

struct tn_torch_device {
    _Atomic(tarn_pool *)
        pool; // released after the other members are set, acquired before they are read
    tarn_device *tarn;
    _Atomic(uint64_t) bad_frees;
    _Atomic(unsigned) stream_count;
    _Atomic(bool) unrecorded; // a block is used on a stream that the pool does not know, so every
                              // free waits for the device; never cleared
    struct tn_torch_stream streams[TN_TORCH_STREAMS]; // open addressing; slots are never emptied
};

static inline tarn_pool *tn_torch_pool(const struct tn_torch_device *device) {
    return atomic_load_explicit(&device->pool, memory_order_acquire);
}

// Finds the device and creates its pool if necessary. Returns NULL after a message under the name
// of `call` if it fails.
struct tn_torch_device *tn_torch_device(int device, const char *call);

// Finds the device. Returns NULL if the number is out of range or the device has no pool yet.
struct tn_torch_device *tn_torch_known(int device);

// Finds the device whose pool has a live block that starts at `ptr`. NULL: there is none.
struct tn_torch_device *tn_torch_owner(const void *ptr);

// Finds Tarn's stream for the vendor's. Returns 0 if none was created.
tarn_stream tn_torch_known_stream(struct tn_torch_device *device, const void *native);

// Finds or creates Tarn's stream for the vendor's. Returns 0 after a message if it fails.
tarn_stream tn_torch_stream(struct tn_torch_device *device, void *native, const char *call);

// Finds the vendor's stream for Tarn's. Returns false if it is not of this device.
bool tn_torch_native(const struct tn_torch_device *device, tarn_stream stream, void **native);

// Returns true in the child of a process that had pools: unknown blocks may be the parent's.
bool tn_torch_was_forked(void);

// Writes one line about a failure of `call` to standard error.
void tn_torch_report(const char *call, const char *format, ...) TARN_PRINTF(2, 3);

// The same with the status and the text of Tarn's last error.
void tn_torch_report_status(const char *call, tarn_status status);
