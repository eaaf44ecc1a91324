// SPDX-License-Identifier: Apache-2.0
// Vector clocks. See clocks.h.
#include "check/clocks.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

void tn_check_point_fini(struct tn_check_point *point) {
    free(point->at);
    *point = (struct tn_check_point){0};
}

// Makes room for `length` actors. If out of memory, returns false and sets `failed`.
static bool reserve_point(struct tn_check_clocks *clocks, struct tn_check_point *point,
                          uint32_t length) {
    if (length <= point->length) {
        return true;
    }
    uint64_t *at = realloc(point->at, length * sizeof *at);
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
        tn_check_point_fini(&clocks->actors[i].point);
    }
    free(clocks->actors);
    *clocks = (struct tn_check_clocks){0};
}

uint32_t tn_check_clocks_begin(struct tn_check_clocks *clocks) {
    uint32_t number = 0;
    while (number < clocks->count && clocks->actors[number].alive) {
        number++;
    }
    if (number == clocks->capacity) {
        uint32_t capacity = clocks->capacity != 0 ? 2 * clocks->capacity : FIRST_CAPACITY;
        struct tn_check_actor *actors = realloc(clocks->actors, capacity * sizeof *actors);
        if (actors == NULL) {
            clocks->failed = true;
            return TN_CHECK_ACTOR_HOST;
        }
        clocks->actors = actors;
        clocks->capacity = capacity;
    }
    if (number == clocks->count) {
        clocks->actors[number].point = (struct tn_check_point){0};
        clocks->count++;
    }
    clocks->actors[number].alive = true;
    (void)reserve_point(clocks, &clocks->actors[number].point, number + 1);
    return number;
}

void tn_check_clocks_end(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor].point;
    clocks->actors[actor].alive = false;
    for (uint32_t i = 0; i < own->length; i++) {
        own->at[i] = i == actor ? own->at[i] : 0;
    }
}

struct tn_check_moment tn_check_clocks_tick(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor].point;
    struct tn_check_moment moment = {0, actor};
    if (reserve_point(clocks, own, actor + 1)) {
        moment.time = ++own->at[actor];
    }
    return moment;
}

void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from) {
    if (actor != from) {
        merge_points(clocks, &clocks->actors[actor].point, &clocks->actors[from].point);
    }
}

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment) {
    return tn_check_point_knows(&clocks->actors[actor].point, moment);
}

// ---- points

void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    if (point->length != 0) {
        memset(point->at, 0, point->length * sizeof *point->at);
    }
    merge_points(clocks, point, &clocks->actors[actor].point);
}

void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor) {
    merge_points(clocks, &clocks->actors[actor].point, point);
}

void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    merge_points(clocks, point, &clocks->actors[actor].point);
}
