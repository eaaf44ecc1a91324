// SPDX-License-Identifier: Apache-2.0
// A copy takes the complete image out of an array, whose last rows nobody wrote.
// EXPECT: ERROR uninitialised-read: 256 of 256 byte(s) at byte ... of a device array never written since creation of R..., read by hipMemcpy2DFromArray
// EXPECT:     ... main .../hip_array_unwritten.c:17

#include "check/support/hip.h"

enum { WIDTH = 64, ROWS = 16 };

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    static float image[WIDTH * ROWS];
    hipArray_t array = NULL;
    must(hipMallocArray(&array, &format, WIDTH, ROWS, 0));
    must(hipMemcpy2DToArray(array, 0, 0, image, WIDTH * 4, WIDTH * 4, ROWS - 2,
                            hipMemcpyHostToDevice));
    must(hipMemcpy2DFromArray(image, WIDTH * 4, array, 0, 0, WIDTH * 4, ROWS,
                              hipMemcpyDeviceToHost));
    must(hipFreeArray(array));
    return 0;
}
