// SPDX-License-Identifier: Apache-2.0
// Unwritten bytes are copied to another block. Then the CPU stores there, which the checker does not
// see, and a copy reads the block.

#include "check/support/hip.h"

#include <string.h>

int main(void) {
    static char out[4000];
    char *from = NULL, *to = NULL;
    must(hipMalloc((void **)&from, 4000));
    must(hipMalloc((void **)&to, 4000));
    must(hipMemcpy(to, from, 4000, hipMemcpyDeviceToDevice));
    must(hipDeviceSynchronize());
    memset(to, 1, 4000);
    must(hipMemcpy(out, to, 4000, hipMemcpyDeviceToHost));
    must(hipMemset(to, 2, 4000)); // and by an event
    must(hipMemcpy(to, from, 100, hipMemcpyDeviceToDevice));
    must(hipMemcpy(out, to + 100, 3900, hipMemcpyDeviceToHost));
    must(hipFree(from));
    must(hipFree(to));
    return 0;
}
