// SPDX-License-Identifier: Apache-2.0
// See context.h: returns a device to the state before its first use. The file has no state.
#include "compat/runtime/context/context.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/device/policy.h"
#include "compat/runtime/device/preference.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/stream/stream.h"

// Memory is freed before the streams end, because pools know blocks by the streams that used them.
static void free_owned(struct tn_face_device *device, unsigned owner) {
    (void)tarn_device_synchronize(device->tarn, TARN_FOREVER);
    tn_rt_memory_reset(device, owner);
    tn_rt_end_owned(TN_RT_MIPMAP, owner);
    tn_rt_end_owned(TN_RT_ARRAY, owner);
}

void tn_rt_owner_reset(unsigned owner) {
    free_owned(tn_rt_device((int)(owner % TN_RT_DEVICES)), owner);
    tn_rt_end_owned(TN_RT_EVENT, owner);
    tn_rt_end_owned(TN_RT_STREAM, owner);
}

tn_rt_error tn_rt_reset(int ordinal) {
    TN_RT_TRY(tn_rt_check_device(ordinal));
    struct tn_face_device *device = tn_rt_device(ordinal);
    unsigned owner = tn_rt_owner(ordinal, 0);
    free_owned(device, owner);
    if (tn_rt_device_policy.explicit_contexts) {
        tn_rt_end_owned(TN_RT_EVENT, owner);
        for (int i = 0; i < tn_rt_devices.count; i++)
            (void)tarn_device_disable_peer(device->tarn, tn_rt_devices.of[i].tarn);
    } else {
        tn_rt_pool_reset(device);
    }
    tn_rt_capture_end_all(device);
    (void)tarn_device_synchronize(device->tarn, TARN_FOREVER);
    tn_rt_end_owned(TN_RT_STREAM, owner);
    tn_rt_streams_reset(device);
    tn_rt_preferences_reset(ordinal);
    tn_rt_device_heal(ordinal);
    return TN_RT_OK;
}
