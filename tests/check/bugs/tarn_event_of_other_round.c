// SPDX-License-Identifier: Apache-2.0
// A pipeline waits for the event of the round before, since it records the event too late.
// EXPECT: ERROR copy-race: read of 65536 byte(s) at 0x... by tarn_copy on stream 0x... is unordered with the write by tarn_fill on stream 0x..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../tarn_event_of_other_round.c:27
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../tarn_event_of_other_round.c:25
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_event_of_other_round.c:21

#include "check/support/tarn.h"

enum { BYTES = 65536 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream load = make_stream(device), compute = make_stream(device);
    tarn_event loaded = 0;
    tarn_addr from = 0, to = 0;
    must(tarn_event_create(device, &loaded));
    must(tarn_memory_alloc(device, BYTES, &from));
    must(tarn_memory_alloc(device, BYTES, &to));
    must(tarn_event_record(loaded, load));
    for (int round = 0; round < 2; round++) {
        must(tarn_fill(device, from, (uint32_t)round, 1, BYTES, load));
        must(tarn_stream_wait(compute, loaded, 0));
        must(tarn_copy(device, to, from, BYTES, compute));
        must(tarn_event_record(loaded, load));
        must(tarn_stream_synchronize(load, TARN_FOREVER));
        must(tarn_stream_synchronize(compute, TARN_FOREVER));
    }
    must(tarn_memory_free(from, 0));
    must(tarn_memory_free(to, 0));
    must(tarn_event_destroy(loaded));
    must(tarn_stream_destroy(load));
    must(tarn_stream_destroy(compute));
    must(tarn_device_close(device));
    return 0;
}
