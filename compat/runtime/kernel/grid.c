// SPDX-License-Identifier: Apache-2.0
// See grid.h. The barrier breaks when a block ends without coming; then the waiting blocks fail.
#include "compat/runtime/kernel/grid.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/kernel/team.h"

struct tn_rt_grid_barrier {
    pthread_mutex_t lock; // guards the rest
    pthread_cond_t moved;
    const struct tn_rt_launch *launch;
    uint32_t blocks;
    uint32_t arrived;
    uint64_t generation;
    bool broken;
    tn_rt_error error; // of the block that failed first
    char text[TN_RT_TEXT];
};

struct block_thread {
    struct tn_rt_grid_barrier *grid;
    uint32_t number;
    bool started;
    pthread_t thread;
};

static bool wait_for_grid(struct tn_rt_grid_barrier *grid) {
    TN_FACE_LOCKED(&grid->lock);
    uint64_t generation = grid->generation;
    if (++grid->arrived == grid->blocks) {
        grid->arrived = 0;
        grid->generation++;
        (void)pthread_cond_broadcast(&grid->moved);
    }
    while (grid->generation == generation && !grid->broken)
        (void)pthread_cond_wait(&grid->moved, &grid->lock);
    return grid->generation != generation;
}

static void end_block(struct tn_rt_grid_barrier *grid, tn_rt_error error) {
    TN_FACE_LOCKED(&grid->lock);
    if (error != TN_RT_OK && grid->error == TN_RT_OK) {
        grid->error = error;
        (void)snprintf(grid->text, sizeof grid->text, "%s", tn_rt_text());
    }
    grid->broken = true;
    (void)pthread_cond_broadcast(&grid->moved);
}

static void *run_block(void *arg) {
    const struct block_thread *own = (const struct block_thread *)arg;
    struct tn_rt_grid_barrier *grid = own->grid;
    struct tn_rt_team *team = tn_rt_team_take(grid->launch);
    tn_rt_error error = TN_RT_OUT_OF_MEMORY;
    if (team != NULL) {
        team->wait_for_grid = wait_for_grid;
        team->grid = grid;
        error = tn_rt_team_run(team, own->number, 1);
        tn_rt_team_put(team);
    } else {
        (void)tn_rt_fail(error, "no host memory for the threads of a block");
    }
    end_block(grid, error);
    return NULL;
}

tn_rt_error tn_rt_grid_run(const struct tn_rt_launch *launch, uint32_t blocks) {
    struct tn_rt_grid_barrier grid = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                      .moved = PTHREAD_COND_INITIALIZER,
                                      .launch = launch,
                                      .blocks = blocks};
    struct block_thread *of = (struct block_thread *)calloc(blocks, sizeof *of);
    TN_RT_REFUSE(of == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for %u blocks", blocks);
    for (uint32_t i = 0; i < blocks; i++) of[i] = (struct block_thread){&grid, i, false, 0};
    for (uint32_t i = 1; i < blocks; i++) {
        of[i].started = pthread_create(&of[i].thread, NULL, run_block, &of[i]) == 0;
        if (of[i].started) continue;
        end_block(&grid,
                  tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no thread for block %u of %u", i, blocks));
        break;
    }
    (void)run_block(&of[0]);
    for (uint32_t i = 1; i < blocks; i++)
        if (of[i].started) (void)pthread_join(of[i].thread, NULL);
    free(of);
    return grid.error == TN_RT_OK ? TN_RT_OK : tn_rt_fail(grid.error, "%s", grid.text);
}
