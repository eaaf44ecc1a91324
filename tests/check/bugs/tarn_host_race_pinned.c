// SPDX-License-Identifier: Apache-2.0
// A copy on the host reads pinned memory that a stream may still write.
// EXPECT: ERROR host-race: read of 4096 byte(s) at 0x... by tarn_copy on the host is unordered with the write by tarn_fill on stream 0x..., in a block of pinned memory of 4096 byte(s) at 0x
// EXPECT:   allocated by thread
// EXPECT: tarn_host_race_pinned.c:18

#include "check/support/tarn.h"

enum { BYTES = 4096 };

int main(void) {
    tarn_device *device = open_device();
    static char host[BYTES];
    void *pinned = NULL;
    tarn_stream stream = make_stream(device);

    must(tarn_fill(device, (tarn_addr)(uintptr_t)host, 0, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_host_alloc(device, BYTES, 0, &pinned));
    must(tarn_fill(device, (tarn_addr)(uintptr_t)pinned, 1, 1, BYTES, stream));
    must(tarn_copy(device, (tarn_addr)(uintptr_t)host, (tarn_addr)(uintptr_t)pinned, BYTES,
                   TARN_STREAM_NONE));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_host_free(pinned));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
