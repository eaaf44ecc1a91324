// SPDX-License-Identifier: Apache-2.0
// One stream fills a block, another one copies it. The program forgets to make the second stream
// wait for the first, and still prints the right number on most devices. The schedule late of the
// software device shows the mistake each time, and with the argument "wait" it is mended:
//
//     ./streams
//     TARN_DEVICE=host:0,schedule=late ./streams
//     TARN_DEVICE=host:0,schedule=late ./streams wait
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tarn/tarn.h>

static void must(tarn_status status) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

// Returns the byte that arrives.
static unsigned char pass_on(tarn_device *device, tarn_addr block, bool waits) {
    tarn_stream producer, consumer;
    tarn_event filled;
    unsigned char *byte = NULL;
    must(tarn_stream_create(device, &producer));
    must(tarn_stream_create(device, &consumer));
    must(tarn_event_create(device, &filled));
    must(tarn_host_alloc(device, 1, 0, (void **)&byte));

    must(tarn_fill(device, block, 42, 1, 1, producer));
    must(tarn_event_record(filled, producer));
    if (waits) {
        must(tarn_stream_wait(consumer, filled));
    }
    must(tarn_copy(device, TARN_ADDR(byte), block, 1, consumer));
    must(tarn_stream_synchronize(consumer));
    unsigned char result = *byte;

    must(tarn_stream_synchronize(producer));
    must(tarn_event_destroy(filled));
    must(tarn_stream_destroy(consumer));
    must(tarn_stream_destroy(producer));
    must(tarn_host_free(byte));
    return result;
}

int main(int argc, char **argv) {
    tarn_device *device;
    tarn_addr block;
    must(tarn_device_open(NULL, &device));
    must(tarn_memory_alloc(device, 4096, &block));
    must(tarn_fill(device, block, 0, 1, 4096, TARN_STREAM_NONE));
    unsigned char byte = pass_on(device, block, argc > 1 && strcmp(argv[1], "wait") == 0);
    printf("42 was sent, %u arrived\n", byte);
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return byte == 42 ? 0 : 1;
}
