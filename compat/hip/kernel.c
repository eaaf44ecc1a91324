// SPDX-License-Identifier: Apache-2.0
// Launching kernels that were compiled for the host. A launch is a closure, which the program's C++
// runs one block of; here it is checked, given to its stream and run block by block.
#include <stdlib.h>
#include <string.h>

#include <hip/detail/kernel.h>

#include "compat/hip/order.h"
#include "compat/hip/properties.h"

#define CLOSURE_BYTES 4096

struct launch {
    hipExtHostKernel_t kernel;
    dim3 grid;
    dim3 block;
    size_t shared;
    size_t closure_bytes;
};

// As tn_hip_call() copies it.
struct whole_launch {
    alignas(TN_HIP_CLOSURE_ALIGNMENT) struct launch launch;
    alignas(TN_HIP_CLOSURE_ALIGNMENT) unsigned char closure[CLOSURE_BYTES];
};

// As it is in an op.
struct payload {
    struct launch launch;
    const void *closure; // the caller's, or the graph's own
};

_Static_assert(sizeof(struct payload) <= TN_HIP_PAYLOAD, "a launch fits an op");

// ---- running

static hipError_t run_block(const struct whole_launch *whole, hipExtHostBlock *block) {
    const char *why = NULL;
    hipError_t error = whole->launch.kernel(whole->closure, block, &why);
    if (error == hipSuccess) {
        return hipSuccess;
    }
    return tn_hip_fail(error, "block (%u, %u, %u) of a kernel: %s", block->blockIdx.x,
                       block->blockIdx.y, block->blockIdx.z,
                       why != NULL ? why : hipGetErrorString(error));
}

static hipError_t run_blocks(const struct whole_launch *whole, void *shared) {
    const dim3 *grid = &whole->launch.grid;
    hipExtHostBlock block = {*grid, whole->launch.block, {0, 0, 0}, shared, whole->launch.shared};
    hipError_t error = hipSuccess;
    for (uint32_t z = 0; z < grid->z && error == hipSuccess; z++) {
        for (uint32_t y = 0; y < grid->y && error == hipSuccess; y++) {
            for (uint32_t x = 0; x < grid->x && error == hipSuccess; x++) {
                block.blockIdx = (dim3){x, y, z};
                error = run_block(whole, &block);
            }
        }
    }
    return error;
}

static hipError_t call_kernel(const void *closure) {
    const struct whole_launch *whole = (const struct whole_launch *)closure;
    size_t bytes = (whole->launch.shared + TN_HIP_CLOSURE_ALIGNMENT) & ~(size_t)63;
    void *shared = aligned_alloc(TN_HIP_CLOSURE_ALIGNMENT, bytes);
    if (shared == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for %zu bytes of shared memory",
                           whole->launch.shared);
    }
    hipError_t error = run_blocks(whole, shared);
    free(shared);
    return error;
}

// ---- giving

static struct payload payload_of(const void *bytes) {
    struct payload payload;
    memcpy(&payload, bytes, sizeof payload);
    return payload;
}

static hipError_t run(const void *bytes, const struct tn_hip_where *where) {
    struct payload payload = payload_of(bytes);
    struct whole_launch whole;
    whole.launch = payload.launch;
    if (payload.launch.closure_bytes > 0) {
        memcpy(whole.closure, payload.closure, payload.launch.closure_bytes);
    }
    return tn_hip_call(where, call_kernel, &whole,
                       offsetof(struct whole_launch, closure) + payload.launch.closure_bytes);
}

static hipError_t keep(void *bytes) {
    struct payload payload = payload_of(bytes);
    size_t size = payload.launch.closure_bytes;
    void *own = malloc(size + 1);
    if (own == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a kernel's arguments");
    }
    if (size > 0) {
        memcpy(own, payload.closure, size);
    }
    payload.closure = own;
    memcpy(bytes, &payload, sizeof payload);
    return hipSuccess;
}

static void drop(void *bytes) {
    free((void *)(uintptr_t)payload_of(bytes).closure);
}

static bool fits(const dim3 *extent, uint32_t x, uint32_t yz) {
    return extent->x > 0 && extent->y > 0 && extent->z > 0 && extent->x <= x && extent->y <= yz &&
           extent->z <= yz;
}

static hipError_t check_extents(const struct launch *launch) {
    const dim3 *g = &launch->grid;
    const dim3 *b = &launch->block;
    if (!fits(g, TN_HIP_GRID_X, TN_HIP_GRID_YZ)) {
        return tn_hip_fail(hipErrorInvalidConfiguration, "a grid of %u x %u x %u blocks", g->x,
                           g->y, g->z);
    }
    if (!fits(b, TN_HIP_THREADS_PER_BLOCK, TN_HIP_THREADS_PER_BLOCK) ||
        (uint64_t)b->x * b->y * b->z > TN_HIP_THREADS_PER_BLOCK) {
        return tn_hip_fail(hipErrorInvalidConfiguration,
                           "a block of %u x %u x %u threads, %d at most", b->x, b->y, b->z,
                           TN_HIP_THREADS_PER_BLOCK);
    }
    if (launch->shared > TN_HIP_SHARED_BYTES) {
        return tn_hip_fail(hipErrorInvalidConfiguration, "%zu bytes of shared memory, %d at most",
                           launch->shared, TN_HIP_SHARED_BYTES);
    }
    return hipSuccess;
}

static hipError_t launch_kernel(const struct launch *launch, const void *closure,
                                hipStream_t stream) {
    if (launch->kernel == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "the kernel is NULL");
    }
    if (closure == NULL && launch->closure_bytes > 0) {
        return tn_hip_fail(hipErrorInvalidValue, "the kernel's arguments are NULL");
    }
    if (launch->closure_bytes > CLOSURE_BYTES) {
        return tn_hip_fail(hipErrorInvalidValue, "%zu bytes of arguments, %d at most",
                           launch->closure_bytes, CLOSURE_BYTES);
    }
    TN_HIP_TRY(check_extents(launch));
    struct tn_hip_op op = {.work = TN_HIP_WORK_KERNEL, .run = run, .keep = keep, .drop = drop};
    struct payload payload = {*launch, closure};
    memcpy(op.payload, &payload, sizeof payload);
    return tn_hip_submit(stream, &op);
}

hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                  size_t sharedBytes, hipStream_t stream, const void *closure,
                                  size_t closureBytes) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        struct launch launch = {kernel, gridDim, blockDim, sharedBytes, closureBytes};
        error = launch_kernel(&launch, closure, stream);
    }
    return tn_hip_leave(error, __func__);
}
