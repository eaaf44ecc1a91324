// SPDX-License-Identifier: Apache-2.0
// Kernels: launches of those that were compiled for the host, and the names of those that were
// compiled for devices, which cannot run here. Any thread may call these functions.
#pragma once

#include "compat/runtime/graph/op.h"

// Limits of a launch. Kernels are CPU functions, so Tarn chooses them.
#define TN_RT_THREADS_PER_BLOCK 1024
#define TN_RT_GRID_X            2147483647
#define TN_RT_GRID_YZ           65535
#define TN_RT_SHARED_BYTES      65536
#define TN_RT_CLOSURE_BYTES     32896 // CUDA's 32764, an address, and room for alignment

// The position of a block, the memory that its threads share, and which of its threads run. The
// function that runs it begins with thread number `first`, and returns after a thread if `loop` has
// changed. It sets `thread`, which points to the coordinates of the thread that runs. While `met`
// is 0 it may go on to the next of the `blocks`.
struct tn_rt_host_block {
    struct tn_rt_dim grid;
    struct tn_rt_dim block;
    struct tn_rt_dim index;
    void *shared;
    size_t shared_bytes;
    uint32_t first;
    const void *loop; // the fibre that runs thread after thread; NULL: it is parked
    const struct tn_rt_dim *thread;
    int cooperative;
    const struct tn_rt_host_block **running; // NULL, or receives NULL behind the last block
    unsigned long long blocks;               // left for this team, with the current one
    int met; // not 0: a thread of the block waited, or could have waited
};

// The call of a function for which threads meet, in the source of a kernel.
struct tn_rt_kernel_place {
    const char *function;
    const char *file;
    int line;
    uint32_t thread; // the number of the calling thread, x first
};

// A lane of a warp exchanges values with the other lanes of its warp by this struct.
struct tn_rt_lanes {
    uint64_t mask;    // the lanes that must meet; 0: those that come. Receives those that met.
    uint64_t value;   // receives that of lane `from`, if it came
    uint64_t votes;   // receives the lanes whose value was not 0
    uint64_t *values; // NULL, or receives the values of all 64
    uint32_t from;
    uint32_t lanes; // of a warp: 32 or 64
};

// ---- kernel.c

// Runs a kernel in the order of a stream, block by block, with a copy of the closure. The second
// function prepares the work instead. Fails with INVALID_VALUE if `kernel` or a closure with bytes
// is NULL, or if the closure has more than 32896 bytes; with `configuration_error` if an extent or
// the shared memory is above its limit; with `bounds_error` if there are more threads than
// max_threads; and with COOPERATIVE_TOO_LARGE if a cooperative launch has more blocks than run at
// once.
tn_rt_error tn_rt_kernel_launch(const struct tn_rt_launch *launch, void *stream);
tn_rt_error tn_rt_kernel_op(struct tn_rt_op *op, const struct tn_rt_launch *launch);

// Submits such work. In a kernel, the work runs before that kernel ends. Fails with NOT_SUPPORTED
// if it is cooperative there.
tn_rt_error tn_rt_kernel_submit(const struct tn_rt_op *op, void *stream);

// Checks the extents alone.
tn_rt_error tn_rt_kernel_extents(const struct tn_rt_launch *launch);

// The `run` of kernels that the headers of vendors make.
tn_rt_error tn_rt_kernel_run(void (*kernel)(void), const void *closure,
                             struct tn_rt_host_block *block, const char **why);

// ---- team.c: functions that a thread of a kernel calls. They return when the other threads have
// come. If some cannot come, or if the kernel fails, they do not return.

// Waits for all threads of the block, and with `grid` for all blocks of a cooperative launch.
// Returns the number of threads with a `vote` that is not 0.
uint32_t tn_rt_block_wait(const struct tn_rt_host_block *block,
                          const struct tn_rt_kernel_place *place, bool vote, bool grid);

// Waits for the other lanes of the calling thread's warp and exchanges values with them. Lanes that
// have returned or wait for something else are no lanes that come.
void tn_rt_warp_wait(const struct tn_rt_host_block *block, const struct tn_rt_kernel_place *place,
                     struct tn_rt_lanes *lanes);

// Lets other threads of the block run. Returns at once if none can, and outside a kernel.
void tn_rt_block_yield(const struct tn_rt_host_block *block, uint32_t thread);

// Ends the kernel with an error.
_Noreturn void tn_rt_block_fail(const struct tn_rt_host_block *block, tn_rt_error error,
                                const char *why);

// The first function returns the number of blocks that a processor runs at once, 1 or 0. The second
// one returns the extents that fill the device with blocks of up to `limit` threads; 0 means no
// limit. `most` is the largest number of threads in a block of the kernel. If it is 0, there is no
// kernel, and both fail with INVALID_DEVICE_FUNCTION.
tn_rt_error tn_rt_kernel_blocks(int *blocks, uint32_t most, int threads, size_t shared);
tn_rt_error tn_rt_kernel_grid(int *grid, int *block, uint32_t most, size_t shared, int limit);

// The configuration of a launch that a program makes in several calls. Each thread has a stack of
// 16 of them. A push to a full stack fails with OUT_OF_MEMORY, and a pop from an empty one with
// MISSING_CONFIGURATION.
struct tn_rt_configuration {
    struct tn_rt_dim grid;
    struct tn_rt_dim block;
    size_t shared;
    void *stream;
};
tn_rt_error tn_rt_configuration_push(const struct tn_rt_configuration *configuration);
tn_rt_error tn_rt_configuration_pop(struct tn_rt_configuration *configuration);
