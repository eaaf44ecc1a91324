// SPDX-License-Identifier: Apache-2.0
// malloc() and free() beside memory of HIP: blocks of malloc() where pinned memory was, a block in a page that
// is registered for its neighbour, memory that is unregistered before it is freed, and growth by realloc().

#include <stdint.h>

#include "check/support/hip.h"

enum { BYTES = 1 << 20, ROUNDS = 8 };

static void use_pages(void) {
    char *data = malloc(64), *neighbour = malloc(64);
    uintptr_t first = (uintptr_t)data & ~(uintptr_t)4095;
    must(hipHostRegister((void *)first, 8192, hipHostRegisterDefault));
    free(neighbour);
    must(hipHostUnregister((void *)first));
    free(data);
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++) {
        void *pinned = NULL;
        must(hipHostMalloc(&pinned, BYTES, 0));
        memset(pinned, 1, BYTES);
        must(hipHostFree(pinned));
        char *block = malloc(BYTES); // the system may reuse the addresses
        if (block == NULL) return 2;
        memset(block, 2, BYTES);
        block = realloc(block, 2 * (size_t)BYTES);
        if (block == NULL) return 2;
        must(hipHostRegister(block, BYTES, hipHostRegisterDefault));
        must(hipHostUnregister(block));
        free(block);
    }
    use_pages();
    free(NULL);
    return 0;
}
