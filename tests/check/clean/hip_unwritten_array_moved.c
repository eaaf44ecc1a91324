// SPDX-License-Identifier: Apache-2.0
// Rows that were partly written go to an array and back inside the device. The host reads what was
// written.

#include "check/support/hip.h"

int main(void) {
    static char out[32];
    char *from = NULL, *to = NULL;
    hipArray_t array = NULL;
    const hipChannelFormatDesc format = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    must(hipMalloc((void **)&from, 64 * 8));
    must(hipMalloc((void **)&to, 64 * 8));
    must(hipMallocArray(&array, &format, 64, 8, 0));
    must(hipMemset2D(from, 64, 1, 32, 8));
    must(hipMemcpy2DToArray(array, 0, 0, from, 64, 64, 8, hipMemcpyDeviceToDevice));
    must(hipMemcpy2DFromArray(to, 64, array, 0, 0, 64, 8, hipMemcpyDeviceToDevice));
    must(hipMemcpy(out, to + 64, sizeof out, hipMemcpyDeviceToHost));
    must(hipFreeArray(array));
    must(hipFree(from));
    must(hipFree(to));
    return 0;
}
