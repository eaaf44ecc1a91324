// SPDX-License-Identifier: Apache-2.0
// A team runs the threads of one block at a time, on one thread of the CPU. The first fibre runs one
// thread after another. When a thread waits for others, its fibre is parked, and another fibre goes
// on with the next thread; so a block whose threads wait for nothing needs one fibre. A team is used
// by one thread of the CPU at a time. See kernel.h for the launch.
#pragma once

#include "compat/runtime/kernel/fault.h"
#include "compat/runtime/kernel/kernel.h"

#define TN_RT_TEAM_WARPS (TN_RT_THREADS_PER_BLOCK / 32)

struct tn_rt_grid_barrier; // kernel.c

// A list of threads that wait, on their stacks.
struct tn_rt_waiters {
    struct tn_rt_waiter *first, *last;
};

// 32 threads.
struct tn_rt_warp {
    struct tn_rt_meeting *meetings; // of some of its threads, which wait for the others
    uint32_t ended;                 // threads that have returned, while others wait
    uint32_t meeting_count;         // so far
};

struct tn_rt_team {
    struct tn_rt_host_block block; // first, so that the kernel's pointer leads here
    const struct tn_rt_launch *launch;
    struct tn_rt_team *next; // in the list of those that are unused
    const void *tsan;        // the fibre of TSan that used it last
    void *shared;            // TN_RT_SHARED_BYTES

    struct tn_rt_fault fault; // has the current fibre
    struct tn_rt_fibre base;  // the thread of the CPU
    struct tn_rt_fibre *idle;
    struct tn_rt_fibre *all;
    struct tn_rt_waiters ready;

    uint32_t threads;
    uint32_t ended;         // threads that have returned
    uint32_t counted;       // threads before this one are counted as returned or were parked
    uint32_t arrived;       // threads at the barrier
    uint32_t votes;         // those of them that voted
    uint32_t result;        // votes of the previous barrier
    bool waits_for_grid;    // at this barrier
    uint32_t barrier_count; // so far
    uint32_t grid_count;    // those of the grid, in this launch
    struct tn_rt_waiters barrier;
    bool warps_used;
    struct tn_rt_warp warps[TN_RT_TEAM_WARPS];

    bool (*wait_for_grid)(struct tn_rt_grid_barrier *); // false: another block failed
    struct tn_rt_grid_barrier *grid;

    tn_rt_error error; // of the block
    char why[TN_RT_TEXT];
    uintptr_t stray; // the address of a stray access, or 0
    uintptr_t code;  // behind the instruction that failed, or 0
};

// Returns an unused team, or NULL without memory. The second function makes it unused.
// The thread of the CPU that takes a team puts it back. Signals of its kernels end the block.
struct tn_rt_team *tn_rt_team_take(const struct tn_rt_launch *launch);
void tn_rt_team_put(struct tn_rt_team *team);

// Describes the kernel, the block and the thread that the calling thread of the CPU runs. Writes nothing
// outside of kernels.
void tn_rt_team_describe(char *text, size_t size);

// Runs `count` blocks one after another, from number `first` on, x first.
tn_rt_error tn_rt_team_run(struct tn_rt_team *team, uint64_t first, uint64_t count);

// Returns the length of the kernel's name, which *name receives, without brackets around it; 100 at
// most.
int tn_rt_team_kernel(const struct tn_rt_launch *launch, const char **name);
