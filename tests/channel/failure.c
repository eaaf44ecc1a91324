// SPDX-License-Identifier: Apache-2.0
// Claims about failures on request: every function of channels that a user can name in TARN_FAIL fails
// before it looks at its arguments.
#include <stdio.h>
#include <stdlib.h>

#include "support/channel.h"

// Calls of functions, with arguments that they refuse.
static tarn_status arena_create(void) { return tarn_arena_create(NULL, NULL); }
static tarn_status parcel_alloc(void) { return tarn_parcel_alloc(NULL, 0, 0, NULL); }
static tarn_status parcel_alloc_with(void) { return tarn_parcel_alloc_with(NULL, NULL, NULL); }
static tarn_status channel_listen(void) { return tarn_channel_listen(NULL, NULL); }
static tarn_status channel_accept(void) { return tarn_channel_accept(NULL, NULL, 0, NULL); }
static tarn_status channel_connect(void) { return tarn_channel_connect(NULL, NULL, 0, NULL); }
static tarn_status channel_attach(void) { return tarn_channel_attach(-1, NULL, 0, NULL); }
static tarn_status channel_open_port(void) { return tarn_channel_open_port(NULL, 0, 0, 0); }
static tarn_status send_nothing(void) { return tarn_channel_send(NULL, NULL, 0); }
static tarn_status flush_nothing(void) { return tarn_channel_flush(NULL, 0); }
static tarn_status receive_nothing(void) { return tarn_channel_receive(NULL, 0, NULL); }
static tarn_status start_nothing(void) { return tarn_channel_start(NULL, NULL); }

static const struct {
    const char *name;
    tarn_status (*call)(void);
} functions[] = {
    {"tarn_arena_create", arena_create},           {"tarn_parcel_alloc", parcel_alloc},
    {"tarn_parcel_alloc_with", parcel_alloc_with}, {"tarn_channel_listen", channel_listen},
    {"tarn_channel_accept", channel_accept},       {"tarn_channel_connect", channel_connect},
    {"tarn_channel_attach", channel_attach},       {"tarn_channel_open_port", channel_open_port},
    {"tarn_channel_send", send_nothing},           {"tarn_channel_flush", flush_nothing},
    {"tarn_channel_receive", receive_nothing},     {"tarn_channel_start", start_nothing},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static void calls_of_channels_fail_before_they_look_at_arguments(void **state) {
    (void)state;
    for (int i = 0; i < FUNCTIONS; i++) assert_status(functions[i].call(), TARN_BUSY);
}

int main(void) {
    static char specs[4096];
    size_t length = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *name = functions[i].name;
        length += (size_t)snprintf(specs + length, sizeof specs - length, "%s%s:as=BUSY",
                                   i != 0 ? ";" : "", name);
    }
    (void)setenv("TARN_FAIL", specs, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_channels_fail_before_they_look_at_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
