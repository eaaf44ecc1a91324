// SPDX-License-Identifier: Apache-2.0
// Kernels and copies on two streams share one block: halves at the same time, the complete block in
// order of an event, of the host and of one stream, and a freed block that comes back. Blocks are freed
// in order of streams behind kernels. A kernel has the end of a block, at which a freed one begins, and
// another one the start of a window whose first page is unmapped.

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

struct closure {
    int *values;
    size_t count;
};

static hipError_t add_one(const void *bytes, const hipExtHostBlock *block, const char **why) {
    const struct closure *closure = bytes;
    (void)block, (void)why;
    for (size_t i = 0; i < closure->count; i++) closure->values[i]++;
    return hipSuccess;
}

static void launch(int *values, size_t count, hipStream_t stream) {
    const struct closure closure = {values, count};
    const dim3 one = {1, 1, 1};
    must(hipExtLaunchHostKernel(add_one, one, one, 0, stream, &closure, sizeof closure));
}

enum { COUNT = 1024 };

static void use_halves(int *values, hipStream_t one, hipStream_t other) {
    size_t half = COUNT / 2 * sizeof *values;
    launch(values, COUNT / 2, one);
    must(hipMemsetAsync(values + COUNT / 2, 0, half, other));
    launch(values + COUNT / 2, COUNT / 2, other);
    must(hipStreamSynchronize(one));
    must(hipMemset(values, 0, half));
    must(hipDeviceSynchronize());
}

static void use_in_order(int *values, hipStream_t one, hipStream_t other) {
    hipEvent_t event = NULL;
    must(hipEventCreate(&event));
    must(hipMemsetAsync(values, 0, COUNT * sizeof *values, one));
    launch(values, COUNT, one);
    must(hipEventRecord(event, one));
    must(hipStreamWaitEvent(other, event, 0));
    must(hipMemsetAsync(values, 0, COUNT * sizeof *values, other));
    must(hipStreamSynchronize(other));
    launch(values, COUNT, one);
    must(hipDeviceSynchronize());
    must(hipEventDestroy(event));
}

static void free_behind(hipStream_t one, hipStream_t other) {
    hipEvent_t event = NULL;
    int *values = NULL;
    must(hipEventCreate(&event));
    for (int round = 0; round < 2; round++) {
        must(hipMallocAsync((void **)&values, COUNT * sizeof *values, one));
        must(hipMemsetAsync(values, 0, COUNT * sizeof *values, one));
        launch(values, COUNT, one);
        if (round > 0) {
            must(hipEventRecord(event, one));
            must(hipStreamWaitEvent(other, event, 0));
        }
        must(hipFreeAsync(values, round > 0 ? other : one));
    }
    must(hipDeviceSynchronize());
    must(hipEventDestroy(event));
}

struct range {
    int *first;
    int *end;
};

static hipError_t clear_range(const void *bytes, const hipExtHostBlock *block, const char **why) {
    const struct range *range = bytes;
    (void)block, (void)why;
    for (int *value = range->first; value != range->end; value++) *value = 0;
    return hipSuccess;
}

// Blocks of this size are neighbours.
static void use_end(hipStream_t stream) {
    enum { BLOCKS = 16 };
    const dim3 one = {1, 1, 1};
    int *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        must(hipMallocAsync((void **)&blocks[i], COUNT * sizeof **blocks, stream));
    for (int i = 1; i < BLOCKS; i += 2) must(hipFreeAsync(blocks[i], stream));
    for (int i = 0; i < BLOCKS; i += 2) {
        const struct range range = {blocks[i], blocks[i] + COUNT};
        must(hipExtLaunchHostKernel(clear_range, one, one, 0, stream, &range, sizeof range));
        must(hipFreeAsync(blocks[i], stream));
    }
    must(hipStreamSynchronize(stream));
}

// The first page of a window is unmapped; its address is the base of the second one.
static void use_base(hipStream_t stream) {
    const size_t page = 2 << 20;
    const dim3 one = {1, 1, 1};
    const hipMemAccessDesc all = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, 0}};
    hipMemGenericAllocationHandle_t handle = NULL;
    void *base = NULL;
    must(hipMemAddressReserve(&base, 2 * page, 0, NULL, 0));
    must(hipMemCreate(&handle, page, &prop, 0));
    must(hipMemMap(base, page, 0, handle, 0));
    must(hipMemUnmap(base, page));
    must(hipMemMap((char *)base + page, page, 0, handle, 0));
    must(hipMemSetAccess((char *)base + page, page, &all, 1));
    const struct closure closure = {(int *)base, 0};
    must(hipExtLaunchHostKernel(add_one, one, one, 0, stream, &closure, sizeof closure));
    must(hipStreamSynchronize(stream));
    must(hipMemUnmap((char *)base + page, page));
    must(hipMemRelease(handle));
    must(hipMemAddressFree(base, 2 * page));
}

int main(void) {
    hipStream_t one = NULL;
    hipStream_t other = NULL;
    int *values = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    for (int round = 0; round < 3; round++) {
        must(hipMalloc((void **)&values, COUNT * sizeof *values));
        use_halves(values, one, other);
        use_in_order(values, one, other);
        launch(values, COUNT, one);
        must(hipFree(values));
    }
    free_behind(one, other);
    use_end(one);
    use_base(one);
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
