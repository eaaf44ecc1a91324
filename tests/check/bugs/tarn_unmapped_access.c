// SPDX-License-Identifier: Apache-2.0
// A fill writes to a mapping that was removed, and another one where nothing was ever mapped.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by tarn_fill, in a mapping of ... byte(s) at 0x... that was unmapped
// EXPECT:   allocated by thread
// EXPECT: tarn_map
// EXPECT:   freed by thread
// EXPECT: tarn_unmap
// EXPECT: ERROR unallocated-access: write of 64 byte(s) at 0x... by tarn_fill, in a reservation of ... byte(s) at 0x..., where nothing is mapped

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_device_query(device, &info));
    uint64_t bytes = info.granularity_minimum;
    must(tarn_space_reserve(device, 2 * bytes, 0, 0, &addr));
    must(tarn_phys_create(device, bytes, NULL, &phys));
    must(tarn_map(addr, bytes, phys));
    must(tarn_unmap(addr, bytes, 0));
    (void)tarn_fill(device, addr, 1, 1, 64, TARN_STREAM_NONE);
    (void)tarn_fill(device, addr + bytes, 1, 1, 64, TARN_STREAM_NONE);
    must(tarn_phys_release(phys));
    must(tarn_space_release(addr));
    must(tarn_device_close(device));
    return 0;
}
