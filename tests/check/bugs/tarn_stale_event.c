// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that was destroyed.
// EXPECT: ERROR bad-handle: a call with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_stale_event.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_stale_event.c:17
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_stale_event.c:19

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    must(tarn_event_record(event, stream));
    must(tarn_event_destroy(event));
    (void)tarn_stream_wait(stream, event, 0);
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
