// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

int main(void) {
    hipStream_t stream = NULL;
    void *memory = NULL;
    uint32_t count = 4;
    float4 four = make_float4(1, 2, 3, 4);
    hipError_t error = hipMalloc(&memory, sizeof four * count);
    if (error == hipSuccess) error = hipStreamCreate(&stream);
    if (error != hipSuccess) {
        printf("%s\n", hipGetErrorName(error));
        return EXIT_FAILURE;
    }
    return strcmp(hipGetErrorString(error), "no error") == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
