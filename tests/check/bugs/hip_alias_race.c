// SPDX-License-Identifier: Apache-2.0
// A handle is imported from its own descriptor. Two streams access the last bytes of the smaller
// mapping, by one address each.
// EXPECT: ERROR copy-race: read of 16 byte(s) at 0x... by hipMemcpyAsync on stream 0x... is unordered with the write by hipMemsetAsync on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../hip_alias_race.c:28
// EXPECT:     ... main .../hip_alias_race.c:27

#include <unistd.h>

#include "check/support/hip.h"

int main(void) {
    hipMemAllocationProp prop = {0};
    hipMemGenericAllocationHandle_t pages = NULL, again = NULL;
    hipStream_t one = make_stream(), other = make_stream();
    void *host = NULL;
    int file = -1;
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    prop.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
    must(hipHostMalloc(&host, 4096, 0));
    must(hipMemCreate(&pages, 2 * PAGE, &prop, 0));
    must(hipMemExportToShareableHandle(&file, pages, hipMemHandleTypePosixFileDescriptor, 0));
    must(hipMemImportFromShareableHandle(&again, (void *)(uintptr_t)file,
                                         hipMemHandleTypePosixFileDescriptor));
    char *first = map_name(pages, 2 * PAGE), *second = map_name(again, PAGE);
    must(hipMemsetAsync(first + PAGE - 16, 1, 32, one));
    must(hipMemcpyAsync(host, second + PAGE - 4096, 4096, hipMemcpyDeviceToHost, other));
    must(hipStreamSynchronize(one));
    must(hipStreamSynchronize(other));
    end_name(first, 2 * PAGE);
    end_name(second, PAGE);
    must(hipMemRelease(pages));
    must(hipMemRelease(again));
    (void)close(file);
    must(hipHostFree(host));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
