// SPDX-License-Identifier: Apache-2.0
// Each of four threads allocates, fills, copies and frees on a stream of its own.

#include <pthread.h>

#include "check/support/hip.h"

enum { THREADS = 4, BYTES = 5000 };

static void *work(void *arg) {
    hipStream_t stream = make_stream();
    char out[BYTES];
    void *block = NULL;
    for (int round = 0; round < 3; round++) {
        must(hipMallocAsync(&block, BYTES, stream));
        must(hipMemsetAsync(block, round, BYTES, stream));
        must(hipMemcpyAsync(out, block, BYTES, hipMemcpyDeviceToHost, stream));
        must(hipFreeAsync(block, stream));
        must(hipStreamSynchronize(stream));
    }
    must(hipStreamDestroy(stream));
    return arg;
}

int main(void) {
    pthread_t threads[THREADS];
    must(hipInit(0));
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 2;
    for (int i = 0; i < THREADS; i++) (void)pthread_join(threads[i], NULL);
    return 0;
}
