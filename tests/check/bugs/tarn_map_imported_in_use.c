// SPDX-License-Identifier: Apache-2.0
// A page gets its second address by an imported handle, while a stream still fills it.
// EXPECT: WARN map-while-in-use: 2097152 byte(s) at 0x..., mapped at 0x... as well, where tarn_fill on stream 0x... may still run
// EXPECT:   mapped by thread
// EXPECT:     ... main .../tarn_map_imported_in_use.c:27
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_map_imported_in_use.c:26

#include <unistd.h>

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_shareable file = {0};
    tarn_addr other = 0;
    tarn_phys again = 0;
    tarn_phys page = make_phys(device, PAGE, TARN_SHAREABLE_FD);
    tarn_addr one = map_name(device, page, PAGE);
    must(tarn_phys_export(page, TARN_SHAREABLE_FD, &file));
    must(tarn_phys_import(device, &file, &again));
    must(tarn_space_reserve(device, PAGE, 0, 0, &other));
    must(tarn_fill(device, one + 4096, 1, 1, 4096, stream));
    must(tarn_map(other, PAGE, again));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    end_name(one, PAGE);
    end_name(other, PAGE);
    must(tarn_phys_release(page));
    must(tarn_phys_release(again));
    (void)close(file.fd);
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
