// SPDX-License-Identifier: Apache-2.0
// Launches of kernels that were compiled for the host. The program's C++ code runs one block of a
// closure; this file checks the launch, submits it to its stream and runs it block by block.
#include <stdlib.h>
#include <string.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/hip/properties.h"
#include "compat/runtime/stream_call.h"

#define CLOSURE_BYTES 4096

struct launch {
    hipExtHostKernel_t kernel;
    dim3 grid;
    dim3 block;
    size_t shared;
    size_t closure_bytes;
};

// The form that tn_rt_call() copies.
struct whole_launch {
    alignas(TN_RT_CLOSURE_ALIGNMENT) struct launch launch;
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[CLOSURE_BYTES];
};

// The form in an op.
struct payload {
    struct launch launch;
    const void *closure; // of the caller, or owned by the graph
};

_Static_assert(sizeof(struct payload) <= TN_RT_PAYLOAD, "a launch fits an op");

// ---- execution

static tn_rt_error run_block(const struct whole_launch *whole, hipExtHostBlock *block) {
    const char *why = NULL;
    hipError_t error = whole->launch.kernel(whole->closure, block, &why);
    if (error == hipSuccess) return TN_RT_OK;
    return tn_rt_fail((tn_rt_error)error, "block (%u, %u, %u) of a kernel: %s", block->blockIdx.x,
                      block->blockIdx.y, block->blockIdx.z,
                      why != NULL ? why : hipGetErrorString(error));
}

static tn_rt_error run_blocks(const struct whole_launch *whole, void *shared) {
    const dim3 *grid = &whole->launch.grid;
    hipExtHostBlock block = {*grid, whole->launch.block, {0, 0, 0}, shared, whole->launch.shared};
    tn_rt_error error = TN_RT_OK;
    for (uint32_t z = 0; z < grid->z && error == TN_RT_OK; z++) {
        for (uint32_t y = 0; y < grid->y && error == TN_RT_OK; y++) {
            for (uint32_t x = 0; x < grid->x && error == TN_RT_OK; x++) {
                block.blockIdx = (dim3){x, y, z};
                error = run_block(whole, &block);
            }
        }
    }
    return error;
}

static tn_rt_error call_kernel(const void *closure) {
    const struct whole_launch *whole = (const struct whole_launch *)closure;
    size_t bytes = (whole->launch.shared + TN_RT_CLOSURE_ALIGNMENT) & ~(size_t)63;
    void *shared = aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, bytes);
    if (shared == NULL) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %zu bytes of shared memory",
                          whole->launch.shared);
    }
    tn_rt_error error = run_blocks(whole, shared);
    free(shared);
    return error;
}

// ---- submission

static struct payload payload_of(const void *bytes) {
    struct payload payload;
    memcpy(&payload, bytes, sizeof payload);
    return payload;
}

// Reports each word of the closure that may be a pointer to memory tools.
static void report_arguments(const struct payload *payload, const struct tn_rt_where *where) {
    const unsigned char *bytes = payload->closure;
    if (!tarn_annotate_subscribed()) return;
    for (size_t at = 0; at + sizeof(uint64_t) <= payload->launch.closure_bytes;
         at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        tarn_check_argument(word, where->stream);
    }
}

static tn_rt_error run_launch(const void *bytes, const struct tn_rt_where *where) {
    struct payload payload = payload_of(bytes);
    struct whole_launch whole;
    report_arguments(&payload, where);
    whole.launch = payload.launch;
    if (payload.launch.closure_bytes > 0)
        memcpy(whole.closure, payload.closure, payload.launch.closure_bytes);
    return tn_rt_call(where, call_kernel, &whole,
                      offsetof(struct whole_launch, closure) + payload.launch.closure_bytes);
}

static tn_rt_error keep_closure(void *bytes) {
    struct payload payload = payload_of(bytes);
    size_t size = payload.launch.closure_bytes;
    void *own = malloc(size + 1);
    if (own == NULL)
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a kernel's arguments");
    if (size > 0) memcpy(own, payload.closure, size);
    payload.closure = own;
    memcpy(bytes, &payload, sizeof payload);
    return TN_RT_OK;
}

static void drop_closure(void *bytes) { free((void *)(uintptr_t)payload_of(bytes).closure); }

static bool extent_fits(const dim3 *extent, uint32_t x, uint32_t yz) {
    return extent->x > 0 && extent->y > 0 && extent->z > 0 && extent->x <= x && extent->y <= yz &&
           extent->z <= yz;
}

static tn_rt_error check_extents(const struct launch *launch) {
    const dim3 *g = &launch->grid;
    const dim3 *b = &launch->block;
    if (!extent_fits(g, TN_HIP_GRID_X, TN_HIP_GRID_YZ)) {
        return tn_rt_fail(TN_RT_INVALID_CONFIGURATION, "a grid of %u x %u x %u blocks", g->x, g->y,
                          g->z);
    }
    if (!extent_fits(b, TN_HIP_THREADS_PER_BLOCK, TN_HIP_THREADS_PER_BLOCK) ||
        (uint64_t)b->x * b->y * b->z > TN_HIP_THREADS_PER_BLOCK) {
        return tn_rt_fail(TN_RT_INVALID_CONFIGURATION,
                          "a block of %u x %u x %u threads, %d at most", b->x, b->y, b->z,
                          TN_HIP_THREADS_PER_BLOCK);
    }
    if (launch->shared > TN_HIP_SHARED_BYTES) {
        return tn_rt_fail(TN_RT_INVALID_CONFIGURATION, "%zu bytes of shared memory, %d at most",
                          launch->shared, TN_HIP_SHARED_BYTES);
    }
    return TN_RT_OK;
}

static tn_rt_error launch_kernel(const struct launch *launch, const void *closure,
                                 hipStream_t stream) {
    if (launch->kernel == NULL) return tn_rt_fail(TN_RT_INVALID_VALUE, "kernel is NULL");
    if (closure == NULL && launch->closure_bytes > 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "closure is NULL");
    if (launch->closure_bytes > CLOSURE_BYTES) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%zu bytes of arguments, %d at most",
                          launch->closure_bytes, CLOSURE_BYTES);
    }
    TN_RT_TRY(check_extents(launch));
    struct tn_rt_op op = {
        .work = TN_RT_WORK_KERNEL, .run = run_launch, .keep = keep_closure, .drop = drop_closure};
    struct payload payload = {*launch, closure};
    memcpy(op.payload, &payload, sizeof payload);
    return tn_rt_submit(stream, &op);
}

// ---- occupancy

static tn_rt_error check_kernel(int kernel) {
    return kernel != 0 ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_DEVICE_FUNCTION, "the kernel is NULL");
}

static tn_rt_error count_blocks(int *blocks, int kernel, int threads, size_t shared) {
    TN_RT_TRY(tn_rt_check_pointer(blocks, "numBlocks"));
    TN_RT_TRY(check_kernel(kernel));
    if (threads <= 0) return tn_rt_fail(TN_RT_INVALID_VALUE, "blocks of %d threads", threads);
    *blocks = threads <= TN_HIP_THREADS_PER_BLOCK && shared <= TN_HIP_SHARED_BYTES ? 1 : 0;
    return TN_RT_OK;
}

hipError_t hipExtOccupancyHostKernel(int *numBlocks, int kernel, int blockSize,
                                     size_t sharedBytes) {
    return TN_HIP_CALL(count_blocks(numBlocks, kernel, blockSize, sharedBytes));
}

static tn_rt_error largest_block(int *grid, int *block, int kernel, size_t shared, int limit) {
    hipDeviceProp_tR0600 properties;
    int blocks = 0;
    TN_RT_TRY(tn_rt_check_pointer(grid, "gridSize"));
    TN_RT_TRY(tn_rt_check_pointer(block, "blockSize"));
    TN_RT_TRY(limit >= 0 ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "blockSizeLimit %d", limit));
    int threads = limit == 0 || limit > TN_HIP_THREADS_PER_BLOCK ? TN_HIP_THREADS_PER_BLOCK : limit;
    TN_RT_TRY(count_blocks(&blocks, kernel, threads, shared));
    tn_hip_properties(tn_rt_current(), &properties);
    *block = blocks > 0 ? threads : 0;
    *grid = blocks * properties.multiProcessorCount;
    return TN_RT_OK;
}

hipError_t hipExtOccupancyHostGrid(int *gridSize, int *blockSize, int kernel, size_t sharedBytes,
                                   int limit) {
    return TN_HIP_CALL(largest_block(gridSize, blockSize, kernel, sharedBytes, limit));
}

// ---- the launch

hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                  size_t sharedBytes, hipStream_t stream, const void *closure,
                                  size_t closureBytes) {
    struct launch launch = {kernel, gridDim, blockDim, sharedBytes, closureBytes};
    return TN_HIP_CALL(launch_kernel(&launch, closure, stream));
}
