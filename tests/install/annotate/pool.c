// SPDX-License-Identifier: Apache-2.0
// Two blocks of one pool, and a slip that only who knows the pool can see: pool KIND SLIP. It ends
// well by itself; a checker is to stop it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

enum { BYTES = 100, RANGE = 1 << 20 };

static void must(tarn_status status) {
    tarn_error error;
    if (status != TARN_OK) {
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
        exit(3);
    }
}

static tarn_pool *make_pool(tarn_device *device, const char *kind) {
    const tarn_grant grants[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                                 {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE}};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.device = device;
    desc.kind = TARN_POOL_SEGMENTS;
    desc.limit = UINT64_C(64) << 20;
    if (strcmp(kind, "expandable") == 0) {
        desc.kind = TARN_POOL_EXPANDABLE;
        desc.grants = grants;
        desc.grant_count = 2;
    } else if (strcmp(kind, "fixed") == 0) {
        desc.kind = TARN_POOL_FIXED;
        desc.base = (tarn_addr)(uintptr_t)malloc(RANGE);
        desc.bytes = RANGE;
        desc.limit = 0;
    }
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

// Slips, and their twins that do the same inside of the block.
static void slip(tarn_device *device, tarn_pool *pool, tarn_addr block, const char *what) {
    volatile char *bytes = (volatile char *)(uintptr_t)block;
    char own[2 * BYTES] = {0};
    if (strcmp(what, "none") == 0) {
        bytes[0] = bytes[BYTES - 1] = 1;
        must(tarn_copy(device, block, (tarn_addr)(uintptr_t)own, BYTES, TARN_STREAM_NONE));
    } else if (strcmp(what, "overflow") == 0) {
        bytes[BYTES + 4] = 1;
    } else if (strcmp(what, "freed") == 0) {
        must(tarn_pool_free(pool, block));
        bytes[0] = 1;
    } else if (strcmp(what, "copy") == 0) {
        must(tarn_copy(device, block, (tarn_addr)(uintptr_t)own, sizeof own, TARN_STREAM_NONE));
    } else if (strcmp(what, "fill") == 0) {
        must(tarn_fill(device, block - 8, 0, 1, 8 + BYTES, TARN_STREAM_NONE));
    }
}

// What a stream still does with a block that was given back in its order is nobody's business.
static void use_in_order(tarn_device *device, tarn_pool *pool) {
    tarn_stream stream = 0;
    tarn_addr block = 0;
    char *own = malloc(RANGE);
    must(tarn_stream_create(device, &stream));
    for (int i = 0; i < 20; i++) {
        must(tarn_pool_alloc(pool, RANGE / 4, stream, &block));
        must(tarn_fill(device, block, 7, 1, RANGE / 4, stream));
        must(tarn_copy(device, (tarn_addr)(uintptr_t)own, block, RANGE / 4, stream));
        must(tarn_pool_free(pool, block));
    }
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_stream_destroy(stream));
    free(own);
}

int main(int argc, char **argv) {
    tarn_device *device = NULL;
    tarn_addr first = 0;
    tarn_addr second = 0;
    if (argc != 3) return 2;
    must(tarn_device_open("host:0", &device));
    tarn_pool *pool = make_pool(device, argv[1]);
    tarn_pool *other = make_pool(device, argv[1]); // so that reports of `pool` show its own blocks
    use_in_order(device, other);
    must(tarn_pool_alloc(pool, BYTES, TARN_STREAM_NONE, &first));
    must(tarn_pool_alloc(pool, BYTES, TARN_STREAM_NONE, &second));
    slip(device, pool, first < second ? second : first, argv[2]); // not at the end of a range
    must(tarn_pool_reset(pool));
    must(tarn_pool_destroy(pool));
    must(tarn_pool_destroy(other));
    must(tarn_device_close(device));
    puts("done");
    return 0;
}
