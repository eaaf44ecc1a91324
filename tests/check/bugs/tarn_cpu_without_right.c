// SPDX-License-Identifier: Apache-2.0
// The CPU writes to a mapping to which nobody has a right.
// EXPECT: ERROR permission-violation: write at 0x... by the CPU, instruction 0x..., in a mapping of ... byte(s) at 0x... that the CPU may not write
// EXPECT:   access by thread
// EXPECT: tarn_cpu_without_right.c:22
// EXPECT:   allocated by thread
// EXPECT: tarn_cpu_without_right.c:21
// EXPECT: was ended by signal 11

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_device_query(device, &info));
    uint64_t bytes = info.granularity_minimum;
    must(tarn_space_reserve(device, bytes, 0, 0, &addr));
    must(tarn_phys_create(device, bytes, NULL, &phys));
    must(tarn_map(addr, bytes, phys));
    *(volatile char *)(uintptr_t)addr = 1;
    return 0;
}
