// SPDX-License-Identifier: Apache-2.0
// A cache registers a slab and unregisters its second object, then memory of the device.
// EXPECT: ERROR invalid-free: cudaHostUnregister of 0x..., which is 4096 byte(s) inside a registration of host memory of 16384 byte(s)
// EXPECT:     ... main .../cuda_unregister_inner.c:15
// EXPECT: ERROR wrong-family-free: cudaHostUnregister of 0x..., which is a block of device memory of 1000 byte(s)
// EXPECT:     ... main .../cuda_unregister_inner.c:17

#include "check/support/cuda.h"

int main(void) {
    static _Alignas(4096) char slab[16384];
    void *block = NULL;
    must(cudaMalloc(&block, 1000));
    must(cudaHostRegister(slab, sizeof slab, cudaHostRegisterPortable));
    (void)cudaHostUnregister(slab + 4096);
    must(cudaHostUnregister(slab));
    (void)cudaHostUnregister(block);
    must(cudaFree(block));
    return 0;
}
