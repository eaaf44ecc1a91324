// SPDX-License-Identifier: Apache-2.0
// A page has three addresses, two of them by an imported handle. An event orders the streams, whichever
// address they use, and bytes side by side need no order.

#include <unistd.h>

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream one = make_stream(device), other = make_stream(device);
    tarn_stream event = 0;
    tarn_shareable file = {0};
    tarn_phys again = 0;
    tarn_phys page = make_phys(device, PAGE, TARN_SHAREABLE_FD);
    must(tarn_event_create(device, &event));
    must(tarn_phys_export(page, TARN_SHAREABLE_FD, &file));
    must(tarn_phys_import(device, &file, &again));
    tarn_addr first = map_name(device, page, PAGE);
    must(tarn_fill(device, first, 0, 1, PAGE, one)); // before there is another address
    must(tarn_stream_synchronize(one, TARN_FOREVER));
    tarn_addr second = map_name(device, again, PAGE), third = map_name(device, again, PAGE);
    must(tarn_fill(device, first, 1, 1, 4096, one));
    must(tarn_fill(device, second + 4096, 2, 1, 4096, other)); // beside it
    must(tarn_event_record(event, one));
    must(tarn_stream_wait(other, event, 0));
    must(tarn_copy(device, third + 8192, second, 4096, other));
    must(tarn_stream_synchronize(other, TARN_FOREVER));
    must(tarn_fill(device, third, 3, 1, PAGE, TARN_STREAM_NONE));
    end_name(first, PAGE);
    must(tarn_copy(device, second, third + 4096, 4096, one));
    must(tarn_stream_synchronize(one, TARN_FOREVER));
    end_name(second, PAGE);
    end_name(third, PAGE);
    must(tarn_phys_release(page));
    must(tarn_phys_release(again));
    (void)close(file.fd);
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(other));
    must(tarn_device_close(device));
    return 0;
}
