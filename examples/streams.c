// SPDX-License-Identifier: Apache-2.0
// One stream fills a block, another one copies it. The program forgets to make the second stream
// wait for the first, and still prints the right number on most devices. The schedule late of the
// software device shows the mistake each time, and with the argument "wait" it is mended:
//
//     ./streams
//     TARN_DEVICE=host:0,schedule=late ./streams
//     TARN_DEVICE=host:0,schedule=late ./streams wait
#include <stdio.h>
#include <string.h>
#include <tarn/tarn.h>

struct parts {
    tarn_device *device;
    tarn_addr block;
    tarn_stream producer, consumer;
    tarn_event filled;
    unsigned char *byte; // that arrives
};

static bool succeeds(tarn_status status) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
    }
    return status == TARN_OK;
}

static bool begin(struct parts *p) {
    return succeeds(tarn_device_open(NULL, &p->device)) &&
           succeeds(tarn_memory_alloc(p->device, 4096, &p->block)) &&
           succeeds(tarn_fill(p->device, p->block, 0, 1, 4096, TARN_STREAM_NONE)) &&
           succeeds(tarn_stream_create(p->device, &p->producer)) &&
           succeeds(tarn_stream_create(p->device, &p->consumer)) &&
           succeeds(tarn_event_create(p->device, &p->filled)) &&
           succeeds(tarn_host_alloc(p->device, 1, 0, (void **)&p->byte));
}

static bool pass_on(struct parts *p, bool waits) {
    return succeeds(tarn_fill(p->device, p->block, 42, 1, 1, p->producer)) &&
           succeeds(tarn_event_record(p->filled, p->producer)) &&
           (!waits || succeeds(tarn_stream_wait(p->consumer, p->filled, 0))) &&
           succeeds(tarn_copy(p->device, TARN_ADDR(p->byte), p->block, 1, p->consumer)) &&
           succeeds(tarn_stream_synchronize(p->consumer, TARN_FOREVER));
}

// Frees what begin() made. Freeing nothing succeeds.
static void end(struct parts *p) {
    if (p->filled != 0) (void)succeeds(tarn_event_destroy(p->filled));
    if (p->consumer != 0) (void)succeeds(tarn_stream_destroy(p->consumer));
    if (p->producer != 0) (void)succeeds(tarn_stream_destroy(p->producer));
    (void)succeeds(tarn_host_free(p->byte));
    (void)succeeds(tarn_memory_free(p->block, 0));
    if (p->device != NULL) (void)succeeds(tarn_device_close(p->device));
}

int main(int argc, char **argv) {
    struct parts parts = {0};
    bool waits = argc > 1 && strcmp(argv[1], "wait") == 0;
    bool arrived = begin(&parts) && pass_on(&parts, waits);
    unsigned byte = arrived ? *parts.byte : 0;
    if (arrived) printf("42 was sent, %u arrived\n", byte);
    end(&parts);
    return byte == 42 ? 0 : 1;
}
