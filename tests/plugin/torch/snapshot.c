// SPDX-License-Identifier: Apache-2.0
// Claims about statistics and snapshots: they tell what is there. (What the snapshot means to a
// reader of JSON is tested from Python.)
#include "plugin/torch/library.h"

static char path[64];

static const char *snapshot_text(void) {
    static char text[1 << 20];
    (void)snprintf(path, sizeof path, "/tmp/tarn-torch-%d.json", (int)getpid());
    assert_int_equal(lib.snapshot(path), 0);
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    size_t length = fread(text, 1, sizeof text - 1, in);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(unlink(path), 0);
    text[length] = '\0';
    return text;
}

static int times(const char *text, const char *word) {
    int n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) n++;
    return n;
}

static void look_into_snapshot(void *arg) {
    (void)arg;
    open_library();
    assert_int_equal(times(snapshot_text(), "\"device\""), 0);
    void *large = get(10 * MIB, (void *)0xabc0);
    void *small = get(700, NULL);
    const char *text = snapshot_text();
    char wanted[128];
    assert_non_null(strstr(text, "\"backend\": \"host\", \"ordinal\": 0"));
    assert_non_null(strstr(text, "\"pool\": \"expandable\", \"asked\": \"expandable\""));
    assert_non_null(strstr(text, "\"live_blocks\": 2"));
    (void)snprintf(wanted, sizeof wanted,
                   "{\"address\": %llu, \"bytes\": 10485760, \"asked\": 10485760, \"state\": "
                   "\"live\", \"stream\": 43968}",
                   (unsigned long long)(uintptr_t)large);
    assert_non_null(strstr(text, wanted));
    assert_int_equal(times(text, "\"state\": \"live\""), 2);
    lib.release(large, 0, 0, (void *)0xabc0);
    lib.release(small, 0, 0, NULL);
    assert_int_equal(times(snapshot_text(), "\"state\": \"live\""), 0);
}

static void a_snapshot_has_each_block(void **state) {
    (void)state;
    with(look_into_snapshot, "TARN_TORCH_DEVICE", "host:0", NULL);
}

// The bytes of a pickle: its beginning, its end, and the numbers of a block and a stream as LONG1.
static void look_into_pickle(void *arg) {
    (void)arg;
    open_library();
    (void)snprintf(path, sizeof path, "/tmp/tarn-torch-%d.pickle", (int)getpid());
    assert_int_equal(lib.snapshot_pickle(path), -1); // no pool yet
    void *block = get(10 * MIB, (void *)0xabcdef01);
    assert_int_equal(lib.snapshot_pickle(path), 0);
    static unsigned char bytes[1 << 16];
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_true(size > 100 && size < sizeof bytes);
    assert_memory_equal(bytes, "\x80\x04}", 3);
    assert_int_equal(bytes[size - 1], '.');
    assert_non_null(memmem(bytes, size, "active_allocated", strlen("active_allocated")));
    uint64_t address = (uint64_t)(uintptr_t)block;
    assert_non_null(memmem(bytes, size, &address, 6));
    assert_non_null(memmem(bytes, size, "stream\x8a\x05\x01\xef\xcd\xab\x00", 13));
    assert_int_equal(lib.snapshot_pickle("/dev/full"), -22);
    assert_int_equal(lib.snapshot_pickle(NULL), -1);
    lib.release(block, 0, 0, (void *)0xabcdef01);
}

static void a_pickle_has_each_block(void **state) {
    (void)state;
    with(look_into_pickle, "TARN_TORCH_DEVICE", "host:0", NULL);
}

static void take_many(void *arg) {
    enum { COUNT = 20000 };
    void **blocks = calloc(COUNT, sizeof *blocks);
    (void)arg;
    assert_non_null(blocks);
    open_library();
    for (int i = 0; i < COUNT; i++) blocks[i] = get(20000, NULL);
    (void)snprintf(path, sizeof path, "/tmp/tarn-torch-%d.json", (int)getpid());
    assert_int_equal(lib.snapshot(path), 0); // more than room is made for at first
    assert_int_equal(unlink(path), 0);
    for (int i = 0; i < COUNT; i++) lib.release(blocks[i], 20000, 0, NULL);
    free(blocks);
}

static void a_snapshot_of_many_blocks_is_whole(void **state) {
    (void)state;
    with(take_many, "TARN_TORCH_DEVICE", "sim:0", NULL);
}

static void look_wrongly(void *arg) {
    (void)arg;
    open_library();
    struct tarn_torch_statistics stats = {.size = 0};
    struct hearing hearing = listen_begin();
    assert_int_equal(lib.snapshot(NULL), -1);
    assert_int_equal(lib.snapshot("/nowhere/at/all.json"), -22);
    assert_non_null(strstr(listen_end(hearing), "SYSTEM: /nowhere/at/all.json"));
    assert_int_equal(lib.stats(0, NULL), -1);
    assert_int_equal(lib.stats(0, &stats), -1);
    stats.size = sizeof stats;
    assert_int_equal(lib.stats(-1, &stats), -5);
    assert_int_equal(lib.stats(64, &stats), -5);
    assert_int_equal(lib.reset_peaks(64), -5);
    assert_int_equal(lib.reset_peaks(0), 0); // no pool yet: nothing to do
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    with(look_wrongly, "TARN_TORCH_DEVICE", "host:0", NULL);
}

static void ask_as_older(void *arg) {
    (void)arg;
    open_library();
    void *block = get(MIB, NULL);
    struct tarn_torch_statistics stats;
    memset(&stats, 0x5a, sizeof stats);
    stats.size = offsetof(struct tarn_torch_statistics, used_bytes);
    assert_int_equal(lib.stats(0, &stats), 0);
    assert_int_equal(stats.live_blocks, 1);
    assert_int_equal(stats.used_bytes, 0x5a5a5a5a5a5a5a5a);
    lib.release(block, 0, 0, NULL);
}

static void a_program_of_an_older_header_gets_what_it_knows(void **state) {
    (void)state;
    with(ask_as_older, "TARN_TORCH_DEVICE", "host:0", NULL);
}

static void count_names(void *arg) {
    unsigned count = 0;
    (void)arg;
    open_library();
    assert_string_equal(lib.stats_name(0), "live_blocks");
    while (lib.stats_name(count) != NULL) count++;
    assert_int_equal(count * sizeof(uint64_t) + sizeof(size_t),
                     sizeof(struct tarn_torch_statistics));
}

static void bindings_learn_the_names_of_all_fields(void **state) {
    (void)state;
    with(count_names, "TARN_TORCH_DEVICE", "host:0", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_has_each_block),
        cmocka_unit_test(a_pickle_has_each_block),
        cmocka_unit_test(a_snapshot_of_many_blocks_is_whole),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(a_program_of_an_older_header_gets_what_it_knows),
        cmocka_unit_test(bindings_learn_the_names_of_all_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
