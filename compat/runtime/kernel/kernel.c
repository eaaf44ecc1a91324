// SPDX-License-Identifier: Apache-2.0
// See kernel.h: launches of kernels that were compiled for the host. This file checks a launch,
// submits it to its stream, and distributes its blocks over the CPUs. A team runs each block.
#include "compat/runtime/kernel/kernel.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/device/identity.h"
#include "compat/runtime/kernel/grid.h"
#include "compat/runtime/kernel/policy.h"
#include "compat/runtime/kernel/races.h"
#include "compat/runtime/kernel/team.h"
#include "compat/runtime/stream/stream_call.h"

// The form that tn_rt_call_parts() copies. Its parts share it.
struct whole_launch {
    struct tn_rt_launch launch;
    uint64_t blocks;
    uint64_t chunk;          // blocks that a part takes at once
    _Atomic(uint64_t) taken; // by all parts
    _Atomic(bool) failed, reported;
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[TN_RT_CLOSURE_BYTES];
};

enum { WORK = 128 };

static void describe_kernel(const struct tn_rt_launch *launch, char text[WORK]) {
    const char *name;
    int length = tn_rt_team_kernel(launch, &name);
    (void)snprintf(text, WORK, "kernel %.*s", length, name);
}

// ---- execution

// Headers of vendors return their errors, whose numbers are the runtime's.
tn_rt_error tn_rt_kernel_run(void (*kernel)(void), const void *closure,
                             struct tn_rt_host_block *block, const char **why) {
    typedef int (*function)(const void *closure, struct tn_rt_host_block *block, const char **why);
    return (tn_rt_error)((function)kernel)(closure, block, why);
}

static tn_rt_error run_blocks(struct whole_launch *whole, const struct tn_rt_launch *launch) {
    tn_rt_error error = TN_RT_OK;
    struct tn_rt_team *team = tn_rt_team_take(launch);
    TN_RT_REFUSE(team == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for the threads of a block");
    while (error == TN_RT_OK && !atomic_load_explicit(&whole->failed, memory_order_relaxed)) {
        uint64_t first =
            atomic_fetch_add_explicit(&whole->taken, whole->chunk, memory_order_relaxed);
        if (first >= whole->blocks) break;
        uint64_t left = whole->blocks - first;
        error = tn_rt_team_run(team, first, left < whole->chunk ? left : whole->chunk);
    }
    tn_rt_team_put(team);
    return error;
}

static tn_rt_error run_whole(struct whole_launch *whole) {
    struct tn_rt_launch launch = whole->launch;
    launch.closure = whole->closure;
    launch.reported = &whole->reported;
    if (tn_rt_kernel_policy.kernel_races) {
        char work[WORK];
        describe_kernel(&launch, work);
        launch.races = tn_rt_races_begin(&launch, work);
    }
    tn_rt_error error = launch.cooperative ? tn_rt_grid_run(&launch, (uint32_t)whole->blocks)
                                           : run_blocks(whole, &launch);
    tn_rt_races_end(launch.races, error == TN_RT_OK);
    // Programs that ignore errors see it too.
    if (error != TN_RT_OK && !atomic_exchange(&whole->failed, true))
        fprintf(stderr, "tarn: %s\n", tn_rt_text());
    return error;
}

static void fill_whole(struct whole_launch *whole, const struct tn_rt_launch *launch) {
    whole->launch = *launch;
    whole->blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    // Eight for each processor, because some blocks take longer.
    whole->chunk = whole->blocks / (uint64_t)tn_rt_processors() / 8 + 1;
    if (whole->chunk > 64) whole->chunk = 64;
    whole->taken = 0;
    whole->failed = whole->reported = false;
    if (launch->closure_bytes > 0) memcpy(whole->closure, launch->closure, launch->closure_bytes);
}

// Kernels that a kernel launched on this thread. They run behind its blocks here and before it ends, as
// a GPU may do it: work behind the kernel waits for them.
struct nested {
    struct whole_launch whole;
    struct nested *next;
};
static _Thread_local struct nested **nested_end; // NULL outside of a kernel

static tn_rt_error nest(const struct tn_rt_launch *launch) {
    TN_RT_REFUSE(launch->cooperative, TN_RT_NOT_SUPPORTED, "a cooperative launch in a kernel");
    struct nested *own = (struct nested *)aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, sizeof *own);
    TN_RT_REFUSE(own == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a kernel of a kernel");
    fill_whole(&own->whole, launch);
    own->next = NULL;
    *nested_end = own;
    nested_end = &own->next;
    return TN_RT_OK;
}

static tn_rt_error run_part(void *closure, uint64_t part) {
    struct nested *first = NULL;
    (void)part;
    nested_end = &first;
    tn_rt_error error = run_whole((struct whole_launch *)closure);
    while (first != NULL) {
        struct nested *own = first;
        if (error == TN_RT_OK) error = run_whole(&own->whole); // may launch more
        first = own->next;
        if (first == NULL) nested_end = &first;
        free(own);
    }
    nested_end = NULL;
    return error;
}

// ---- submission

static void report_arguments(const struct tn_rt_launch *launch, const struct tn_rt_where *where) {
    char work[WORK];
    if (!tarn_annotate_subscribed()) return;
    tarn_annotate_describe_by(tn_rt_team_describe);
    describe_kernel(launch, work);
    (tn_rt_kernel_policy.kernel_races ? tarn_check_watched_arguments : tarn_check_arguments)(
        launch->closure, launch->closure_bytes, launch->name != NULL ? work : NULL, where->stream);
    if (!tn_rt_kernel_policy.kernel_races) tarn_check_accesses(NULL, 0, work);
}

static tn_rt_error run_launch(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    const struct tn_rt_launch *launch = &op->launch;
    struct whole_launch whole;
    uint64_t parts = (uint64_t)tn_rt_processors();
    report_arguments(launch, where);
    fill_whole(&whole, launch);
    return tn_rt_call_parts(where, run_part, &whole,
                            offsetof(struct whole_launch, closure) + launch->closure_bytes,
                            launch->cooperative || tn_rt_kernel_policy.kernel_races ? 1
                            : whole.blocks < parts                                  ? whole.blocks
                                                                                    : parts);
}

static size_t round_up(size_t size) {
    return (size + TN_RT_CLOSURE_ALIGNMENT - 1) / TN_RT_CLOSURE_ALIGNMENT * TN_RT_CLOSURE_ALIGNMENT;
}

// Copies the closure, and the list of its arguments behind it.
static tn_rt_error keep_closure(struct tn_rt_op *op) {
    struct tn_rt_launch *launch = &op->launch;
    size_t at = round_up(launch->closure_bytes);
    size_t list_bytes = launch->argument_count * sizeof(void *);
    char *own = (char *)aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, at + round_up(list_bytes + 1));
    TN_RT_REFUSE(own == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a kernel's arguments");
    void **arguments = (void **)(own + at);
    if (launch->closure_bytes > 0) memcpy(own, launch->closure, launch->closure_bytes);
    if (launch->arguments != NULL)
        memcpy(arguments, launch->arguments, list_bytes);
    else if (launch->argument_count > 0)
        launch->list(launch->closure, arguments);
    for (uint32_t i = 0; i < launch->argument_count; i++)
        arguments[i] = own + ((const char *)arguments[i] - (const char *)launch->closure);
    launch->closure = own;
    launch->arguments = arguments;
    return TN_RT_OK;
}

static void drop_closure(struct tn_rt_op *op) { free((void *)(uintptr_t)op->launch.closure); }

static bool extent_fits(const struct tn_rt_dim *extent, uint32_t x, uint32_t yz) {
    return extent->x > 0 && extent->y > 0 && extent->z > 0 && extent->x <= x && extent->y <= yz &&
           extent->z <= yz;
}

tn_rt_error tn_rt_kernel_extents(const struct tn_rt_launch *launch) {
    const struct tn_rt_dim *g = &launch->grid;
    const struct tn_rt_dim *b = &launch->block;
    TN_RT_REFUSE(!extent_fits(g, TN_RT_GRID_X, TN_RT_GRID_YZ),
                 tn_rt_kernel_policy.configuration_error, "a grid of %u x %u x %u blocks", g->x,
                 g->y, g->z);
    TN_RT_REFUSE(!extent_fits(b, TN_RT_THREADS_PER_BLOCK, TN_RT_THREADS_PER_BLOCK) ||
                     (tn_rt_kernel_policy.block_z > 0 && b->z > tn_rt_kernel_policy.block_z) ||
                     (uint64_t)b->x * b->y * b->z > TN_RT_THREADS_PER_BLOCK,
                 tn_rt_kernel_policy.configuration_error,
                 "a block of %u x %u x %u threads, %d at most", b->x, b->y, b->z,
                 TN_RT_THREADS_PER_BLOCK);
    TN_RT_REFUSE(launch->max_threads > 0 && b->x * b->y * b->z > launch->max_threads,
                 tn_rt_kernel_policy.bounds_error,
                 "a block of %u x %u x %u threads, %u at most by the kernel's launch bounds", b->x,
                 b->y, b->z, launch->max_threads);
    TN_RT_REFUSE(launch->shared_bytes > TN_RT_SHARED_BYTES, tn_rt_kernel_policy.configuration_error,
                 "%zu bytes of shared memory, %d at most", launch->shared_bytes,
                 TN_RT_SHARED_BYTES);
    uint64_t blocks = (uint64_t)g->x * g->y * g->z;
    TN_RT_REFUSE(launch->cooperative && blocks > (uint64_t)tn_rt_processors(),
                 TN_RT_COOPERATIVE_TOO_LARGE,
                 "%llu blocks that wait for each other, %d run at once", (unsigned long long)blocks,
                 tn_rt_processors());
    return TN_RT_OK;
}

tn_rt_error tn_rt_kernel_op(struct tn_rt_op *op, const struct tn_rt_launch *launch) {
    TN_RT_REFUSE(launch->kernel == NULL, TN_RT_INVALID_VALUE, "kernel is NULL");
    TN_RT_REFUSE(launch->closure == NULL && launch->closure_bytes > 0, TN_RT_INVALID_VALUE,
                 "closure is NULL");
    TN_RT_REFUSE(launch->closure_bytes > TN_RT_CLOSURE_BYTES, TN_RT_INVALID_VALUE,
                 "%zu bytes of arguments, %d at most", launch->closure_bytes, TN_RT_CLOSURE_BYTES);
    TN_RT_REFUSE(launch->argument_count > 0 && launch->list == NULL, TN_RT_INVALID_VALUE,
                 "%u arguments without a list", launch->argument_count);
    TN_RT_TRY(tn_rt_kernel_extents(launch));
    *op = (struct tn_rt_op){.work = TN_RT_WORK_KERNEL,
                            .run = run_launch,
                            .keep = keep_closure,
                            .drop = drop_closure,
                            .launch = *launch};
    return TN_RT_OK;
}

tn_rt_error tn_rt_kernel_submit(const struct tn_rt_op *op, void *stream) {
    return nested_end != NULL ? nest(&op->launch) : tn_rt_submit(stream, op);
}

tn_rt_error tn_rt_kernel_launch(const struct tn_rt_launch *launch, void *stream) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_kernel_op(&op, launch));
    return tn_rt_kernel_submit(&op, stream);
}

// ---- occupancy

tn_rt_error tn_rt_kernel_blocks(int *blocks, uint32_t most, int threads, size_t shared) {
    TN_RT_TRY(tn_rt_check_pointer(blocks, "numBlocks"));
    TN_RT_REFUSE(most == 0, TN_RT_INVALID_DEVICE_FUNCTION, "the kernel is NULL");
    TN_RT_REFUSE(threads <= 0, TN_RT_INVALID_VALUE, "blocks of %d threads", threads);
    *blocks = (uint32_t)threads <= most && shared <= TN_RT_SHARED_BYTES ? 1 : 0;
    return TN_RT_OK;
}

tn_rt_error tn_rt_kernel_grid(int *grid, int *block, uint32_t most, size_t shared, int limit) {
    int blocks = 0;
    TN_RT_TRY(tn_rt_check_pointer(grid, "gridSize"));
    TN_RT_TRY(tn_rt_check_pointer(block, "blockSize"));
    TN_RT_REFUSE(limit < 0, TN_RT_INVALID_VALUE, "blockSizeLimit %d", limit);
    int threads = most > 0 && (limit == 0 || (uint32_t)limit > most) ? (int)most : limit;
    if (most == 0) threads = 1; // the kernel is NULL
    TN_RT_TRY(tn_rt_kernel_blocks(&blocks, most, threads, shared));
    *block = blocks > 0 ? threads : 0;
    *grid = blocks * tn_rt_processors();
    return TN_RT_OK;
}

// ---- launches in several calls

// Of a thread; allocated when it first configures a launch.
#define CONFIGURATIONS 16
struct configurations {
    int count;
    struct tn_rt_configuration of[CONFIGURATIONS];
};
static pthread_key_t configurations;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) { (void)pthread_key_create(&configurations, free); }

static struct configurations *own_configurations(void) {
    (void)pthread_once(&once, make_key);
    struct configurations *own = (struct configurations *)pthread_getspecific(configurations);
    if (own == NULL) {
        own = (struct configurations *)calloc(1, sizeof *own);
        if (own != NULL && pthread_setspecific(configurations, own) != 0) {
            free(own);
            own = NULL;
        }
    }
    return own;
}

tn_rt_error tn_rt_configuration_push(const struct tn_rt_configuration *configuration) {
    struct configurations *own = own_configurations();
    TN_RT_REFUSE(own == NULL || own->count == CONFIGURATIONS, TN_RT_OUT_OF_MEMORY,
                 "no room for the configuration of a launch");
    own->of[own->count++] = *configuration;
    return TN_RT_OK;
}

tn_rt_error tn_rt_configuration_pop(struct tn_rt_configuration *configuration) {
    struct configurations *own = own_configurations();
    TN_RT_REFUSE(own == NULL || own->count == 0, TN_RT_MISSING_CONFIGURATION,
                 "no launch is configured");
    *configuration = own->of[--own->count];
    return TN_RT_OK;
}
