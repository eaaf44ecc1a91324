// SPDX-License-Identifier: Apache-2.0
// See executor.h.
#include "core/work/executor.h"

#include "base/error.h"

tarn_status tn_executor_get(struct tarn_device *device, tarn_stream stream,
                            struct tn_executor *executor) {
    *executor = (struct tn_executor){.device = device, .id = stream};
    if (stream == TARN_STREAM_NONE)
        return device == NULL
                   ? tn_fail(TARN_BAD_ARGUMENT, "without a stream a device is needed to copy")
                   : tn_device_usable(device);
    TN_TRY(tn_stream_get(stream, &executor->stream));
    if (device != NULL && device != executor->stream->device) {
        tn_stream_put(executor->stream);
        return tn_fail(TARN_BAD_ARGUMENT, "stream 0x%llx is of another device than the one given",
                       (unsigned long long)stream);
    }
    executor->device = executor->stream->device;
    return TARN_OK;
}

void tn_executor_put(const struct tn_executor *executor) {
    if (executor->stream != NULL) tn_stream_put(executor->stream);
}

tarn_status tn_executor_peers(const struct tn_executor *executor, tarn_device *const peers[2],
                              int ordinals[2]) {
    for (int i = 0; i < 2; i++) {
        TN_REFUSE(peers[i] != NULL && peers[i]->platform != executor->device->platform,
                  TARN_BAD_ARGUMENT, "a peer is of another platform than the device");
        ordinals[i] = peers[i] != NULL ? peers[i]->ordinal : -1;
    }
    return TARN_OK;
}

void tn_executor_count(const struct tn_executor *executor, uint64_t bytes) {
    TN_COUNT(executor->device->platform, copies, 1);
    TN_COUNT(executor->device->platform, copied_bytes, bytes);
}
