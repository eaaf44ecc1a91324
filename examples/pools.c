// SPDX-License-Identifier: Apache-2.0
// A pool under a limit: why an allocation is refused, a block that grows in place, and blocks that
// give their memory up for a while and have their contents back afterwards.
#include <stdio.h>
#include <stdlib.h>
#include <tarn/tarn.h>

enum { WEIGHTS = 1, CACHE = 2 };
#define MIB (UINT64_C(1) << 20)

static tarn_device *device;
static tarn_pool *pool;

// At every end of the program, also after a failure.
static void give_back(void) {
    (void)tarn_pool_reset(pool);
    (void)tarn_pool_destroy(pool);
    (void)tarn_device_close(device);
}

static void must(tarn_status status) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

static tarn_addr get(uint64_t bytes, uint32_t tag) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr = 0;
    request.bytes = bytes;
    request.tag = tag;
    must(tarn_pool_alloc_with(pool, &request, &addr));
    return addr;
}

int main(void) {
    tarn_addr none;
    char text[8] = "";
    uint64_t released = 0;
    must(tarn_device_open("host:0,memory=256M", &device));
    (void)atexit(give_back);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = 128 * MIB;
    must(tarn_pool_create(&desc, &pool));

    tarn_addr weights = get(64 * MIB, WEIGHTS);
    must(tarn_copy(device, weights, TARN_ADDR("weights"), 8, TARN_STREAM_NONE));
    tarn_addr cache = get(16 * MIB, CACHE);
    must(tarn_pool_extend(pool, cache, 32 * MIB)); // at the same address

    if (tarn_pool_alloc(pool, 100 * MIB, TARN_STREAM_NONE, &none) != TARN_OK) {
        tarn_pool_report report = TARN_INIT(tarn_pool_report);
        must(tarn_pool_explain(pool, &report));
        printf("%s\n", report.text);
    }
    must(tarn_pool_sleep(pool, WEIGHTS, 0, &released));
    printf("asleep: %llu MiB went back to the device\n", (unsigned long long)(released / MIB));
    must(tarn_pool_wake(pool, WEIGHTS));
    must(tarn_copy(device, TARN_ADDR(text), weights, 8, TARN_STREAM_NONE));
    printf("awake: %s\n", text);

    must(tarn_pool_free(pool, weights));
    must(tarn_pool_free(pool, cache));
    return 0;
}
