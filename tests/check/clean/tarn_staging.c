// SPDX-License-Identifier: Apache-2.0
// Pinned memory is refilled by the host after the event behind the upload, and read after the
// download.

#include "check/support/tarn.h"

enum { BYTES = 65536 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_event uploaded = 0;
    tarn_addr memory = 0;
    static char batch[BYTES];
    void *pinned = NULL;
    must(tarn_event_create(device, &uploaded));
    must(tarn_host_alloc(device, BYTES, 0, &pinned));
    must(tarn_memory_alloc(device, BYTES, &memory));
    for (int i = 0; i < 3; i++) {
        must(tarn_copy(device, TARN_ADDR(pinned), TARN_ADDR(batch), BYTES, TARN_STREAM_NONE));
        must(tarn_copy(device, memory, TARN_ADDR(pinned), BYTES, stream));
        must(tarn_event_record(uploaded, stream));
        must(tarn_event_synchronize(uploaded, TARN_FOREVER));
    }
    must(tarn_copy(device, TARN_ADDR(pinned), memory, BYTES, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_copy(device, TARN_ADDR(batch), TARN_ADDR(pinned), BYTES, TARN_STREAM_NONE));
    must(tarn_memory_free(memory, 0));
    must(tarn_host_free(pinned));
    must(tarn_event_destroy(uploaded));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
