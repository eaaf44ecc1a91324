// SPDX-License-Identifier: Apache-2.0
// A ring buffer has one page at two addresses. Two streams write the byte in front of the seam, by one
// address each.
// EXPECT: ERROR copy-race: write of 1 byte(s) at 0x... by tarn_fill on stream 0x... is unordered with the write by tarn_fill on stream 0x... of the same memory at 0x..., in a mapping of 2097152 byte(s)
// EXPECT:     ... main .../tarn_alias_race.c:20
// EXPECT:     ... main .../tarn_alias_race.c:19

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream producer = make_stream(device);
    tarn_stream consumer = make_stream(device);
    tarn_phys page = make_phys(device, PAGE, 0);
    tarn_addr one = map_name(device, page, PAGE);
    tarn_addr other = map_name(device, page, PAGE);
    must(tarn_fill(device, one, 1, 1, 4096, producer));
    must(tarn_fill(device, other + 4095, 2, 1, 4096, consumer));
    must(tarn_stream_destroy(producer));
    must(tarn_stream_destroy(consumer));
    end_name(one, PAGE);
    end_name(other, PAGE);
    must(tarn_phys_release(page));
    must(tarn_device_close(device));
    return 0;
}
