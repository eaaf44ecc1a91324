// SPDX-License-Identifier: Apache-2.0
// A page of a KV cache is mapped into a second sequence while a stream still fills it.
// EXPECT: WARN map-while-in-use: 2097152 byte(s) at 0x..., mapped at 0x... as well, where tarn_fill on stream 0x... may still run
// EXPECT:   mapped by thread
// EXPECT:     ... main .../tarn_map_while_in_use.c:24
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_map_while_in_use.c:23

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr first = 0;
    tarn_phys page = 0;
    must(tarn_space_reserve(device, 2 * PAGE, 0, 0, &first));
    must(tarn_phys_create(device, PAGE, NULL, &page));
    must(tarn_map(first, PAGE, page));
    must(tarn_map_set_access(first, PAGE, &grant, 1));
    must(tarn_fill(device, first, 1, 1, PAGE, stream));
    must(tarn_map(first + PAGE, PAGE, page));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_unmap(first, 2 * PAGE, 0));
    must(tarn_phys_release(page));
    must(tarn_space_release(first));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
