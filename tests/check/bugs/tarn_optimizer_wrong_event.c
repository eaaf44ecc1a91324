// SPDX-License-Identifier: Apache-2.0
// An optimizer step waits for the event of the forward pass instead of that of the backward pass.
// EXPECT: ERROR copy-race: read of 1048576 byte(s) at 0x... by tarn_copy on stream 0x... is unordered with the write by tarn_fill on stream 0x..., in a block of device memory of 1048576 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_optimizer_wrong_event.c:28
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../tarn_optimizer_wrong_event.c:25
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_optimizer_wrong_event.c:22

#include "check/support/tarn.h"

enum { BYTES = 1 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream backward = make_stream(device), step = make_stream(device);
    tarn_event forward_done = 0, backward_done = 0;
    tarn_addr gradient = 0, weights = 0;
    must(tarn_event_create(device, &forward_done));
    must(tarn_event_create(device, &backward_done));
    must(tarn_memory_alloc(device, BYTES, &gradient));
    must(tarn_memory_alloc(device, BYTES, &weights));
    must(tarn_event_record(forward_done, backward));
    must(tarn_fill(device, gradient, 1, 1, BYTES, backward));
    must(tarn_event_record(backward_done, backward));
    must(tarn_stream_wait(step, forward_done, 0));
    must(tarn_copy(device, weights, gradient, BYTES, step));
    must(tarn_stream_synchronize(step, TARN_FOREVER));
    must(tarn_stream_synchronize(backward, TARN_FOREVER));
    must(tarn_memory_free(gradient, 0));
    must(tarn_memory_free(weights, 0));
    must(tarn_event_destroy(forward_done));
    must(tarn_event_destroy(backward_done));
    must(tarn_stream_destroy(step));
    must(tarn_stream_destroy(backward));
    must(tarn_device_close(device));
    return 0;
}
