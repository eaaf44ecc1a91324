// SPDX-License-Identifier: Apache-2.0
// A handle of physical memory is released, and then queried, exported, retained and mapped.
// EXPECT: ERROR bad-handle: tarn_phys_query with 0x..., which was released
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_phys_released.c:
// EXPECT:   allocated by thread
// EXPECT:   freed by thread
// EXPECT: ERROR bad-handle: tarn_phys_export with 0x..., which was released
// EXPECT: ERROR bad-handle: tarn_phys_retain with 0x..., which was released
// EXPECT: ERROR bad-handle: tarn_map with 0x..., which was released

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_shareable out;
    tarn_addr base = 0;
    tarn_phys page = 0;
    must(tarn_space_reserve(device, PAGE, 0, 0, &base));
    must(tarn_phys_create(device, PAGE, NULL, &page));
    must(tarn_phys_release(page));
    (void)tarn_phys_query(page, &info);
    (void)tarn_phys_export(page, TARN_SHAREABLE_FD, &out);
    (void)tarn_phys_retain(page);
    (void)tarn_map(base, PAGE, page);
    must(tarn_space_release(base));
    must(tarn_device_close(device));
    return 0;
}
