// SPDX-License-Identifier: Apache-2.0
// A reservation of 32 GiB has two mappings of one handle, and nothing is released. The summary counts the
// memory once, and the addresses apart.
// EXPECT: ERROR resource-leak: 1 reservation of 34359738368 byte(s) in all
// EXPECT: ERROR resource-leak: 1 handle of physical memory of 2097152 byte(s) in all
// EXPECT: ERROR resource-leak: 2 mappings of 4194304 byte(s) in all
// EXPECT: SUMMARY: 3 error(s), 0 warning(s), 2097152 byte(s) leaked in 1 region(s), 0 suppressed, 34359738368 byte(s) of address space leaked

#include "check/support/tarn.h"

enum { BYTES = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_addr base = 0;
    tarn_phys phys = 0;
    must(tarn_space_reserve(device, UINT64_C(32) << 30, 0, 0, &base));
    must(tarn_phys_create(device, BYTES, NULL, &phys));
    for (int i = 0; i < 2; i++)
        must(tarn_map(base + (unsigned)i * UINT64_C(4) * BYTES, BYTES, phys));
    return 0;
}
