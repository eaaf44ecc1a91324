// SPDX-License-Identifier: Apache-2.0
// An error that no allocator and no device can detect: the program fills a block beyond its end,
// into its neighbour. Both blocks are its own memory, so it ends successfully. Three tools report
// the error in the unchanged program:
//
//     tarn check -- ./overflow
//     valgrind ./overflow
//     cc -fsanitize=address overflow.c ... && ./overflow
#include <stdio.h>
#include <tarn/tarn.h>

enum { BLOCK = 1000, TOO_MUCH = 1500 };

// Fills `bytes` of a block and prints the first byte of the other one.
static int spill(tarn_device *device, tarn_addr block, tarn_addr other, uint64_t bytes) {
    unsigned char first = 0;
    if (tarn_fill(device, other, 0, 1, BLOCK, TARN_STREAM_NONE) != TARN_OK ||
        tarn_fill(device, block, 0xee, 1, bytes, TARN_STREAM_NONE) != TARN_OK ||
        tarn_copy(device, TARN_ADDR(&first), other, 1, TARN_STREAM_NONE) != TARN_OK)
        return 1;
    printf("the neighbour begins with 0x%02x, and was 0x00\n", first);
    return 0;
}

int main(void) {
    tarn_device *device;
    tarn_pool *pool = NULL;
    tarn_addr a = 0, b = 0;
    int bad = 1;
    if (tarn_device_open("host:0", &device) != TARN_OK) return 1;
    tarn_pool_desc desc = {
        .struct_size = sizeof desc, .kind = TARN_POOL_SEGMENTS, .device = device};
    if (tarn_pool_create(&desc, &pool) == TARN_OK &&
        tarn_pool_alloc(pool, BLOCK, TARN_STREAM_NONE, &a) == TARN_OK &&
        tarn_pool_alloc(pool, BLOCK, TARN_STREAM_NONE, &b) == TARN_OK) {
        // Overfills the block with the lower address.
        bad = a < b ? spill(device, a, b, TOO_MUCH) : spill(device, b, a, TOO_MUCH);
    }
    tarn_pool_free(pool, a);
    tarn_pool_free(pool, b);
    tarn_pool_destroy(pool);
    return tarn_device_close(device) == TARN_OK ? bad : 1;
}
