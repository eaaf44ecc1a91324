// SPDX-License-Identifier: Apache-2.0
// Claims about blocks that frameworks get and give back: there, ordered, counted; and about
// everything that is wrong: told by name, and nothing changed.
#include "plugin/torch/library.h"

#include <stdbool.h>

#define HOST "TARN_TORCH_DEVICE", "host:0,memory=256M,devices=2"
#define SIM  "TARN_TORCH_DEVICE", "sim:0,memory=80G"

static void *const stream_a = (void *)0x55550010;
static void *const stream_b = (void *)0x55550020;

// ---- blocks

static void use_blocks(void *arg) {
    (void)arg;
    open_library();
    unsigned char *a = get(1000, NULL);
    unsigned char *b = get(50 * MIB, NULL);
    memset(a, 1, 1000);
    memset(b, 2, 50 * MIB);
    assert_true(a[999] == 1 && b[50 * MIB - 1] == 2);
    struct tarn_torch_statistics stats = stats_of(0);
    assert_int_equal(stats.live_blocks, 2);
    assert_true(stats.held_bytes >= stats.used_bytes && stats.used_bytes >= 50 * MIB + 1000);
    assert_int_equal(stats.device_bytes, 256 * MIB);
    assert_int_equal(stats.device_free_bytes, 256 * MIB - (ssize_t)stats.held_bytes);
    lib.release(a, 1000, 0, NULL);
    lib.release(b, 50 * MIB, 0, NULL);
    stats = stats_of(0);
    assert_true(stats.live_blocks == 0 && stats.allocs == 2 && stats.frees == 2);
    assert_true(stats.peak_live_bytes >= 50 * MIB + 1000 && stats.live_bytes == 0);
    assert_int_equal(lib.reset_peaks(0), 0);
    assert_int_equal(stats_of(0).peak_live_bytes, 0);
    lib.reset();
    assert_int_equal(stats_of(0).held_bytes, 0);
}

static void blocks_hold_bytes_and_come_back(void **state) {
    (void)state;
    with(use_blocks, HOST, "TARN_TORCH_POOL", NULL, NULL);
    with(use_blocks, HOST, "TARN_TORCH_POOL", "segments", NULL);
}

static void use_nothing(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    assert_null(lib.alloc(0, 0, NULL));
    lib.release(NULL, 0, 0, NULL);
    lib.release(NULL, 0, 77, NULL);
    lib.record_stream(NULL, NULL);
    lib.reset();
    assert_int_equal(stats_of(0).allocs, 0);
    assert_string_equal(listen_end(hearing), "");
}

static void nothing_asked_is_nothing_said(void **state) {
    (void)state;
    with(use_nothing, "TARN_TORCH_DEVICE", "nowhere:0", NULL); // no device is opened for it
}

static void use_huge_device(void *arg) {
    (void)arg;
    open_library();
    void *block = get(60 * 1024 * MIB, stream_a);
    assert_true(stats_of(0).held_bytes >= 60ull * 1024 * MIB);
    lib.release(block, 0, 0, stream_a);
    uint64_t released = 0;
    assert_int_equal(lib.trim(-1, 0, &released), 0);
    assert_true(released >= 60ull * 1024 * MIB);
    assert_int_equal(lib.trim(63, 0, &released), 0); // in range, and never used
    assert_int_equal(released, 0);
    assert_int_equal(lib.trim(64, 0, &released), -5);
}

static void a_simulated_card_has_eighty_gigabytes(void **state) {
    (void)state;
    with(use_huge_device, SIM, NULL);
}

// ---- what is wrong

static void free_wrong(void *arg) {
    (void)arg;
    open_library();
    char *block = get(MIB, NULL);
    char *other = lib.alloc(MIB, 1, NULL);
    int local = 0;
    assert_non_null(other);
    struct hearing hearing = listen_begin();
    lib.release(&local, 4, 0, NULL);
    lib.release(block + 512, 4, 0, NULL);
    lib.release(other, MIB, 0, NULL); // device 1's
    lib.release(block, MIB, 9, NULL); // no such device was used
    lib.record_stream(&local, stream_a);
    const char *said = listen_end(hearing);
    assert_non_null(strstr(said, "tarn-torch: tarn_torch_free: BAD_ADDRESS: 0x"));
    assert_non_null(strstr(said, "is not a live block of device 0"));
    assert_non_null(strstr(said, "BAD_DEVICE: "));
    assert_non_null(strstr(said, "is a block of another device, not of device 0"));
    assert_non_null(strstr(said, "device 9 has no pool yet"));
    assert_non_null(strstr(said, "tarn_torch_record_stream: BAD_ADDRESS"));
    assert_int_equal(stats_of(0).bad_frees, 3);
    lib.release(block, MIB, 0, NULL);
    hearing = listen_begin();
    lib.release(block, MIB, 0, NULL);
    assert_non_null(strstr(listen_end(hearing), "BAD_ADDRESS"));
    assert_int_equal(stats_of(0).frees, 1);
    lib.release(other, MIB, 1, NULL);
    assert_int_equal(stats_of(1).live_blocks, 0);
}

static void a_wrong_pointer_is_told_and_changes_nothing(void **state) {
    (void)state;
    with(free_wrong, HOST, NULL);
}

static void ask_too_much(void *arg) {
    (void)arg;
    open_library();
    void *block = get(200 * MIB, NULL);
    struct hearing hearing = listen_begin();
    assert_null(lib.alloc(100 * MIB, 0, NULL));
    assert_null(lib.alloc(-1, 0, NULL));
    assert_null(lib.cupy_alloc(NULL, SIZE_MAX, 0));
    assert_null(lib.alloc(1, 2, NULL));
    assert_null(lib.alloc(1, -1, NULL));
    const char *said = listen_end(hearing);
    assert_non_null(strstr(said, "NO_DEVICE_MEMORY: 104857600 bytes on device 0"));
    assert_non_null(strstr(said, "are live"));
    assert_non_null(strstr(said, "BAD_ARGUMENT: -1 bytes"));
    assert_non_null(strstr(said, "BAD_DEVICE"));
    assert_int_equal(stats_of(0).refusals, 1);
    lib.release(block, 0, 0, NULL);
    lib.release(get(240 * MIB, NULL), 0, 0, NULL); // a refusal harms nothing
}

static void too_much_is_refused_with_what_there_is(void **state) {
    (void)state;
    with(ask_too_much, HOST, NULL);
}

static jmp_buf out;
static char refused_with[256];

static void leave(const char *function, const char *file, uint32_t line, const char *text) {
    (void)snprintf(refused_with, sizeof refused_with, "%s %s %u %s", function, file, line, text);
    longjmp(out, 1);
}

static void throw_refusal(void *arg) {
    (void)arg;
    open_library();
    lib.on_refusal(leave);
    lib.release(get(MIB, NULL), MIB, 0, NULL);
    assert_null(lib.alloc(0, 0, NULL)); // nothing was refused
    assert_string_equal(refused_with, "");
    struct hearing hearing = listen_begin();
    if (setjmp(out) == 0) {
        (void)lib.alloc(300 * MIB, 0, NULL);
        assert_string_equal("no", "reached");
    }
    assert_non_null(strstr(listen_end(hearing), "NO_DEVICE_MEMORY"));
    assert_non_null(strstr(refused_with, "tarn_torch_malloc libtarn-torch 0 libtarn-torch cannot"));
    lib.on_refusal(NULL);
    lib.release(get(200 * MIB, NULL), 0, 0, NULL); // nothing stayed locked
}

static void a_refusal_may_leave_by_an_exception(void **state) {
    (void)state;
    with(throw_refusal, HOST, NULL);
}

static void fail_to_open(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    assert_null(lib.alloc(100, 0, NULL));
    const char *said = listen_end(hearing);
    assert_non_null(strstr(said, "tarn-torch: tarn_torch_malloc: "));
    assert_non_null(strstr(said, getenv("EXPECTED")));
    assert_int_equal(stats_of(0).allocs, 0);
}

static void a_wrong_configuration_is_told_by_name(void **state) {
    static const char *const rows[][3] = {
        {"nowhere:0", NULL, "BAD_CONFIG: device name \"nowhere:0\""},
        {"host:0", "elastic", "\"elastic\" is not one of"},
        {"host:0", "expandable,limit=", "\"limit=\" is not one of"},
        {"host:0", "expandable,limit=4Q", "\"limit=4Q\" is not one of"},
        {"host:0", "segments=3", "\"segments=3\" is not one of"},
        {"host:0", "limit=99999999999999T", "\"limit=99999999999999T\" is not one of"},
        {"host:0", "page=3K", "MISALIGNED"},
        {"host:0", "plan=", "\"plan=\" is not one of"},
        {"host:0", "strict,plan=/no,where", "\"/no,where\" is not a readable file"},
        {"sim:0,vmm=off", "expandable,strict", "no virtual memory management"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        with(fail_to_open, "TARN_TORCH_DEVICE", rows[i][0], "TARN_TORCH_POOL", rows[i][1],
             "EXPECTED", rows[i][2], NULL);
    }
}

// ---- what the environment asks for

static void look_at_limits(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    lib.release(get(30 * MIB, NULL), 0, 0, NULL);
    assert_null(lib.alloc(70 * MIB, 0, NULL)); // over limit=64M
    lib.memory_fraction(0.1, 0);               // of 256 MiB
    lib.reset();
    assert_null(lib.alloc(30 * MIB, 0, NULL));
    lib.memory_fraction(0, 0);
    lib.reset(); // what it was refused with
    assert_null(lib.alloc(4 * MIB, 0, NULL));
    lib.memory_fraction(1, 0);
    lib.release(get(100 * MIB, NULL), 0, 0, NULL);
    assert_null(strstr(listen_end(hearing), "fraction"));
    hearing = listen_begin();
    lib.memory_fraction(1.5, 0);
    lib.memory_fraction(-1, 0);
    lib.memory_fraction(0.5, 64);
    const char *said = listen_end(hearing);
    assert_non_null(strstr(said, "fraction 1.5"));
    assert_non_null(strstr(said, "fraction -1"));
    assert_non_null(strstr(said, "BAD_DEVICE"));
}

static void limits_hold_and_can_be_changed(void **state) {
    (void)state;
    with(look_at_limits, HOST, "TARN_TORCH_POOL", "expandable,limit=64M,policy=memory,page=2M",
         NULL);
    with(look_at_limits, HOST, "TARN_TORCH_POOL", "segments,limit=64M,segment=8M", NULL);
}

// Without a plan the third block lies behind the first two; with one it lies where they lay.
static void run_steps(void *arg) {
    struct tarn_torch_statistics stats = {.size = sizeof stats};
    (void)arg;
    open_library();
    for (int step = 0; step < 6; step++) {
        assert_int_equal(lib.mark(step % 2 - 1), 0);
        void *first = get(40 * MIB, NULL), *kept = get(10 * MIB, NULL),
             *second = get(40 * MIB, NULL);
        lib.release(first, 0, 0, NULL);
        lib.release(second, 0, 0, NULL);
        void *large = get(80 * MIB, NULL);
        lib.release(large, 0, 0, NULL);
        lib.release(kept, 0, 0, NULL);
    }
    assert_int_equal(lib.mark(64), -5);
    assert_int_equal(lib.stats(0, &stats), 0);
    assert_int_equal(stats.planned, atoi(getenv("EXPECTED")));
    assert_int_equal(stats.planned_bytes, stats.planned / 4 * 170 * (uint64_t)MIB);
    assert_int_equal(stats.unplanned + stats.late, 0);
}

static void a_pool_learns_steps(void **state) {
    (void)state;
    with(run_steps, HOST, "TARN_TORCH_POOL", "expandable,learn", "EXPECTED", "12", NULL);
    with(run_steps, HOST, "TARN_TORCH_POOL", "segments", "EXPECTED", "0", NULL);
}

static void look_at_fallback(void *arg) {
    (void)arg;
    open_library();
    lib.release(get(MIB, NULL), 0, 0, NULL);
    assert_int_equal(stats_of(0).fallback, strcmp(getenv("EXPECTED"), "yes") == 0);
}

static void a_device_without_pages_serves_by_segments(void **state) {
    (void)state;
    with(look_at_fallback, "TARN_TORCH_DEVICE", "sim:0,vmm=off", "EXPECTED", "yes", NULL);
    with(look_at_fallback, "TARN_TORCH_DEVICE", "sim:0,vmm=broken", "EXPECTED", "yes", NULL);
    with(look_at_fallback, "TARN_TORCH_DEVICE", "sim:0", "EXPECTED", "no", NULL);
}

// ---- streams

static void use_streams(void *arg) {
    (void)arg;
    open_library();
    void *a = get(8 * MIB, stream_a);
    void *default_block = get(8 * MIB, NULL);
    lib.release(a, 8 * MIB, 0, stream_a);
    assert_ptr_equal(get(8 * MIB, stream_a), a); // at once, on its own stream
    assert_int_equal(stats_of(0).streams, 2);
    lib.record_stream(a, stream_b);
    assert_int_equal(stats_of(0).streams, 3);
    lib.release(a, 8 * MIB, 0, stream_a);
    assert_int_equal(stats_of(0).pending_bytes, 0); // the only stream has it again
    assert_int_equal(lib.trim(0, 0, NULL), 0);
    assert_int_equal(stats_of(0).pending_bytes, 0);
    lib.release(default_block, 8 * MIB, 0, NULL);
}

static void a_block_comes_back_to_its_own_stream_at_once(void **state) {
    (void)state;
    with(use_streams, HOST, NULL);
    with(use_streams, SIM, NULL);
}

static void use_own_stream(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    assert_null(lib.alloc(100, 0, (void *)2));
    assert_non_null(strstr(listen_end(hearing),
                           "UNSUPPORTED: stream 0x2 is the default stream of each thread"));
    lib.release(get(100, (void *)1), 0, 0, (void *)1); // the legacy default stream has a name too
}

static void the_stream_of_each_thread_is_refused(void **state) {
    (void)state;
    with(use_own_stream, HOST, NULL);
}

static void use_many_streams(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    for (uintptr_t i = 0; i < 1024; i++)
        lib.release(get(4096, (void *)(0x10000 + 16 * i)), 0, 0, (void *)(0x10000 + 16 * i));
    assert_string_equal(listen_end(hearing), "");
    assert_int_equal(stats_of(0).streams, 1024);
    hearing = listen_begin();
    assert_null(lib.alloc(100, 0, stream_a));
    assert_non_null(strstr(listen_end(hearing), "NO_HANDLES: stream 0x55550010"));
}

static void a_thousand_streams_are_known_and_no_more(void **state) {
    (void)state;
    with(use_many_streams, SIM, NULL);
}

// ---- CuPy

static void use_cupy(void *arg) {
    (void)arg;
    open_library();
    char *block = lib.cupy_alloc(stream_a, 5000, 0);
    assert_non_null(block);
    memset(block, 7, 5000);
    assert_null(lib.cupy_alloc(stream_a, 0, 0));
    lib.cupy_release(stream_a, block, 0);
    lib.cupy_release(stream_a, NULL, 0);
    assert_int_equal(stats_of(0).live_blocks, 0);
    struct hearing hearing = listen_begin();
    lib.cupy_release(stream_a, block, 0);
    assert_non_null(strstr(listen_end(hearing), "tarn-torch: tarn_cupy_free: BAD_ADDRESS"));
}

static void cupy_gets_the_same_pool_by_its_own_signature(void **state) {
    (void)state;
    with(use_cupy, HOST, NULL);
}

// ---- fork

static char *parents;

static void in_child(void *arg) {
    (void)arg;
    struct hearing hearing = listen_begin();
    lib.release(parents, MIB, 0, NULL); // as a framework does when the child's objects go
    lib.record_stream(parents, stream_a);
    char *own = get(MIB, stream_a);
    memset(own, 9, (size_t)MIB);
    lib.release(parents, MIB, 0, NULL);
    lib.release(own, MIB, 0, stream_a);
    assert_string_equal(listen_end(hearing), "");
    struct tarn_torch_statistics stats = stats_of(0);
    assert_true(stats.allocs == 1 && stats.frees == 1 && stats.streams == 1);
}

static void fork_with_blocks(void *arg) {
    (void)arg;
    open_library();
    parents = get(MIB, NULL);
    parents[0] = 5;
    child_end(child_begin(in_child, NULL));
    assert_int_equal(parents[0], 5);
    lib.release(parents, MIB, 0, NULL);
    assert_int_equal(stats_of(0).live_blocks, 0);
}

static void a_child_begins_anew_and_leaves_its_parents_blocks(void **state) {
    (void)state;
    with(fork_with_blocks, HOST, NULL);
    with(fork_with_blocks, "TARN_TORCH_DEVICE", "host:0", "TARN_TORCH_POOL", "segments", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_bytes_and_come_back),
        cmocka_unit_test(nothing_asked_is_nothing_said),
        cmocka_unit_test(a_simulated_card_has_eighty_gigabytes),
        cmocka_unit_test(a_wrong_pointer_is_told_and_changes_nothing),
        cmocka_unit_test(too_much_is_refused_with_what_there_is),
        cmocka_unit_test(a_refusal_may_leave_by_an_exception),
        cmocka_unit_test(a_wrong_configuration_is_told_by_name),
        cmocka_unit_test(limits_hold_and_can_be_changed),
        cmocka_unit_test(a_pool_learns_steps),
        cmocka_unit_test(a_device_without_pages_serves_by_segments),
        cmocka_unit_test(a_block_comes_back_to_its_own_stream_at_once),
        cmocka_unit_test(the_stream_of_each_thread_is_refused),
        cmocka_unit_test(a_thousand_streams_are_known_and_no_more),
        cmocka_unit_test(cupy_gets_the_same_pool_by_its_own_signature),
        cmocka_unit_test(a_child_begins_anew_and_leaves_its_parents_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
