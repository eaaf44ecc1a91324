// SPDX-License-Identifier: Apache-2.0
// Vector clocks. An actor is the host or a stream. All host threads are one actor, because this
// checker does not observe how they synchronise (locks, joins). Each action of an actor is a moment
// of its own time, and a point is a copy of an actor's knowledge, such as the record of an event.
// The owner serialises every call.
#ifndef TARN_CHECK_CLOCKS_H
#define TARN_CHECK_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum { TN_CHECK_ACTOR_HOST = 0 };

struct tn_check_moment {
    uint64_t time; // 0 means never
    uint32_t actor;
};

// For each actor the latest moment that certainly came before. A zeroed point knows nothing.
struct tn_check_point {
    uint64_t *at;
    uint32_t length;
};

struct tn_check_actor {
    struct tn_check_point point;
    bool alive;
};

struct tn_check_clocks {
    struct tn_check_actor *actors;
    uint32_t count;
    uint32_t capacity;
    bool failed; // memory ran out, or work waits for what no event tells: knowledge is missing, so
                 // no race may be concluded any more
};

// Begins with the host alone. Returns false if out of memory.
bool tn_check_clocks_init(struct tn_check_clocks *clocks);
void tn_check_clocks_fini(struct tn_check_clocks *clocks);

// Begins an actor that knows nothing. It may reuse the number of an ended actor, whose time
// continues.
uint32_t tn_check_clocks_begin(struct tn_check_clocks *clocks);
void tn_check_clocks_end(struct tn_check_clocks *clocks, uint32_t actor);

// Returns the next moment of the actor.
struct tn_check_moment tn_check_clocks_tick(struct tn_check_clocks *clocks, uint32_t actor);

// From now on `actor` knows what `from` knows.
void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from);

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment);

// Replaces the point by the knowledge of the actor.
void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

// From now on `actor` knows what the point knows.
void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor);

// Adds the knowledge of the actor to the point.
void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

bool tn_check_point_knows(const struct tn_check_point *point, struct tn_check_moment moment);

void tn_check_point_fini(struct tn_check_point *point);

#endif
