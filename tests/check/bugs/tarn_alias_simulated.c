// SPDX-License-Identifier: Apache-2.0
// Addresses of a simulated device are numbers. Two of them name one page, which a token imported a
// second time.
// EXPECT: ERROR copy-race: write of 4096 byte(s) at 0x... is unordered with the write by tarn_fill on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../tarn_alias_simulated.c:22

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = NULL;
    tarn_shareable token = {0};
    tarn_phys again = 0;
    must(tarn_device_open("sim:0", &device));
    tarn_stream one = make_stream(device);
    tarn_stream other = make_stream(device);
    tarn_phys page = make_phys(device, PAGE, TARN_SHAREABLE_TOKEN);
    must(tarn_phys_export(page, TARN_SHAREABLE_TOKEN, &token));
    must(tarn_phys_import(device, &token, &again));
    tarn_addr first = map_name(device, page, PAGE), second = map_name(device, again, PAGE);
    must(tarn_fill(device, first, 1, 1, 4096, one));
    must(tarn_fill(device, second, 2, 1, PAGE, other));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(other));
    end_name(first, PAGE);
    end_name(second, PAGE);
    must(tarn_phys_release(page));
    must(tarn_phys_release(again));
    must(tarn_device_close(device));
    return 0;
}
