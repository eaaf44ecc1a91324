// SPDX-License-Identifier: Apache-2.0
// A mapping is removed while a fill of it is queued. HIP 6 does not wait for the fill, and Tarn's wait
// for it is none of the program's: the copy from pinned memory may still be running, too.
// EXPECT: ERROR unmap-in-flight: 2097152 byte(s) at 0x... that hipMemsetAsync on stream 0x... may still write, in a mapping of 2097152 byte(s)
// EXPECT:   unmapped by thread
// EXPECT:     ... main .../hip_unmap_in_use.c:28
// EXPECT: ERROR host-race: write of 2097152 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x...

#include "check/support/hip.h"

int main(void) {
    const hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                       .location = {hipMemLocationTypeDevice, 0}};
    const hipMemAccessDesc access = {prop.location, hipMemAccessFlagsProtReadWrite};
    hipMemGenericAllocationHandle_t handle = NULL;
    static char input[PAGE];
    void *at = NULL, *pinned = NULL;
    hipStream_t stream = make_stream();
    must(hipHostMalloc(&pinned, PAGE, 0));
    memset(pinned, 0, PAGE);
    must(hipMemAddressReserve(&at, PAGE, 0, NULL, 0));
    must(hipMemCreate(&handle, PAGE, &prop, 0));
    must(hipMemMap(at, PAGE, 0, handle, 0));
    must(hipMemSetAccess(at, PAGE, &access, 1));
    must(hipMemRelease(handle));
    must(hipMemcpyAsync(at, pinned, PAGE, hipMemcpyHostToDevice, stream));
    must(hipMemsetAsync(at, 1, PAGE, stream));
    must(hipMemUnmap(at, PAGE));
    must(hipMemcpy(pinned, input, PAGE, hipMemcpyHostToHost));
    must(hipMemAddressFree(at, PAGE));
    must(hipStreamSynchronize(stream));
    must(hipHostFree(pinned));
    must(hipStreamDestroy(stream));
    return 0;
}
