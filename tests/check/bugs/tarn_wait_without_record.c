// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that was never recorded.
// EXPECT: NOTE wait-without-record: stream 0x... waits for event 0x..., which was never recorded

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_stream stream = make_stream(device);
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    must(tarn_stream_wait(stream, event, 0));
    must(tarn_stream_destroy(stream));
    must(tarn_event_destroy(event));
    must(tarn_device_close(device));
    return 0;
}
