// SPDX-License-Identifier: Apache-2.0
// One address of a page ends without a wait while a stream uses the page by the other address.

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_phys page = make_phys(device, PAGE, 0);
    tarn_addr one = map_name(device, page, PAGE);
    tarn_addr other = map_name(device, page, PAGE);
    must(tarn_fill(device, other, 1, 1, PAGE, stream));
    must(tarn_unmap(one, PAGE, TARN_NO_WAIT));
    must(tarn_copy(device, other, other + PAGE / 2, 4096, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    end_name(other, PAGE);
    must(tarn_space_release(one));
    must(tarn_phys_release(page));
    // The next page inherits nothing, and neither does the address.
    page = make_phys(device, PAGE, 0);
    one = map_name(device, page, PAGE);
    must(tarn_fill(device, one, 2, 1, PAGE, TARN_STREAM_NONE));
    end_name(one, PAGE);
    must(tarn_phys_release(page));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
