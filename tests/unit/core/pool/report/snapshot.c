// SPDX-License-Identifier: Apache-2.0
// Snapshots of pools: the reader of recordings finds each live block, with its address and size; a
// failure leaves the old file and names the path.
#include "unit/trace/story.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tarn/snapshot.h>
#include <tarn/tarn.h>

#include "support/pool_verbs.h"

static char path[] = "/tmp/tarn-snapshot-XXXXXX";
static tarn_device *device;

static int open_all(void **state) {
    (void)state;
    int file = mkstemp(path);
    assert_int_equal(tarn_device_open("sim:0,memory=1G", &device), TARN_OK);
    return file < 0 ? -1 : close(file);
}

static int close_all(void **state) {
    (void)state;
    assert_int_equal(tarn_device_close(device), TARN_OK);
    return unlink(path);
}

static tarn_pool *create_pool(tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    return pool;
}

enum { BLOCKS = 6000 }; // more than are copied at first

static uint64_t size_of(int i) { return i % 3 == 0 ? 40 : 4000 + (uint64_t)i; }

static void fill_pool(tarn_pool *pool, tarn_addr *addrs, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(tarn_pool_alloc(pool, size_of(i), TARN_STREAM_NONE, &addrs[i]), TARN_OK);
    for (int i = 0; i < count; i += 5) { // leaves holes
        assert_int_equal(tarn_pool_free(pool, addrs[i]), TARN_OK);
        addrs[i] = 0;
    }
}

static void empty_pool(tarn_pool *pool, const tarn_addr *addrs, int count) {
    for (int i = 0; i < count; i++)
        if (addrs[i] != 0) assert_int_equal(tarn_pool_free(pool, addrs[i]), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
}

static void assert_has_blocks(const struct tn_trace *trace, size_t number, const tarn_addr *addrs,
                              int count) {
    const struct tn_trace_device *part = &trace->devices[number];
    size_t live = 0;
    for (int i = 0; i < count; i++) {
        bool found = addrs[i] == 0;
        for (size_t b = 0; b < part->starting_count && !found; b++) {
            const struct tn_block *block = &trace->blocks[part->first_starting + b];
            found = block->id == addrs[i] && block->size == size_of(i);
        }
        assert_true(found);
        live += addrs[i] != 0;
    }
    assert_int_equal(part->starting_count, live);
}

static uint64_t number_of(tarn_stream stream, void *arg) {
    return stream + (uint64_t)(uintptr_t)arg;
}

static void every_live_block_is_in_the_snapshot(void **state) {
    (void)state;
    static tarn_addr many[BLOCKS], few[10];
    struct tn_trace trace;
    tarn_snapshot_pool pools[] = {{.pool = create_pool(TARN_POOL_EXPANDABLE)},
                                  {.pool = create_pool(TARN_POOL_SEGMENTS),
                                   .device = 3,
                                   .stream_number = number_of,
                                   .arg = (void *)0x1000}};
    fill_pool(pools[0].pool, many, BLOCKS);
    fill_pool(pools[1].pool, few, 10);
    assert_int_equal(tarn_snapshot_save(pools, 2, path), TARN_OK);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    sound_trace(&trace);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[1].number, 3);
    assert_has_blocks(&trace, 0, many, BLOCKS);
    assert_has_blocks(&trace, 1, few, 10);
    assert_int_equal(trace.streams[trace.stream_count - 1].native, 0x1000);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    assert_int_equal(tarn_pool_query(pools[0].pool, &info), TARN_OK);
    assert_int_equal(tarn_pool_query_stats(pools[0].pool, &stats), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_at_end, stats.held_bytes);
    tn_trace_release(&trace);
    empty_pool(pools[0].pool, many, BLOCKS);
    empty_pool(pools[1].pool, few, 10);
}

static void a_planned_pool_states_how_it_followed_its_plan(void **state) {
    (void)state;
    const tarn_plan_block block = {MIB, 0, 1, 0, 0};
    tarn_plan *plan = NULL;
    tarn_plan_desc how = TARN_INIT(tarn_plan_desc);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr addrs[2];
    struct tn_trace trace;
    how.blocks = &block;
    how.count = 1;
    assert_int_equal(tarn_plan_create(&how, &plan), TARN_OK);
    desc.kind = TARN_POOL_FIXED;
    desc.base = BASE;
    desc.bytes = 64 * MIB;
    desc.plan = plan;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    tarn_plan_destroy(plan);
    assert_int_equal(tarn_pool_alloc(pool, MIB, 0, &addrs[0]), TARN_OK);
    assert_int_equal(tarn_pool_alloc(pool, 2 * MIB, 0, &addrs[1]), TARN_OK);
    const tarn_snapshot_pool pools[] = {{.pool = pool}};
    assert_int_equal(tarn_snapshot_save(pools, 1, path), TARN_OK);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    assert_int_equal(trace.setting_count, 1);
    assert_string_equal(trace.texts[trace.settings[0].name], "tarn_plan_0");
    assert_string_equal(
        trace.texts[trace.settings[0].value],
        "1 requests of 1048576 bytes got their places, the plan does not have 1 of "
        "2097152 bytes, and the places of 0 of 0 bytes were taken; most: 1 of 2097152 "
        "bytes with tag 0, which it does not have");
    tn_trace_release(&trace);
    empty_pool(pool, addrs, 2);
}

static void bad_arguments_are_named(void **state) {
    (void)state;
    tarn_snapshot_pool pool = {.pool = create_pool(TARN_POOL_SEGMENTS)}, none = {0};
    tarn_snapshot_pool high = {.pool = pool.pool, .device = TARN_SNAPSHOT_DEVICES};
    assert_int_equal(tarn_snapshot_save(NULL, 1, path), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_snapshot_save(&pool, 0, path), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_snapshot_save(&none, 1, path), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_snapshot_save(&high, 1, path), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_snapshot_save(&pool, 1, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_snapshot_write(&pool, 1, -1), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_destroy(pool.pool), TARN_OK);
}

static void a_failure_leaves_the_old_file(void **state) {
    (void)state;
    tarn_snapshot_pool pool = {.pool = create_pool(TARN_POOL_SEGMENTS)};
    struct stat before, after;
    tarn_error error;
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(tarn_snapshot_save(&pool, 1, path), TARN_OK);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(before.st_mode & 0777, 0640);
    assert_int_equal(tarn_snapshot_save(&pool, 1, "/dev/full"), TARN_SYSTEM);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "/dev/full: cannot write: No space left"));
    char link[sizeof path + 8];
    (void)snprintf(link, sizeof link, "%s.link", path);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(tarn_snapshot_save(&pool, 1, link), TARN_SYSTEM);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, ".link: cannot write: a symbolic link is not followed"));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(tarn_snapshot_save(&pool, 1, "/nowhere/file"), TARN_SYSTEM);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "/nowhere/file"));
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_int_equal(tarn_snapshot_write(&pool, 1, full), TARN_SYSTEM);
    assert_int_equal(close(full), 0);
    assert_int_equal(tarn_snapshot_write(&pool, 1, full), TARN_SYSTEM);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(tarn_pool_destroy(pool.pool), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_live_block_is_in_the_snapshot),
        cmocka_unit_test(a_planned_pool_states_how_it_followed_its_plan),
        cmocka_unit_test(bad_arguments_are_named),
        cmocka_unit_test(a_failure_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
