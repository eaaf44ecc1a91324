// SPDX-License-Identifier: Apache-2.0
// A program maps memory of its own at the addresses of a released reservation, and keeps it while many
// more reservations come and go.

#include <sys/mman.h>

#include "check/support/tarn.h"

enum { PAGE = 2 << 20, ROUNDS = 200 };

int main(void) {
    tarn_device *device = open_device();
    tarn_addr addr = 0;
    char byte = 0;
    must(tarn_space_reserve(device, PAGE, 0, 0, &addr));
    must(tarn_space_release(addr));
    char *own = mmap((void *)(uintptr_t)addr, PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (own == MAP_FAILED) return 1;
    memset(own, 7, PAGE);
    for (int i = 0; i < ROUNDS; i++) {
        tarn_addr other = 0;
        must(tarn_space_reserve(device, PAGE, 0, 0, &other));
        if (other == addr) return 1;
        must(tarn_space_release(other));
    }
    must(tarn_copy(device, TARN_ADDR(&byte), addr + PAGE - 1, 1, TARN_STREAM_NONE));
    must(tarn_device_close(device));
    return byte == 7 && munmap(own, PAGE) == 0 ? 0 : 1;
}
