// SPDX-License-Identifier: Apache-2.0
// Recordings of programs. This program runs itself with the recorder injected: with an argument it is
// the recorded program, which prints the figures that the recording must have.
#include <pthread.h>
#include <tarn/tarn.h>

#include "unit/record/recorded.h"

#define MIB (UINT64_C(1) << 20)

enum { BLOCKS = 64, TURNS = 20000, THREADS = 4 };

// ---- the recorded programs

static tarn_device *device;
static tarn_pool *pool;

static void must(tarn_status status) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s\n", error.message);
        exit(9);
    }
}

static void open_pool(void) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    must(tarn_device_open("host:0,memory=256M", &device));
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = 128 * MIB;
    must(tarn_pool_create(&desc, &pool));
}

static void close_pool(void) {
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
}

// A model of the pool: the sizes of its live blocks.
struct model {
    tarn_addr addr[BLOCKS];
    uint64_t bytes[BLOCKS];
    uint64_t live, peak, allocs;
};

static void turn_block(struct model *model, unsigned i, uint64_t bytes) {
    if (model->addr[i] != 0) {
        must(tarn_pool_free(pool, model->addr[i]));
        model->live -= model->bytes[i];
        model->addr[i] = 0;
    } else {
        must(tarn_pool_alloc(pool, bytes, TARN_STREAM_NONE, &model->addr[i]));
        model->bytes[i] = bytes;
        model->live += bytes;
        model->allocs++;
        model->peak = model->live > model->peak ? model->live : model->peak;
    }
}

static void *use_pool(void *argument) {
    struct model *model = (struct model *)argument;
    unsigned seed = 1;
    for (unsigned i = 0; i < TURNS; i++) {
        seed = seed * 1103515245u + 12345u;
        turn_block(model, (seed >> 16) % BLOCKS, 1 + (seed >> 8) % 100000);
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        if (model->addr[i] != 0) turn_block(model, i, 0);
    return NULL;
}

static void run_pool(void) {
    static struct model model;
    open_pool();
    tarn_annotate_step("step one");
    (void)use_pool(&model);
    tarn_addr none;
    if (tarn_pool_alloc(pool, 512 * MIB, TARN_STREAM_NONE, &none) != TARN_NO_DEVICE_MEMORY) exit(8);
    close_pool();
    printf("%llu %llu\n", (unsigned long long)model.peak, (unsigned long long)model.allocs);
}

static void run_threads(void) {
    static struct model models[THREADS];
    pthread_t threads[THREADS];
    uint64_t allocs = 0;
    open_pool();
    for (unsigned i = 0; i < THREADS; i++)
        (void)pthread_create(&threads[i], NULL, use_pool, &models[i]);
    for (unsigned i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
        allocs += models[i].allocs;
    }
    close_pool();
    printf("0 %llu\n", (unsigned long long)allocs);
}

static void run_forever(void) {
    static struct model model;
    open_pool();
    for (;;) {
        (void)use_pool(&model);
        (void)usleep(1000);
    }
}

// Blocks of 1 to 5 MiB: 1 is live throughout; 2 is freed and 3 allocated while the recording is
// stopped; 4 lives only then; 5 is later.
static void run_signal(void) {
    struct model model = {0};
    open_pool();
    turn_block(&model, 1, 1 * MIB);
    turn_block(&model, 2, 2 * MIB);
    (void)raise(SIGUSR2);
    turn_block(&model, 2, 0);
    turn_block(&model, 3, 3 * MIB);
    turn_block(&model, 4, 4 * MIB);
    turn_block(&model, 4, 0);
    (void)raise(SIGUSR2);
    turn_block(&model, 5, 5 * MIB);
    for (unsigned i = 1; i <= 5; i += 2) turn_block(&model, i, 0);
    close_pool();
}

// The child is not recorded, and does not disturb the recording of its parent.
static void run_fork(void) {
    int status = -1;
    open_pool();
    pid_t child = fork();
    if (child == 0) {
        tarn_annotate_step("of the child");
        _exit(3);
    }
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3) exit(7);
    tarn_annotate_step("of the parent");
    close_pool();
}

// A device of 100 MiB on which 64 MiB have four addresses.
static void run_aliases(void) {
    const uint64_t bytes = 64 * MIB;
    tarn_addr range = 0;
    tarn_phys phys = 0;
    tarn_device *small = NULL;
    bool good = tarn_device_open("host:0,memory=100M", &small) == TARN_OK &&
                tarn_space_reserve(small, 4 * bytes, 0, 0, &range) == TARN_OK &&
                tarn_phys_create(small, bytes, NULL, &phys) == TARN_OK;
    for (unsigned i = 0; good && i < 4; i++)
        good = tarn_map(range + i * bytes, bytes, phys) == TARN_OK;
    good = good && tarn_phys_release(phys) == TARN_OK &&
           tarn_unmap(range, 4 * bytes, 0) == TARN_OK && tarn_space_release(range) == TARN_OK &&
           tarn_device_close(small) == TARN_OK;
    if (!good) exit(8);
    printf("%llu 4\n", (unsigned long long)bytes);
}

static const struct program {
    const char *name;
    void (*run)(void);
} programs[] = {{"pool", run_pool},     {"threads", run_threads}, {"forever", run_forever},
                {"signal", run_signal}, {"fork", run_fork},       {"aliases", run_aliases}};

static int run_program(const char *name) {
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(name, programs[i].name) == 0) {
            programs[i].run();
            return 0;
        }
    }
    return 6;
}

// ---- running one

static struct recorded recorded;

static struct tn_trace record(const char *name) { return record_program(&recorded, name, false); }

// ---- tests

static void a_recording_has_the_programs_own_figures(void **state) {
    (void)state;
    struct tn_trace trace = record("pool");
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs);
    assert_true(count_events(&trace, TN_EVENT_SEGMENT) > 0);
    assert_true(has_mark(&trace, "step one"));
    tn_trace_release(&trace);
}

static void memory_with_several_addresses_counts_once(void **state) {
    (void)state;
    struct tn_trace trace = record("aliases");
    assert_int_equal(trace.devices[0].reserved_peak, recorded.peak);
    assert_int_equal(trace.devices[0].reserved_at_end, 0);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    tn_trace_release(&trace);
}

static void a_block_has_the_stack_of_its_allocation(void **state) {
    (void)state;
    struct tn_trace trace = record("pool");
    assert_true(trace.block_count > 0);
    for (size_t i = 0; i < trace.block_count; i++) {
        assert_true(stack_has(&trace, trace.blocks[i].stack, "main"));
        assert_false(stack_has(&trace, trace.blocks[i].stack, "tn_record_add"));
    }
    tn_trace_release(&trace);
}

static void a_segment_is_returned_by_the_call_that_freed_it(void **state) {
    (void)state;
    struct tn_trace trace = record("pool");
    const struct tn_event *last = &trace.events[trace.event_count - 1];
    assert_int_equal(last->kind, TN_EVENT_SEGMENT_RETURN);
    assert_true(stack_has(&trace, trace.segments[last->item].stack, "close_pool"));
    tn_trace_release(&trace);
}

static void a_refused_request_is_a_failure(void **state) {
    (void)state;
    struct tn_trace trace = record("pool");
    assert_int_equal(trace.failure_count, 1);
    assert_int_equal(trace.failures[0].size, 512 * MIB);
    tn_trace_release(&trace);
}

static void threads_are_recorded_completely(void **state) {
    (void)state;
    struct tn_trace trace = record("threads");
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs);
    tn_trace_release(&trace);
}

static void a_killed_program_leaves_a_readable_file(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    (void)unlink(recorded.path);
    record_to(&recorded, "forever", recorded.path, false, true);
    assert_int_equal(tn_trace_read(recorded.path, NULL, &trace), TARN_OK);
    assert_true(count_events(&trace, TN_EVENT_ALLOC) > 0);
    assert_int_equal(trace.note_count, 1); // it was cut off
    tn_trace_release(&trace);
    (void)unlink(recorded.path);
}

static void a_stopped_recording_continues_with_what_is_live(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1 * MIB, 2 * MIB, 3 * MIB, 5 * MIB};
    struct tn_trace trace = record("signal");
    assert_int_equal(trace.block_count, 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(trace.blocks[i].size, sizes[i]);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 4);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 9 * MIB);
    tn_trace_release(&trace);
}

static void a_forked_child_is_not_recorded(void **state) {
    (void)state;
    struct tn_trace trace = record("fork");
    assert_true(has_mark(&trace, "of the parent"));
    assert_false(has_mark(&trace, "of the child"));
    tn_trace_release(&trace);
}

static void a_full_disk_is_a_line_and_no_more(void **state) {
    (void)state;
    record_to(&recorded, "pool", "/dev/full", false, false);
    assert_non_null(strstr(recorded.errors, "tarn record: /dev/full: cannot write: No space left"));
    assert_ptr_equal(strchr(recorded.errors, '\n'), recorded.errors + strlen(recorded.errors) - 1);
}

static void a_second_file_has_the_number_of_its_process(void **state) {
    (void)state;
    char older[8] = "", command[256];
    int file = open(recorded.path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(file, "older", 5), 5);
    record_to(&recorded, "fork", recorded.path, false, false);
    assert_int_equal(pread(file, older, sizeof older, 0), 5);
    assert_string_equal(older, "older");
    (void)close(file);
    (void)snprintf(command, sizeof command, "set -- %s.*; [ -s \"$1\" ] && rm \"$@\" %s",
                   recorded.path, recorded.path);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv) {
    if (argc == 2) return run_program(argv[1]);
    if (!recorder_is_built(&recorded)) {
        puts("skipped: RECORDER is not the path of the recorder");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_has_the_programs_own_figures),
        cmocka_unit_test(memory_with_several_addresses_counts_once),
        cmocka_unit_test(a_block_has_the_stack_of_its_allocation),
        cmocka_unit_test(a_segment_is_returned_by_the_call_that_freed_it),
        cmocka_unit_test(a_refused_request_is_a_failure),
        cmocka_unit_test(threads_are_recorded_completely),
        cmocka_unit_test(a_killed_program_leaves_a_readable_file),
        cmocka_unit_test(a_stopped_recording_continues_with_what_is_live),
        cmocka_unit_test(a_forked_child_is_not_recorded),
        cmocka_unit_test(a_full_disk_is_a_line_and_no_more),
        cmocka_unit_test(a_second_file_has_the_number_of_its_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
