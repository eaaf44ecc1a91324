// SPDX-License-Identifier: Apache-2.0
// The CPU reads plain memory that was freed.
// EXPECT: ERROR use-after-free: read at 0x... by the CPU, instruction 0x..., in a block of device memory of 1048576 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: tarn_cpu_after_free.c:19
// EXPECT:   allocated by thread
// EXPECT: tarn_cpu_after_free.c:17
// EXPECT:   freed by thread
// EXPECT: tarn_cpu_after_free.c:18
// EXPECT: was ended by signal 11

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, 1 << 20, &addr));
    must(tarn_memory_free(addr, 0));
    return *(volatile char *)(uintptr_t)addr;
}
