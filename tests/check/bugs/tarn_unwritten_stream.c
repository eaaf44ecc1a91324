// SPDX-License-Identifier: Apache-2.0
// A copy on a stream reads plain memory that nothing writes before the copy runs. The report comes
// when the program waits, with the place of the copy.
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since ... by tarn_copy
// EXPECT:   access by
// EXPECT: tarn_copy
// EXPECT: start_copy

#include "check/support/tarn.h"

__attribute__((noinline)) static void start_copy(void *out, tarn_addr memory, tarn_stream stream) {
    must(tarn_copy(NULL, TARN_ADDR(out), memory, 4096, stream));
}

int main(void) {
    tarn_device *device = open_device();
    static char out[4096];
    tarn_addr memory = 0;
    tarn_stream stream = make_stream(device);
    must(tarn_memory_alloc(device, sizeof out, &memory));
    start_copy(out, memory, stream);
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_memory_free(memory, 0));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
