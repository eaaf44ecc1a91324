// SPDX-License-Identifier: Apache-2.0
// Claims about what can be seen of a channel: page faults in a steady stream, and statistics read
// from outside.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

static uint64_t faults(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_minflt;
}

// ---- faults

enum { FRAME = 3110400, FRAMES = 300 };

static void play(struct pair *p, int frames) {
    for (int i = 0; i < frames; i++) {
        unsigned char *frame = (unsigned char *)channel_get(p->arena[0], FRAME);
        for (size_t at = 0; at < FRAME; at += 4096) frame[at] = (unsigned char)i;
        assert_ok(channel_send(p->end[0], 0, frame, FRAME));
        frame = (unsigned char *)channel_take(p->end[1]);
        for (size_t at = 0; at < FRAME; at += 4096) assert_int_equal(frame[at], (unsigned char)i);
        assert_ok(tarn_parcel_free(p->arena[1], frame));
    }
}

// Sanitizers have page faults of their own: shadow memory, stacks that are used once.
static bool is_sanitized(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

static void steady_stream_of_frames_takes_no_page_fault(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    if (is_sanitized()) skip();
    uint64_t fewest = UINT64_MAX;
    play(p, FRAMES);
    for (int round = 0; round < 5 && fewest != 0;
         round++) { // the system may have faults of its own
        uint64_t before = faults();
        play(p, FRAMES);
        uint64_t after = faults() - before;
        fewest = after < fewest ? after : fewest;
    }
    assert_int_equal(fewest, 0);
}

// ---- from outside

// Of the descriptors of this process with that name, those for which peek() says yes.
static int each_descriptor(const char *name, bool (*peek)(const char *, void *), void *arg) {
    char path[64], target[128];
    int found = 0;
    DIR *all = opendir("/proc/self/fd");
    assert_non_null(all);
    const struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%.16s", entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        if (strncmp(target, name, strlen(name)) == 0) found += peek(path, arg);
    }
    (void)closedir(all);
    return found;
}

static bool has_two_live(const char *path, void *arg) {
    tarn_arena_stats stats = {.struct_size = sizeof stats};
    tarn_channel_stats wrong = {.struct_size = sizeof wrong};
    (void)arg;
    assert_ok(tarn_arena_peek(path, &stats));
    assert_status(tarn_channel_peek(path, &wrong), TARN_BAD_ARGUMENT);
    assert_int_equal(stats.capacity_bytes, 32 * MIB);
    return stats.live_parcels == 2 && stats.live_bytes == 300;
}

static bool has_sent_one(const char *path, void *arg) {
    tarn_channel_stats stats = {.struct_size = sizeof stats};
    (void)arg;
    assert_ok(tarn_channel_peek(path, &stats));
    assert_int_equal(stats.peer_pid, getpid());
    return stats.sends == 1 && stats.sent_bytes == 200 && stats.in_flight == 1;
}

static void statistics_can_be_read_from_outside(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    void *kept = channel_get(p->arena[0], 100);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 200), 200));
    assert_int_equal(each_descriptor("/memfd:tarn-arena-board", has_two_live, NULL), 1);
    assert_int_equal(each_descriptor("/memfd:tarn-channel-mailbox", has_sent_one, NULL), 1);
    assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    assert_ok(tarn_parcel_free(p->arena[0], kept));
}

static void only_our_memory_is_peeked_at(void **state) {
    tarn_arena_stats stats = {.struct_size = sizeof stats};
    (void)state;
    assert_status(tarn_arena_peek(NULL, &stats), TARN_BAD_ARGUMENT);
    assert_status(tarn_arena_peek("/proc/self/exe", &stats), TARN_BAD_ARGUMENT);
    assert_status(tarn_arena_peek("/proc/self/nothing", &stats), TARN_SYSTEM);
}

static void statistics_structs_are_checked(void **state) {
    struct pair *p = of(state);
    tarn_arena_stats arena = {.struct_size = 0};
    tarn_channel_stats channel = {.struct_size = 0};
    assert_status(tarn_arena_query_stats(p->arena[0], &arena), TARN_BAD_STRUCT);
    assert_status(tarn_channel_query_stats(p->end[0], &channel), TARN_BAD_STRUCT);
    assert_status(tarn_arena_query_stats(p->arena[0], NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_query_stats(NULL, &channel), TARN_BAD_ARGUMENT);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(steady_stream_of_frames_takes_no_page_fault),
        TEST(statistics_can_be_read_from_outside),
        TEST(only_our_memory_is_peeked_at),
        TEST(statistics_structs_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
