// SPDX-License-Identifier: Apache-2.0
// The pages of a released reservation are mapped into the next one. The old address is still used.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by tarn_fill, in a mapping of 2097152 byte(s) at 0x... that was unmapped
// EXPECT:   freed by thread
// EXPECT: tarn_unmap

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

static tarn_addr map_anew(tarn_device *device, tarn_phys phys) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    must(tarn_space_reserve(device, PAGE, 0, 0, &addr));
    must(tarn_map(addr, PAGE, phys));
    must(tarn_map_set_access(addr, PAGE, &grant, 1));
    return addr;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_phys phys = 0;
    must(tarn_phys_create(device, PAGE, NULL, &phys));
    tarn_addr old = map_anew(device, phys);
    must(tarn_unmap(old, PAGE, 0));
    must(tarn_space_release(old));
    tarn_addr now = map_anew(device, phys);
    (void)tarn_fill(device, old, 1, 1, 64, TARN_STREAM_NONE);
    must(tarn_unmap(now, PAGE, 0));
    must(tarn_space_release(now));
    must(tarn_phys_release(phys));
    must(tarn_device_close(device));
    return 0;
}
