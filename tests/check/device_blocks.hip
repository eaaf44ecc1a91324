// SPDX-License-Identifier: Apache-2.0
// device_blocks KIND FAULT COUNT: a kernel leaves a block of COUNT integers. device_blocks.sh compiles it with ASan, and
// finds the lines by the words behind them.
#include "../compat/hip/programs/check.h"

#include <cstring>
#include <string>

__global__ void touch(int *block, long at) {
    if (blockIdx.x == 1 && threadIdx.x == 3) block[at] = 1; // the access
}

static std::string kind;
static hipStream_t stream;
static hipGraphExec_t graph;
static hipMemPool_t pool;

static void *make_graph(size_t bytes) {
    hipGraph_t made;
    hipGraphNode_t node;
    hipMemAllocNodeParams memory = {};
    memory.poolProps.allocType = hipMemAllocationTypePinned;
    memory.poolProps.location = {hipMemLocationTypeDevice, 0};
    memory.bytesize = bytes;
    HIP_CHECK(hipGraphCreate(&made, 0));
    HIP_CHECK(hipGraphAddMemAllocNode(&node, made, nullptr, 0, &memory));
    HIP_CHECK(hipGraphInstantiate(&graph, made, nullptr, nullptr, 0));
    HIP_CHECK(hipGraphDestroy(made));
    HIP_CHECK(hipGraphLaunch(graph, stream)); // graph
    return memory.dptr;
}

// Of two pages of addresses only the first one has memory.
static void *make_mapping(size_t bytes) {
    hipMemAllocationProp prop = {};
    prop.type = hipMemAllocationTypePinned;
    prop.location = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc access = {prop.location, hipMemAccessFlagsProtReadWrite};
    hipMemGenericAllocationHandle_t memory;
    void *base;
    HIP_CHECK(hipMemCreate(&memory, bytes, &prop, 0));
    HIP_CHECK(hipMemAddressReserve(&base, 2 * bytes, 0, nullptr, 0));
    HIP_CHECK(hipMemMap(base, bytes, 0, memory, 0)); // mapped
    HIP_CHECK(hipMemRelease(memory));
    HIP_CHECK(hipMemSetAccess(base, bytes, &access, 1));
    return base;
}

static void *make_pooled(size_t bytes) {
    void *block;
    hipMemPoolProps props = {};
    props.allocType = hipMemAllocationTypePinned;
    props.location = {hipMemLocationTypeDevice, 0};
    if (pool == nullptr) HIP_CHECK(hipMemPoolCreate(&pool, &props));
    HIP_CHECK(hipMallocFromPoolAsync(&block, bytes, pool, stream)); // pooled
    return block;
}

static int *make(size_t bytes) {
    void *block;
    size_t pitch;
    if (kind == "plain") HIP_CHECK(hipMalloc(&block, bytes));                // plain
    if (kind == "rows") HIP_CHECK(hipMallocPitch(&block, &pitch, bytes, 1)); // rows
    if (kind == "ordered") HIP_CHECK(hipMallocAsync(&block, bytes, stream)); // ordered
    if (kind == "pinned") HIP_CHECK(hipHostMalloc(&block, bytes, 0));        // pinned
    if (kind == "managed") HIP_CHECK(hipMallocManaged(&block, bytes));       // managed
    if (kind == "pooled") block = make_pooled(bytes);
    if (kind == "graph") block = make_graph(bytes);
    if (kind == "mapped") block = make_mapping(bytes);
    return static_cast<int *>(block);
}

static void end(int *block, size_t bytes) {
    if (kind == "mapped")
        HIP_CHECK(hipMemUnmap(block, bytes)); // mapped-end
    else if (kind == "ordered" || kind == "pooled" || kind == "graph")
        HIP_CHECK(hipFreeAsync(block, stream)); // ordered-end
    else
        HIP_CHECK(hipFree(block)); // plain-end
}

int main(int, char **argv) {
    kind = argv[1];
    std::string fault = argv[2];
    long count = std::atol(argv[3]);
    size_t bytes = count * sizeof(int);
    HIP_CHECK(hipStreamCreate(&stream));
    int *block = make(bytes);
    if (kind != "graph") (void)make(bytes); // a neighbour
    HIP_CHECK(hipStreamSynchronize(stream));
    if (fault == "used") touch<<<2, 64, 0, stream>>>(block, 0);
    if (fault == "freed" || fault == "used") end(block, bytes);
    long at = fault == "next"     ? count
              : fault == "far"    ? count + 50
              : fault == "before" ? -1
                                  : count - 1;
    touch<<<2, 64, 0, stream>>>(block, at);
    HIP_CHECK(hipStreamSynchronize(stream));
    return 0;
}
