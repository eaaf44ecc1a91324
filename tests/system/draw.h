// SPDX-License-Identifier: Apache-2.0
// Random numbers. Each step of a seed draws from a state of its own, so that a step draws the same
// numbers when others before it are left out.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct draw {
    uint64_t state;
};

// The generator splitmix64.
static inline uint64_t draw_next(struct draw *d) {
    uint64_t z = (d->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline struct draw draw_of(uint64_t seed, uint64_t number) {
    struct draw d = {seed * UINT64_C(0x2545f4914f6cdd1d) + number};
    d.state = draw_next(&d);
    return d;
}

static inline unsigned draw_below(struct draw *d, unsigned n) {
    return (unsigned)(draw_next(d) % n);
}

static inline bool draw_one_in(struct draw *d, unsigned n) { return draw_below(d, n) == 0; }
