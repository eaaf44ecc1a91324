// SPDX-License-Identifier: Apache-2.0
// Rights are given to a mapping that was removed, and to a reservation that was released.
// EXPECT: ERROR use-after-free: change of rights of ... byte(s) at 0x... by tarn_map_set_access, in a mapping of ... byte(s) at 0x... that was unmapped
// EXPECT:   access by thread
// EXPECT: tarn_rights_of_unmapped.c:26
// EXPECT:   freed by thread
// EXPECT: tarn_unmap
// EXPECT: ERROR use-after-free: change of rights of ... byte(s) at 0x... by tarn_map_set_access, in a mapping of ... byte(s) at 0x... that was unmapped
// EXPECT: tarn_rights_of_unmapped.c:28

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_device_info info = TARN_INIT(tarn_device_info);
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ};
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_device_query(device, &info));
    uint64_t bytes = info.granularity_minimum;
    must(tarn_space_reserve(device, bytes, 0, 0, &addr));
    must(tarn_phys_create(device, bytes, NULL, &phys));
    must(tarn_map(addr, bytes, phys));
    must(tarn_map_set_access(addr, bytes, &grant, 1));
    must(tarn_unmap(addr, bytes, 0));
    (void)tarn_map_set_access(addr, bytes, &grant, 1);
    must(tarn_space_release(addr));
    (void)tarn_map_set_access(addr, bytes, &grant, 1);
    must(tarn_phys_release(phys));
    must(tarn_device_close(device));
    return 0;
}
