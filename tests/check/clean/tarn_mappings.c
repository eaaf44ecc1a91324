// SPDX-License-Identifier: Apache-2.0
// A reservation is mapped, used, unmapped and released.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_space_reserve(device, 4 << 20, 0, 0, &addr));
    must(tarn_phys_create(device, 2 << 20, NULL, &phys));
    must(tarn_map(addr, 2 << 20, phys));
    must(tarn_map_set_access(addr, 2 << 20, &grant, 1));
    must(tarn_fill(device, addr, 1, 1, 2 << 20, TARN_STREAM_NONE));
    must(tarn_unmap(addr, 2 << 20, 0));
    must(tarn_phys_release(phys));
    must(tarn_space_release(addr));
    must(tarn_device_close(device));
    return 0;
}
