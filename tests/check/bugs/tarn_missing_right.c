// SPDX-License-Identifier: Apache-2.0
// The device may only read a mapping. A fill writes to it.
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... by tarn_fill, in a mapping of ... byte(s) at 0x... that device 0 may not write; allowed: the CPU read and write, device 0 read
// EXPECT:   access by thread
// EXPECT: tarn_missing_right.c:25
// EXPECT:   allocated by thread
// EXPECT: tarn_missing_right.c:22

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_device_info info = TARN_INIT(tarn_device_info);
    const tarn_grant grants[] = {{{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE},
                                 {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ}};
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_device_query(device, &info));
    uint64_t bytes = info.granularity_minimum;
    must(tarn_space_reserve(device, bytes, 0, 0, &addr));
    must(tarn_phys_create(device, bytes, NULL, &phys));
    must(tarn_map(addr, bytes, phys));
    must(tarn_map_set_access(addr, bytes, grants, 2));
    /* refused */
    (void)tarn_fill(device, addr, 1, 1, 64, TARN_STREAM_NONE);
    must(tarn_unmap(addr, bytes, 0));
    must(tarn_phys_release(phys));
    must(tarn_space_release(addr));
    must(tarn_device_close(device));
    return 0;
}
