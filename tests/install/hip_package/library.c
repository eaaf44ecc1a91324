// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime_api.h>

int main(void) {
    void *memory = NULL;
    return hipMalloc(&memory, 4096) == hipSuccess && hipFree(memory) == hipSuccess ? 0 : 1;
}
