// SPDX-License-Identifier: Apache-2.0
// Statistics of a device's pool, for programs and bindings. Any thread may call these functions.
#include <string.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"

static tarn_status fill_stats(struct tn_torch_device *device, struct tarn_torch_statistics *own) {
    tarn_pool_stats pool = {.struct_size = sizeof pool};
    tarn_status status = tarn_pool_query_stats(tn_torch_pool(device), &pool);
    if (status == TARN_OK)
        status =
            tarn_device_query_memory(device->tarn, &own->device_free_bytes, &own->device_bytes);
#define COPY_FIELD(name, text) own->name = pool.name;
    TARN_TORCH_POOL_STATS_LIST(COPY_FIELD)
    TARN_TORCH_PLAN_STATS_LIST(COPY_FIELD)
    own->streams = atomic_load_explicit(&device->stream_count, memory_order_relaxed);
    own->bad_frees = atomic_load_explicit(&device->bad_frees, memory_order_relaxed);
    return status;
}

int tarn_torch_stats(int number, struct tarn_torch_statistics *stats) {
    struct tarn_torch_statistics own;
    memset(&own, 0, sizeof own);
    if (stats == NULL || stats->size <= sizeof stats->size) return TARN_BAD_ARGUMENT;
    if (number < 0 || number >= TN_TORCH_DEVICES) return TARN_BAD_DEVICE;
    struct tn_torch_device *device = tn_torch_known(number);
    tarn_status status = device != NULL ? fill_stats(device, &own) : TARN_OK;
    if (status == TARN_OK) {
        own.size = stats->size;
        memcpy(stats, &own, own.size < sizeof own ? own.size : sizeof own);
    }
    return status;
}

const char *tarn_torch_stats_name(unsigned index) {
    static const char *const names[] = {
#define FIELD_NAME(name, text) #name,
        TARN_TORCH_STATS_LIST(FIELD_NAME)};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

int tarn_torch_reset_peaks(int number) {
    if (number < 0 || number >= TN_TORCH_DEVICES) return TARN_BAD_DEVICE;
    const struct tn_torch_device *device = tn_torch_known(number);
    return device != NULL ? tarn_pool_reset_peaks(tn_torch_pool(device), 0) : TARN_OK;
}
