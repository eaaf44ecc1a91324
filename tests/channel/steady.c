// SPDX-License-Identifier: Apache-2.0
// Channels that open, carry messages and close leave no memory of the host behind.
#include <dirent.h>

#include "support/channel.h"

#include "support/steady.h"

struct sides {
    tarn_arena *arena[2];
};

static void send_some(tarn_arena *arena, tarn_channel *end, const char *control, uint64_t bytes) {
    tarn_message message = TARN_INIT(tarn_message);
    message.parcel = channel_get(arena, 1000);
    message.bytes = 1000;
    message.control = control;
    message.control_bytes = bytes;
    assert_ok(tarn_channel_send(end, &message, LONG_ENOUGH));
}

// The first delivery is done, the second is left to the close.
static void connection_round(void *arg) {
    const struct sides *sides = (const struct sides *)arg;
    static const char control[2000];
    tarn_channel *end[2];
    channel_join(sides->arena[0], sides->arena[1], NULL, &end[0], &end[1]);
    assert_ok(tarn_channel_open_port(end[1], 0, 4, 0));
    for (int i = 0; i < 2; i++) {
        send_some(sides->arena[0], end[0], control, i == 0 ? 8 : sizeof control);
        const tarn_delivery *d = channel_next(end[1]);
        assert_ok(tarn_parcel_free(sides->arena[1], d->parcel));
        if (i == 0) assert_ok(tarn_channel_done(end[1], d));
    }
    assert_ok(tarn_channel_close(end[0]));
    assert_ok(tarn_channel_close(end[1]));
}

static void connections_leave_nothing_behind(void **state) {
    struct sides sides = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}};
    (void)state;
    assert_steady(connection_round, &sides);
    channel_end_arena(sides.arena[0]);
    channel_end_arena(sides.arena[1]);
}

static int open_descriptors(void) {
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    assert_non_null(all);
    while (readdir(all) != NULL) count++;
    assert_int_equal(closedir(all), 0);
    return count;
}

static void arenas_and_channels_leave_no_descriptor(void **state) {
    (void)state;
    channel_end_arena(channel_arena(4 * MIB));
    const int before = open_descriptors();
    for (int i = 0; i < 3; i++) {
        struct sides sides = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}};
        connection_round(&sides);
        channel_end_arena(sides.arena[0]);
        channel_end_arena(sides.arena[1]);
    }
    assert_int_equal(open_descriptors(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_leave_nothing_behind),
        cmocka_unit_test(arenas_and_channels_leave_no_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
