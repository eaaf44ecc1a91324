// SPDX-License-Identifier: Apache-2.0
// The address by which a stream filled a page is gone, and the page is not: the fill and the copy by
// the other address have no order.
// EXPECT: ERROR unmap-in-flight: 4096 byte(s) at 0x... that tarn_fill on stream 0x... may still write
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by tarn_copy on stream 0x... is unordered with the write by tarn_fill on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../tarn_alias_name_ended.c:22
// EXPECT:     ... main .../tarn_alias_name_ended.c:20

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream filler = make_stream(device);
    tarn_stream copier = make_stream(device);
    tarn_phys page = make_phys(device, PAGE, 0);
    tarn_addr one = map_name(device, page, PAGE);
    tarn_addr other = map_name(device, page, PAGE);
    must(tarn_fill(device, one, 1, 1, 4096, filler));
    must(tarn_unmap(one, PAGE, TARN_NO_WAIT));
    must(tarn_copy(device, other + 8192, other, 4096, copier));
    (void)tarn_stream_synchronize(filler, TARN_FOREVER); // its work may have failed
    must(tarn_stream_synchronize(copier, TARN_FOREVER));
    (void)tarn_stream_destroy(filler);
    must(tarn_stream_destroy(copier));
    must(tarn_space_release(one));
    end_name(other, PAGE);
    must(tarn_phys_release(page));
    must(tarn_device_close(device));
    return 0;
}
