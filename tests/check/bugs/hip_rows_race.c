// SPDX-License-Identifier: Apache-2.0
// Two streams write neighbouring columns of an image, which overlap by one byte in each row.
// EXPECT: ERROR copy-race: write of 1 byte(s) at 0x... by hipMemset2DAsync on stream 0x... is unordered with the write by hipMemset2DAsync on stream 0x..., in a block of device memory of 1024 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_rows_race.c:20
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_rows_race.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_rows_race.c:18

#include "check/support/hip.h"

enum { WIDTH = 64, ROWS = 16 };

int main(void) {
    hipStream_t left = make_stream(), right = make_stream();
    char *image = NULL;
    must(hipMalloc((void **)&image, WIDTH * ROWS));
    must(hipMemset2DAsync(image, WIDTH, 1, WIDTH / 2 + 1, ROWS, left));
    must(hipMemset2DAsync(image + WIDTH / 2, WIDTH, 2, WIDTH / 2, ROWS, right));
    must(hipDeviceSynchronize());
    must(hipFree(image));
    must(hipStreamDestroy(left));
    must(hipStreamDestroy(right));
    return 0;
}
