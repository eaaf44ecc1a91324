// SPDX-License-Identifier: Apache-2.0
// A handle of physical memory is released twice, and a reservation as well.
// EXPECT: ERROR double-free: tarn_phys_release of 0x... again, a handle of physical memory of 2097152 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_release_twice.c:29
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_release_twice.c:27
// EXPECT:   first freed by thread
// EXPECT:     ... main .../tarn_release_twice.c:28
// EXPECT: ERROR double-free: tarn_space_release of 0x... again, a reservation of 2097152 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_release_twice.c:31
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_release_twice.c:26
// EXPECT:   first freed by thread
// EXPECT:     ... main .../tarn_release_twice.c:30

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_addr base = 0;
    tarn_phys page = 0;
    must(tarn_space_reserve(device, PAGE, 0, 0, &base));
    must(tarn_phys_create(device, PAGE, NULL, &page));
    must(tarn_phys_release(page));
    (void)tarn_phys_release(page);
    must(tarn_space_release(base));
    (void)tarn_space_release(base);
    must(tarn_device_close(device));
    return 0;
}
