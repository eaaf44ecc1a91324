// SPDX-License-Identifier: Apache-2.0
// Two streams write neighbouring columns of an image, which share no byte.

#include "check/support/hip.h"

enum { WIDTH = 64, ROWS = 16 };

int main(void) {
    hipStream_t left = make_stream(), right = make_stream();
    char *image = NULL;
    must(hipMalloc((void **)&image, WIDTH * ROWS));
    must(hipMemset2DAsync(image, WIDTH, 1, WIDTH / 2, ROWS, left));
    must(hipMemset2DAsync(image + WIDTH / 2, WIDTH, 2, WIDTH / 2, ROWS, right));
    must(hipDeviceSynchronize());
    must(hipFree(image));
    must(hipStreamDestroy(left));
    must(hipStreamDestroy(right));
    return 0;
}
