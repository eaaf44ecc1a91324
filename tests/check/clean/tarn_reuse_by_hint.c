// SPDX-License-Identifier: Apache-2.0
// A program asks for the addresses that it has just released, gets them, and uses them again.

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_device *device = open_device();
    tarn_phys phys = 0;
    tarn_addr first = 0;
    char byte = 0;
    must(tarn_phys_create(device, PAGE, NULL, &phys));
    for (int i = 0; i < 4; i++) {
        tarn_addr addr = 0;
        must(tarn_space_reserve(device, 4 * PAGE, 0, first, &addr));
        if (first != 0 && addr != first) return 1;
        first = addr;
        must(tarn_map(addr + PAGE, PAGE, phys));
        must(tarn_map_set_access(addr + PAGE, PAGE, &grant, 1));
        must(tarn_fill(device, addr + PAGE, (uint32_t)i, 1, PAGE, TARN_STREAM_NONE));
        must(tarn_copy(device, TARN_ADDR(&byte), addr + PAGE, 1, TARN_STREAM_NONE));
        if (byte != i) return 1;
        must(tarn_unmap(addr + PAGE, PAGE, 0));
        must(tarn_space_release(addr));
    }
    must(tarn_phys_release(phys));
    must(tarn_device_close(device));
    return 0;
}
