// SPDX-License-Identifier: Apache-2.0
// Who can know what has happened: vector clocks. An actor is the host or a stream. The threads of
// the host are one actor: how they hand work to each other (locks, joins) is not seen here, and a
// thread checker exists for that. Each thing an actor does is a moment of its own time. An actor
// knows a moment when that surely came before what the actor does next.
//
// A point is what an actor knew when it was taken: an event. The caller serialises.
#ifndef TARN_CHECK_CLOCKS_H
#define TARN_CHECK_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum { TN_CHECK_ACTOR_HOST = 0 };

struct tn_check_moment {
    uint64_t time; // 0: never
    uint32_t actor;
};

// What is known of each actor's time. Zeroed knows nothing.
struct tn_check_point {
    uint64_t *at;
    uint32_t length;
};

struct tn_check_clocks {
    struct tn_check_point *actors;
    bool *alive;
    uint32_t count;
    uint32_t capacity;
    bool failed; // no memory once: knowledge is missing, so nothing may be concluded any more
};

// With the host alone. False: no memory.
bool tn_check_clocks_init(struct tn_check_clocks *clocks);
void tn_check_clocks_fini(struct tn_check_clocks *clocks);

// A new actor, who knows nothing. The place of one that ended is used again, and its time goes on.
uint32_t tn_check_clocks_begin(struct tn_check_clocks *clocks);
void tn_check_clocks_end(struct tn_check_clocks *clocks, uint32_t actor);

// The next moment of the actor.
struct tn_check_moment tn_check_clocks_tick(struct tn_check_clocks *clocks, uint32_t actor);

// `actor` learns all that `from` knows.
void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from);

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment);

// The point becomes what the actor knows; what it was is forgotten.
void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

// `actor` learns what the point knows.
void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor);

// Adds to the point what the actor knows.
void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

bool tn_check_point_knows(const struct tn_check_point *point, struct tn_check_moment moment);

void tn_check_point_fini(struct tn_check_point *point);

#endif
