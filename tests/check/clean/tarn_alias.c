// SPDX-License-Identifier: Apache-2.0
// A page of a KV cache is mapped into two sequences, after the stream that fills it was waited for.

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
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_map(first + PAGE, PAGE, page));
    must(tarn_map_set_access(first + PAGE, PAGE, &grant, 1));
    must(tarn_copy(device, first, first + PAGE + 4096, 4096, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_unmap(first, PAGE, 0));
    must(tarn_fill(device, first + PAGE, 2, 1, PAGE, TARN_STREAM_NONE));
    must(tarn_unmap(first + PAGE, PAGE, 0));
    must(tarn_phys_release(page));
    must(tarn_space_release(first));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
