// SPDX-License-Identifier: Apache-2.0
// The framework's devices as the plug-in knows them: one pool each, made at its first use and never
// destroyed, and the streams that its blocks were used on. Any thread; making something is under
// one lock, finding it takes none.
#ifndef TARN_PLUGIN_TORCH_DEVICE_H
#define TARN_PLUGIN_TORCH_DEVICE_H

#include <stdatomic.h>

#include <tarn/copy.h>
#include <tarn/pool.h>

#include "plugin/torch/config.h"

enum { TN_TORCH_DEVICES = 64, TN_TORCH_STREAMS = 1024 };

// A vendor's stream and ours over it. A place is used once `stream` is not 0.
struct tn_torch_stream {
    void *native;                // written before `stream`
    _Atomic(tarn_stream) stream; // release after `native`, acquire before it is read
};

struct tn_torch_device {
    _Atomic(tarn_pool *) pool; // release once the rest is there, acquire before it is read
    tarn_device *tarn;
    _Atomic(uint64_t) bad_frees;
    _Atomic(unsigned) stream_count;
    struct tn_torch_stream streams[TN_TORCH_STREAMS]; // open addressing; places are never given up
};

static inline tarn_pool *tn_torch_pool(const struct tn_torch_device *device) {
    return atomic_load_explicit(&device->pool, memory_order_acquire);
}

// The device, with its pool made; NULL: it cannot be had, which was told under the name of `call`.
struct tn_torch_device *tn_torch_device(int device, const char *call);

// The same without making it. NULL: a number out of range, or there is no pool yet.
struct tn_torch_device *tn_torch_known(int device);

// The device whose pool has a live block at `ptr`; NULL: none.
struct tn_torch_device *tn_torch_owner(const void *ptr);

// Our stream over the vendor's. 0: it cannot be had, which was told.
tarn_stream tn_torch_stream(struct tn_torch_device *device, void *native, const char *call);

// The vendor's stream that ours is over; false: none of this device's.
bool tn_torch_native(const struct tn_torch_device *device, tarn_stream stream, void **native);

// True in the child of a process that had pools: what is unknown here may be the parent's.
bool tn_torch_inherited(void);

// Says on standard error what went wrong in `call`, in one line.
void tn_torch_complain(const char *call, const char *format, ...) TARN_PRINTF(2, 3);

// The same with Tarn's status and its text.
void tn_torch_complain_of(const char *call, tarn_status status);

#endif
