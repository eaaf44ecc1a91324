// SPDX-License-Identifier: Apache-2.0
// A page moves to the end of a growing buffer: each time it is mapped again, once its work is done. The
// rest of the buffer stays in use, and the old address ends later.

#include "check/support/hip.h"

enum { ROUNDS = 3 };

int main(void) {
    hipStream_t stream = make_stream(), other = make_stream();
    hipMemGenericAllocationHandle_t page[2] = {make_handle(PAGE), make_handle(PAGE)};
    char *old = map_name(page[0], PAGE);
    char host[64];
    must(hipMemset(old, 7, PAGE));
    must(hipDeviceSynchronize()); // a memset of device memory does not wait
    for (int i = 0; i < ROUNDS; i++) {
        char *bigger = reserve(2 * PAGE);
        must(hipMemMap(bigger, PAGE, 0, page[0], 0));
        must(hipMemMap(bigger + PAGE, PAGE, 0, page[1], 0));
        allow(bigger, 2 * PAGE, hipMemAccessFlagsProtReadWrite);
        must(hipMemsetAsync(bigger + PAGE - 32, i, 64, stream));
        must(hipMemsetAsync(bigger + 4096, i, 64, other)); // beside it
        must(hipMemcpyAsync(bigger + PAGE + 4096, old + PAGE - 32, 32, hipMemcpyDeviceToDevice,
                            stream));
        must(hipStreamSynchronize(stream));
        must(hipStreamSynchronize(other));
        must(hipMemcpy(host, old + 4096, sizeof host, hipMemcpyDeviceToHost));
        must(hipMemUnmap(old, PAGE));
        must(hipMemMap(old, PAGE, 0, page[0], 0));
        allow(old, PAGE, hipMemAccessFlagsProtReadWrite);
        end_name(bigger, 2 * PAGE);
        if (host[0] != i) return 1;
    }
    end_name(old, PAGE);
    for (int i = 0; i < 2; i++) must(hipMemRelease(page[i]));
    must(hipStreamDestroy(stream));
    must(hipStreamDestroy(other));
    return 0;
}
