// SPDX-License-Identifier: Apache-2.0
#include "check/clocks.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

void tn_check_point_fini(struct tn_check_point *point) {
    free(point->at);
    *point = (struct tn_check_point){0};
}

// Room for `length` actors. False: no memory, and `failed` says so.
static bool reserve_point(struct tn_check_clocks *clocks, struct tn_check_point *point,
                          uint32_t length) {
    if (length <= point->length) {
        return true;
    }
    uint64_t *at = (uint64_t *)realloc(point->at, length * sizeof *at);
    if (at == NULL) {
        clocks->failed = true;
        return false;
    }
    memset(at + point->length, 0, (length - point->length) * sizeof *at);
    point->at = at;
    point->length = length;
    return true;
}

static void merge_points(struct tn_check_clocks *clocks, struct tn_check_point *into,
                         const struct tn_check_point *from) {
    if (!reserve_point(clocks, into, from->length)) {
        return;
    }
    for (uint32_t i = 0; i < from->length; i++) {
        into->at[i] = into->at[i] > from->at[i] ? into->at[i] : from->at[i];
    }
}

bool tn_check_point_knows(const struct tn_check_point *point, struct tn_check_moment moment) {
    return moment.actor < point->length ? point->at[moment.actor] >= moment.time : moment.time == 0;
}

// ---- actors

bool tn_check_clocks_init(struct tn_check_clocks *clocks) {
    *clocks = (struct tn_check_clocks){0};
    (void)tn_check_clocks_begin(clocks);
    return !clocks->failed;
}

void tn_check_clocks_fini(struct tn_check_clocks *clocks) {
    for (uint32_t i = 0; i < clocks->count; i++) {
        tn_check_point_fini(&clocks->actors[i]);
    }
    free(clocks->actors);
    free(clocks->alive);
    *clocks = (struct tn_check_clocks){0};
}

static bool grow_clocks(struct tn_check_clocks *clocks) {
    uint32_t capacity = clocks->capacity != 0 ? 2 * clocks->capacity : FIRST_CAPACITY;
    struct tn_check_point *actors =
        (struct tn_check_point *)realloc(clocks->actors, capacity * sizeof *actors);
    if (actors == NULL) {
        return false;
    }
    clocks->actors = actors;
    bool *alive = (bool *)realloc(clocks->alive, capacity * sizeof *alive);
    if (alive == NULL) {
        return false;
    }
    clocks->alive = alive;
    clocks->capacity = capacity;
    return true;
}

static uint32_t free_place(const struct tn_check_clocks *clocks) {
    uint32_t place = 0;
    while (place < clocks->count && clocks->alive[place]) {
        place++;
    }
    return place;
}

uint32_t tn_check_clocks_begin(struct tn_check_clocks *clocks) {
    uint32_t place = free_place(clocks);
    if (place == clocks->capacity && !grow_clocks(clocks)) {
        clocks->failed = true;
        return TN_CHECK_ACTOR_HOST;
    }
    if (place == clocks->count) {
        clocks->actors[place] = (struct tn_check_point){0};
        clocks->count++;
    }
    clocks->alive[place] = true;
    (void)reserve_point(clocks, &clocks->actors[place], place + 1);
    return place;
}

void tn_check_clocks_end(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor];
    clocks->alive[actor] = false;
    for (uint32_t i = 0; i < own->length; i++) {
        own->at[i] = i == actor ? own->at[i] : 0;
    }
}

struct tn_check_moment tn_check_clocks_tick(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor];
    struct tn_check_moment moment = {0, actor};
    if (reserve_point(clocks, own, actor + 1)) {
        moment.time = ++own->at[actor];
    }
    return moment;
}

void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from) {
    if (actor != from) {
        merge_points(clocks, &clocks->actors[actor], &clocks->actors[from]);
    }
}

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment) {
    return tn_check_point_knows(&clocks->actors[actor], moment);
}

// ---- points

void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    if (point->length != 0) {
        memset(point->at, 0, point->length * sizeof *point->at);
    }
    merge_points(clocks, point, &clocks->actors[actor]);
}

void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor) {
    merge_points(clocks, &clocks->actors[actor], point);
}

void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    merge_points(clocks, point, &clocks->actors[actor]);
}
