// SPDX-License-Identifier: Apache-2.0
// What the tests of channels share: arenas, both ends of a channel in one process, and short verbs
// that assert success. Include after cmocka.h, or let this do it.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tarn/channel.h>

#include "support/api.h"

#define KIB         UINT64_C(1024)
#define MIB         (KIB * 1024)
#define MS          UINT64_C(1000000)
#define LONG_ENOUGH (UINT64_C(600) * 1000 * MS) // for what must happen: far longer than it takes

// Two sides, each with an arena of its own, joined by one channel.
struct pair {
    tarn_arena *arena[2];
    tarn_channel *end[2];
};

tarn_arena *channel_arena(uint64_t bytes);

// Whether TARN_TEST_CHANNEL asks for UCX over the loopback instead of shared memory, and there is
// UCX.
bool channel_over_ucx(void);
// For claims about shared memory.
#define skip_over_ucx()                                                                            \
    do {                                                                                           \
        if (channel_over_ucx()) {                                                                  \
            skip();                                                                                \
        }                                                                                          \
    } while (0)
// An address "ucx://127.0.0.1:PORT" that nobody listens at. Static memory.
const char *channel_ucx_address(void);

// Joins two arenas over a pair of sockets, or over UCX. `desc` gives the numbers, NULL the
// defaults.
void channel_join(tarn_arena *a, tarn_arena *b, const tarn_channel_desc *desc, tarn_channel **end_a,
                  tarn_channel **end_b);

// cmocka fixtures: *state is a struct pair of two arenas of 32 MiB. Ports 0 to 3 of side 1 and port
// 0 of side 0 are open, 16 deep. The teardown asserts that nothing was left behind.
int channel_setup(void **state);
int channel_teardown(void **state);

// The parts of the teardown, for tests that close an end themselves.
void channel_end_arena(tarn_arena *arena);

void *channel_get(tarn_arena *arena, uint64_t bytes);
void *channel_get_manual(tarn_arena *arena, uint64_t bytes);
// With a credit that is there, or, over UCX, on its way.
tarn_status channel_send(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes);
// What is there now, whatever is on its way.
tarn_status channel_try_send(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes);
// How long a send that must succeed waits: not at all, or, over UCX, as long as it takes.
uint64_t channel_patience(void);
// The next delivery, which must come.
const tarn_delivery *channel_next(tarn_channel *end);
// The next one's parcel; the delivery is done.
void *channel_take(tarn_channel *end);

tarn_arena_stats channel_arena_stats(tarn_arena *arena);
tarn_channel_stats channel_stats(tarn_channel *end);
tarn_parcel_state channel_state(tarn_arena *arena, const void *parcel);

uint64_t channel_now_ns(void);
