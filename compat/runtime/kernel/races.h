// SPDX-License-Identifier: Apache-2.0
// Races between the threads of a kernel, which was compiled to report its accesses. The last accesses
// of each 8 bytes are kept while the kernel runs. Two accesses are ordered by a barrier of their
// block, by a meeting of their warp, by a barrier of the grid, or by fences of both behind the first.
// At the end of a launch the checker gets its accesses, for the order of streams.
//
// Outside of kernels accesses are those of the host, which the checker judges at once, except in
// functions in stream order: these are recorded as kernels are.
#pragma once

#include "compat/runtime/kernel/team.h"

struct tn_rt_races;
struct tn_stack_symbol; // src/stack/stack.h

// Returns true for code of a face's headers, which reports name no line of.
bool tn_rt_is_of_headers(const struct tn_stack_symbol *symbol);

// Begins and ends the record of a launch of `kernel`, a text such as "kernel scale". A kernel whose
// accesses are not known is reported. Returns NULL without memory. `complete`: the kernel did not fail.
// The thread that runs the launch in order of its stream calls the second function.
struct tn_rt_races *tn_rt_races_begin(const struct tn_rt_launch *launch, const char *kernel);
void tn_rt_races_end(struct tn_rt_races *races, bool complete);

// Calls a function of the program in stream order, and records its accesses.
void tn_rt_races_function(void (*fn)(void *arg), void *arg);

// From now on the calling thread's accesses are those of the threads that the team runs, until the
// second call. Without `races` nothing is recorded.
void tn_rt_races_watch(struct tn_rt_races *races, const struct tn_rt_team *team);
void tn_rt_races_unwatch(void);

// Bits of `kind`. ALIGNED: the address should be a multiple of the size, or of 8: compilers
// report a copy of 16 bytes without the alignment of its type. TYPED: the address alone is judged,
// and should be a multiple of the size, which is the alignment of the type.
enum {
    TN_RT_ACCESS_WRITE = 1,
    TN_RT_ACCESS_ATOMIC = 2,
    TN_RT_ACCESS_ALIGNED = 4,
    TN_RT_ACCESS_TYPED = 8
};

// Records an access, or a fence of the thread that runs. Outside of kernels and functions, an access is
// one of the host. `frame` is that of a function that was called
// for the access: the frame pointer of its caller, and the address to which it returns.
void tn_rt_races_access(uintptr_t address, size_t bytes, unsigned kind, const uintptr_t *frame);
void tn_rt_races_fence(void);
