// SPDX-License-Identifier: Apache-2.0
// Double buffering: each stream waits for the event that the other one recorded behind its work.

#include "check/support/hip.h"

enum { BYTES = 65536, ROUNDS = 4 };

int main(void) {
    hipStream_t load = make_stream(), compute = make_stream();
    hipEvent_t loaded[2], used[2];
    void *buffers[2], *sum = NULL;
    must(hipMalloc(&sum, BYTES));
    for (int i = 0; i < 2; i++) {
        must(hipEventCreateWithFlags(&loaded[i], hipEventDisableTiming));
        must(hipEventCreateWithFlags(&used[i], hipEventDisableTiming));
        must(hipMalloc(&buffers[i], BYTES));
    }
    for (int round = 0; round < ROUNDS; round++) {
        int i = round % 2;
        if (round > 1) must(hipStreamWaitEvent(load, used[i], 0));
        must(hipMemsetAsync(buffers[i], round, BYTES, load));
        must(hipEventRecord(loaded[i], load));
        must(hipStreamWaitEvent(compute, loaded[i], 0));
        must(hipMemcpyAsync(sum, buffers[i], BYTES, hipMemcpyDeviceToDevice, compute));
        must(hipEventRecord(used[i], compute));
    }
    must(hipDeviceSynchronize());
    must(hipFree(sum));
    for (int i = 0; i < 2; i++) {
        must(hipFree(buffers[i]));
        must(hipEventDestroy(loaded[i]));
        must(hipEventDestroy(used[i]));
    }
    must(hipStreamDestroy(load));
    must(hipStreamDestroy(compute));
    return 0;
}
