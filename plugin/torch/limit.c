// SPDX-License-Identifier: Apache-2.0
// Limits of pools, and release of unused memory. Any thread may call these functions.
#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"

void tarn_torch_memory_fraction(double fraction, int number) {
    if (!(fraction >= 0 && fraction <= 1)) {
        tn_torch_report(__func__,
                        "BAD_ARGUMENT: fraction %g of device %d is not in the range 0 to 1",
                        fraction, number);
        return;
    }
    struct tn_torch_device *device = tn_torch_device(number, __func__);
    uint64_t total = 0;
    if (device == NULL) return;
    tarn_status status = tarn_device_query_memory(device->tarn, NULL, &total);
    if (status == TARN_OK) {
        uint64_t limit = (uint64_t)((double)total * fraction);
        status = tarn_pool_set_limit(tn_torch_pool(device),
                                     limit != 0 ? limit : 1); // 0 means no limit
    }
    if (status != TARN_OK) tn_torch_report_status(__func__, status);
}

static int trim_devices(uint64_t keep, uint64_t *released) {
    tarn_status result = TARN_OK;
    uint64_t sum = 0;
    for (int i = 0; i < TN_TORCH_DEVICES; i++) {
        const struct tn_torch_device *device = tn_torch_known(i);
        uint64_t bytes = 0;
        tarn_status status =
            device != NULL ? tarn_pool_trim(tn_torch_pool(device), keep, 0, &bytes) : TARN_OK;
        result = result == TARN_OK ? status : result;
        sum += bytes;
    }
    if (released != NULL && result == TARN_OK) *released = sum;
    return result;
}

int tarn_torch_trim(int number, uint64_t keep, uint64_t *released) {
    if (number == -1) return trim_devices(keep, released);
    const struct tn_torch_device *device = tn_torch_known(number);
    if (device != NULL) return tarn_pool_trim(tn_torch_pool(device), keep, 0, released);
    if (number < 0 || number >= TN_TORCH_DEVICES) return TARN_BAD_DEVICE;
    if (released != NULL) *released = 0;
    return TARN_OK;
}

int tarn_torch_mark(int number) {
    if (number < -1 || number >= TN_TORCH_DEVICES) return TARN_BAD_DEVICE;
    tarn_status result = TARN_OK;
    for (int i = 0; i < TN_TORCH_DEVICES; i++) {
        const struct tn_torch_device *device =
            number == -1 || number == i ? tn_torch_known(i) : NULL;
        tarn_status status = device != NULL ? tarn_pool_mark(tn_torch_pool(device)) : TARN_OK;
        result = result == TARN_OK ? status : result;
    }
    return result;
}

void tarn_torch_reset(void) {
    int status = trim_devices(0, NULL);
    if (status != TARN_OK) tn_torch_report_status(__func__, (tarn_status)status);
}
