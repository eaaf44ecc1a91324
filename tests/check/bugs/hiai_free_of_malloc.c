// SPDX-License-Identifier: Apache-2.0
// Memory of malloc() is freed by HIAI.
// EXPECT: ERROR invalid-free: HIAI_DFree of 0x..., which is no block that can be freed
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_free_of_malloc.c:12

#include "check/support/hiai.h"

int main(void) {
    begin();
    void *memory = malloc(4096);
    (void)HIAI_DFree(memory);
    free(memory);
    return 0;
}
