// SPDX-License-Identifier: Apache-2.0
// Vector clocks. An actor is the host or a stream. All host threads are one actor, because this
// checker does not observe how they synchronise (locks, joins). Each action of an actor is a moment
// of its own time, and a point is a copy of an actor's knowledge, such as the record of an event.
// The owner serialises every call.
//
// A condition is a wait whose other side no event shows: a value in memory, a notify, or an event of
// another process. It may come after any action X that it does not itself precede; call X its signal.
// Write a < b if a certainly comes before b, and C(a) for the set of conditions before a. A correct
// program may rely on an order a, b that is not a < b. Then the order passes through signals; let X be
// the last one, of the condition c. So a comes before X, X before c, and c < b. Then c is in C(b), and
// not in C(a), or c would come before its own signal. Therefore:
//
//   If C(b) is a subset of C(a) and not a < b, no condition orders a before b.
//   If C(a) = C(b), and neither a < b nor b < a, no condition orders them at all.
//
// A race is concluded by these rules alone. They lose nothing else: if c is in C(b) and not in C(a),
// the work of a may itself be the signal of c.
//
// Conditions of one actor follow each other, so their number for each actor describes C. A point
// keeps a hash of these numbers, which is the exclusive or of one random word for each actor. Two
// different sets have one hash with a probability of 2^-64.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TN_CHECK_ACTOR_HOST = 0 };

struct tn_check_moment {
    uint64_t time; // 0 means never
    uint32_t actor;
    uint32_t host_learned; // of the clocks, at this moment
    uint64_t conditions;   // the hash of the conditions before it
};

// The part of one actor that certainly came before: its latest moment, and the number of its
// conditions.
struct tn_check_known {
    uint64_t time;
    uint64_t conditions;
};

// For each actor what certainly came before. A zeroed point knows nothing.
struct tn_check_point {
    struct tn_check_known *at;
    uint32_t length;
    uint64_t conditions; // the hash of those of `at`
};

struct tn_check_actor {
    struct tn_check_point point;
    bool alive;
};

struct tn_check_clocks {
    struct tn_check_actor *actors;
    uint32_t count;
    uint32_t capacity;
    uint32_t host_learned; // how often the host learned of conditions
    bool failed; // memory ran out: knowledge is missing, so no race may be concluded any more
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

// The actor waits for a condition: all its later moments come after it.
void tn_check_clocks_condition(struct tn_check_clocks *clocks, uint32_t actor);

// From now on `actor` knows what `from` knows.
void tn_check_clocks_learn(struct tn_check_clocks *clocks, uint32_t actor, uint32_t from);

bool tn_check_clocks_knows(const struct tn_check_clocks *clocks, uint32_t actor,
                           struct tn_check_moment moment);

// Returns true if `actor` knows everything that `of` has done so far.
bool tn_check_clocks_knows_all(const struct tn_check_clocks *clocks, uint32_t actor, uint32_t of);

// Replaces the point by the knowledge of the actor.
void tn_check_point_set(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

// From now on `actor` knows what the point knows.
void tn_check_clocks_learn_point(struct tn_check_clocks *clocks, const struct tn_check_point *point,
                                 uint32_t actor);

// Adds the knowledge of a point, or of the actor, to the point.
void tn_check_point_merge(struct tn_check_clocks *clocks, struct tn_check_point *into,
                          const struct tn_check_point *from);
void tn_check_point_add(struct tn_check_clocks *clocks, struct tn_check_point *point,
                        uint32_t actor);

bool tn_check_point_knows(const struct tn_check_point *point, struct tn_check_moment moment);

// Returns true if a condition may order the moment before the point, or, for the second function,
// one before the other. Both may return true although no condition does.
bool tn_check_clocks_may_precede(const struct tn_check_clocks *clocks,
                                 struct tn_check_moment moment, const struct tn_check_point *point);
bool tn_check_clocks_may_order(struct tn_check_moment moment, const struct tn_check_point *point);

void tn_check_point_fini(struct tn_check_point *point);
