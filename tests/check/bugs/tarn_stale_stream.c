// SPDX-License-Identifier: Apache-2.0
// A stream is used after it was destroyed.
// EXPECT: ERROR bad-handle: a call with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT: tarn_stream_synchronize
// EXPECT: tarn_stale_stream.c:18
// EXPECT:   allocated by thread
// EXPECT: tarn_stream_create
// EXPECT:   freed by thread
// EXPECT: tarn_stream_destroy

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    must(tarn_stream_destroy(stream));
    (void)tarn_stream_synchronize(stream, TARN_FOREVER);
    must(tarn_device_close(device));
    return 0;
}
