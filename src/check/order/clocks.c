// SPDX-License-Identifier: Apache-2.0
// Vector clocks. See clocks.h.
#include "check/order/clocks.h"

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
    if (length <= point->length) return true;
    struct tn_check_known *at = realloc(point->at, length * sizeof *at);
    if (at == NULL) {
        clocks->failed = true;
        return false;
    }
    memset(at + point->length, 0, (length - point->length) * sizeof *at);
    point->at = at;
    point->length = length;
    return true;
}

// Returns the random word for the first `count` conditions of an actor (the mix of splitmix64).
static uint64_t hash_conditions(uint32_t actor, uint64_t count) {
    uint64_t word = ((uint64_t)actor << 40) + count + UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return count == 0 ? 0 : word ^ (word >> 31);
}

static void set_conditions(struct tn_check_point *point, uint32_t actor, uint64_t count) {
    point->conditions ^=
        hash_conditions(actor, point->at[actor].conditions) ^ hash_conditions(actor, count);
    point->at[actor].conditions = count;
}

void tn_check_point_merge(struct tn_check_clocks *clocks, struct tn_check_point *into,
                          const struct tn_check_point *from) {
    if (!reserve_point(clocks, into, from->length)) return;
    for (uint32_t i = 0; i < from->length; i++) {
        if (into->at[i].time < from->at[i].time) into->at[i].time = from->at[i].time;
        if (into->at[i].conditions < from->at[i].conditions)
            set_conditions(into, i, from->at[i].conditions);
    }
}

bool tn_check_point_knows(const struct tn_check_point *point, struct tn_check_moment moment) {
    return moment.actor < point->length ? point->at[moment.actor].time >= moment.time
                                        : moment.time == 0;
}

// ---- actors

bool tn_check_clocks_init(struct tn_check_clocks *clocks) {
    *clocks = (struct tn_check_clocks){0};
    (void)tn_check_clocks_begin(clocks);
    return !clocks->failed;
}

void tn_check_clocks_fini(struct tn_check_clocks *clocks) {
    for (uint32_t i = 0; i < clocks->count; i++) tn_check_point_fini(&clocks->actors[i].point);
    free(clocks->actors);
    *clocks = (struct tn_check_clocks){0};
}

uint32_t tn_check_clocks_begin(struct tn_check_clocks *clocks) {
    uint32_t number = 0;
    while (number < clocks->count && clocks->actors[number].alive) number++;
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
    for (uint32_t i = 0; i < own->length; i++)
        own->at[i] = i == actor ? own->at[i] : (struct tn_check_known){0};
    own->conditions = actor < own->length ? hash_conditions(actor, own->at[actor].conditions) : 0;
}

struct tn_check_moment tn_check_clocks_tick(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor].point;
    struct tn_check_moment moment = {.actor = actor};
    if (reserve_point(clocks, own, actor + 1)) {
        moment.time = ++own->at[actor].time;
        moment.host_learned = clocks->host_learned;
        moment.conditions = own->conditions;
    }
    return moment;
}

// Counts, if the host knows of more conditions than `before`.
static void count_host_learned(struct tn_check_clocks *clocks, uint64_t before) {
    clocks->host_learned += clocks->actors[TN_CHECK_ACTOR_HOST].point.conditions != before;
    clocks->failed = clocks->failed || clocks->host_learned == UINT32_MAX;
}

void tn_check_clocks_condition(struct tn_check_clocks *clocks, uint32_t actor) {
    struct tn_check_point *own = &clocks->actors[actor].point;
    uint64_t before = clocks->actors[TN_CHECK_ACTOR_HOST].point.conditions;
    if (reserve_point(clocks, own, actor + 1)) {
        set_conditions(own, actor, own->at[actor].conditions + 1);
        count_host_learned(clocks, before);
    }
}

void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor) {
    uint64_t before = clocks->actors[TN_CHECK_ACTOR_HOST].point.conditions;
    tn_check_point_merge(clocks, &clocks->actors[actor].point, point);
    count_host_learned(clocks, before);
}

void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from) {
    if (actor != from) tn_check_clocks_learn_point(clocks, &clocks->actors[from].point, actor);
}

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment) {
    return tn_check_point_knows(&clocks->actors[actor].point, moment);
}

bool tn_check_clocks_knows_all(const struct tn_check_clocks *clocks, uint32_t actor, uint32_t of) {
    const struct tn_check_point *point = &clocks->actors[actor].point;
    const struct tn_check_point *own = &clocks->actors[of].point;
    const struct tn_check_known nothing = {0};
    struct tn_check_known now = of < own->length ? own->at[of] : nothing;
    struct tn_check_known known = of < point->length ? point->at[of] : nothing;
    return known.time >= now.time && known.conditions >= now.conditions;
}

// ---- points

void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    if (point->length != 0) memset(point->at, 0, point->length * sizeof *point->at);
    point->conditions = 0;
    tn_check_point_merge(clocks, point, &clocks->actors[actor].point);
}

void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor) {
    tn_check_point_merge(clocks, point, &clocks->actors[actor].point);
}

bool tn_check_clocks_may_order(struct tn_check_moment moment, const struct tn_check_point *point) {
    return moment.conditions != point->conditions;
}

// The host's conditions at the moment are a subset of the moment's own.
bool tn_check_clocks_may_precede(const struct tn_check_clocks *clocks,
                                 struct tn_check_moment moment,
                                 const struct tn_check_point *point) {
    const struct tn_check_point *host = &clocks->actors[TN_CHECK_ACTOR_HOST].point;
    bool host_knew =
        point->conditions == host->conditions && moment.host_learned == clocks->host_learned;
    return !host_knew && tn_check_clocks_may_order(moment, point);
}
