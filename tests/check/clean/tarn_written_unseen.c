// SPDX-License-Identifier: Apache-2.0
// Memory that code writes which the checker does not see: the CPU, host functions that have not run
// when the copy is submitted, and copies inside them. Memory of tarn_host_alloc() is zeroed.

#include <stdatomic.h>
#include <unistd.h>

#include "check/support/tarn.h"

enum { BYTES = 4096 };

struct write {
    tarn_device *device;
    tarn_addr memory;
    bool by_copy;
    atomic_bool submitted; // the copy behind the function
};

static char out[BYTES];
static const char in[BYTES] = {'x'};

static void write_later(void *arg) {
    struct write *write = arg;
    // `sim` runs the function at once, before the copy.
    for (int i = 0; i < 100 && !atomic_load(&write->submitted); i++) (void)usleep(100);
    if (write->by_copy)
        must(tarn_copy(write->device, write->memory, TARN_ADDR(in), BYTES, TARN_STREAM_NONE));
    else
        memset((void *)(uintptr_t)write->memory, 'x', BYTES);
}

static void use_memory(tarn_device *device, tarn_addr memory, tarn_stream stream, bool by_copy) {
    struct write write = {device, memory, by_copy, false};
    must(tarn_stream_call(stream, write_later, &write));
    must(tarn_copy(device, TARN_ADDR(out), memory, BYTES, stream));
    atomic_store(&write.submitted, true);
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_copy(device, TARN_ADDR(out), memory, BYTES, TARN_STREAM_NONE));
}

static void use_device(tarn_device *device, bool by_copy) {
    tarn_stream stream = make_stream(device);
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, BYTES, &memory));
    use_memory(device, memory, stream, by_copy);
    must(tarn_memory_free(memory, 0));
    for (int round = 0; round < 4; round++) {
        must(tarn_pool_alloc(pool, BYTES, round % 2 == 0 ? stream : TARN_STREAM_NONE, &memory));
        use_memory(device, memory, stream, by_copy);
        must(tarn_pool_free(pool, memory));
    }
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
}

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    void *host = NULL;
    must(tarn_memory_alloc(device, BYTES, &memory));
    memset((void *)(uintptr_t)memory, 'x', BYTES);
    must(tarn_copy(device, TARN_ADDR(out), memory, BYTES, TARN_STREAM_NONE));
    must(tarn_host_alloc(device, BYTES, 0, &host));
    must(tarn_copy(device, memory, TARN_ADDR(host), BYTES, TARN_STREAM_NONE));
    must(tarn_host_free(host));
    must(tarn_memory_free(memory, 0));
    use_device(device, false);
    use_device(open_device(), true);
    must(tarn_device_open("sim:0,memory=256M", &device));
    use_device(device, true);
    must(tarn_device_open("host:0,memory=256M,access=strict", &device));
    use_device(device, true);
    return 0;
}
