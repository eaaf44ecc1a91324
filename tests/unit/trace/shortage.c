// SPDX-License-Identifier: Apache-2.0
// Readers, analyses and writers without memory: each allocation fails in turn, and of SQLite's own
// some for each of our calls. The call fails and changes nothing; LeakSanitizer sees what is not
// freed. The linker redirects the allocations to this file, and SQLite's configuration redirects its
// own.
#include "trace/study/bands.h"
#include "trace/study/leak.h"
#include "trace/study/roles.h"
#include "trace/study/steps.h"
#include "trace/study/verdict.h"
#include "unit/trace/samples.h"

#include <execinfo.h>
#include <sqlite3.h>

static long allocations_left = -1; // until one fails; below 0: none does

static bool shortage_now(void) { return allocations_left >= 0 && allocations_left-- == 0; }

// ---- what is worth a failure

enum { ALLOCATIONS = 8192, STACKS = 1024, EACH = 8, DEPTH = 64 };

// SQLite makes thousands of allocations for one file, most of them for each row or page again, and
// our code sees which of its calls has failed. So EACH allocations fail of those that SQLite makes
// for one stack of ours.
static struct {
    bool on;
    long count;
    bool again[ALLOCATIONS]; // as many allocations for its stack have been seen before
    struct {
        uint64_t hash;
        unsigned count;  // 0: the place is free
    } stack[2 * STACKS]; // by open addressing
    unsigned stacks;
} plan;

extern const char __executable_start[], etext[]; // of the linker: the code of this program

static bool is_stack_known(void) {
    void *frame[DEPTH];
    uint64_t hash = 14695981039346656037u;
    for (int i = backtrace(frame, DEPTH); i-- > 0;) {
        const char *at = frame[i];
        hash =
            at >= __executable_start && at < etext ? (hash ^ (uintptr_t)at) * 1099511628211u : hash;
    }
    uint64_t place = hash % (2 * STACKS);
    while (plan.stack[place].count != 0 && plan.stack[place].hash != hash)
        place = (place + 1) % (2 * STACKS);
    plan.stacks += plan.stack[place].count == 0;
    assert_true(plan.stacks < STACKS);
    plan.stack[place].hash = hash;
    return plan.stack[place].count++ >= EACH;
}

static void count_allocation(bool of_sqlite) {
    if (plan.on) {
        plan.on = false; // backtrace() may allocate
        assert_true(plan.count < ALLOCATIONS);
        plan.again[plan.count++] = of_sqlite && is_stack_known();
        plan.on = true;
    }
}

#define REDIRECT(type, name, parameters, arguments)                                                \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        count_allocation(false);                                                                   \
        return shortage_now() ? NULL : __real_##name arguments;                                    \
    }

REDIRECT(void *, malloc, (size_t size), (size))
REDIRECT(void *, calloc, (size_t count, size_t size), (count, size))
REDIRECT(void *, realloc, (void *old, size_t size), (old, size))
REDIRECT(void *, reallocarray, (void *old, size_t count, size_t size), (old, count, size))
REDIRECT(char *, strdup, (const char *text), (text))
REDIRECT(char *, strndup, (const char *text, size_t size), (text, size))

// ---- SQLite's allocations

static sqlite3_mem_methods of_sqlite;

static void *sqlite_malloc(int size) {
    count_allocation(true);
    return shortage_now() ? NULL : of_sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size) {
    count_allocation(true);
    return shortage_now() ? NULL : of_sqlite.xRealloc(old, size);
}

static int starve_sqlite(void **state) {
    (void)state;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &of_sqlite), SQLITE_OK);
    sqlite3_mem_methods starved = of_sqlite;
    starved.xMalloc = sqlite_malloc;
    starved.xRealloc = sqlite_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &starved);
}

// ---- an operation that is starved

struct operation {
    const struct sample *sample;
    const uint8_t *bytes; // of the sample
    size_t size;
    struct tn_trace trace; // of the sample, for the analyses and the writers
    enum tn_writer writer;
};

// Repeats a call, whose n-th allocation fails in the n-th round, until none fails. Leaves out the rounds
// that are not worth it. Returns the number of allocations.
static long starve(tarn_status (*run)(struct operation *operation), struct operation *operation) {
    memset(&plan, 0, sizeof plan);
    plan.on = true;
    assert_int_equal(run(operation), TARN_OK);
    plan.on = false;
    for (long number = 0;; number++) {
        tarn_error error;
        if (number < plan.count && plan.again[number]) continue;
        tarn_clear_error();
        allocations_left = number;
        tarn_status status = run(operation);
        bool failed = allocations_left < 0;
        allocations_left = -1;
        if (!failed) {
            assert_int_equal(status, TARN_OK);
            return number;
        }
        // A failure within SQLite may concern an optional step, such as a cache.
        if (status == TARN_OK) continue;
        (void)tarn_last_error(&error);
        if (status != TARN_NO_HOST_MEMORY)
            fail_msg("%s, allocation %ld: %s: %s", operation->sample->name, number,
                     tarn_status_name(status), error.message);
    }
}

static bool begin_operation(struct operation *operation, const struct sample *sample) {
    struct tn_trace_limits limits = sample_limits(sample);
    *operation = (struct operation){.sample = sample};
    uint8_t *bytes = sample_load(sample, &operation->size);
    operation->bytes = bytes;
    assert_int_equal(
        tn_trace_read_memory("file", bytes, operation->size, &limits, &operation->trace), TARN_OK);
    return operation->trace.block_count > 0;
}

static void end_operation(struct operation *operation) {
    tn_trace_release(&operation->trace);
    free((void *)(uintptr_t)operation->bytes);
}

// ---- readers

static tarn_status read_sample(struct operation *operation) {
    struct tn_trace_limits limits = sample_limits(operation->sample);
    struct tn_trace trace = {.event_count = 77};
    tarn_status status =
        tn_trace_read_memory("file", operation->bytes, operation->size, &limits, &trace);
    if (status == TARN_OK) {
        long left = allocations_left;
        allocations_left = -1;
        sound_trace(&trace);
        assert_int_equal(trace.event_count, operation->trace.event_count);
        assert_int_equal(trace.call_count, operation->trace.call_count);
        assert_int_equal(trace.text_count, operation->trace.text_count);
        allocations_left = left;
        tn_trace_release(&trace);
    } else {
        assert_int_equal(trace.event_count, 77);
    }
    return status;
}

static void every_reader_survives_a_shortage(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct operation operation;
        (void)begin_operation(&operation, &samples[i]);
        assert_true(starve(read_sample, &operation) > 8);
        end_operation(&operation);
    }
}

// ---- analyses

// Everything that `tarn explain` computes of a moment.
static tarn_status study_moment(const struct tn_tables *keys, const struct tn_moment *moment) {
    struct tn_fragments fragments = {.count = 0};
    struct tn_holders holders = {.count = 0};
    struct tn_roles roles;
    tarn_status status = moment->has_places ? tn_fragments_make(moment, &fragments) : TARN_OK;
    tn_fragments_release(&fragments);
    for (int kind = 0; kind < TN_HOLDER_KINDS && status == TARN_OK; kind++) {
        status = tn_holders_make(keys, (enum tn_holder_kind)kind, moment->blocks,
                                 moment->block_count, &holders);
        tn_holders_release(&holders);
    }
    return status == TARN_OK ? tn_roles_make(keys, moment, &roles) : status;
}

static tarn_status study_device(const struct tn_trace *trace, const struct tn_trace_device *device,
                                const struct tn_life *lives, const struct tn_owners *owners) {
    struct tn_levels levels = {.count = 0};
    struct tn_phases phases = {.count = 0};
    struct tn_moment moment = {.at = 0};
    struct tn_steps steps = {.period = 0};
    struct tn_leak leak = {.steps = 0};
    const struct tn_tables tables = {trace, device, lives, owners, &phases, &levels, &steps};
    tarn_status status = tn_levels_make(trace, device, &levels);
    if (status == TARN_OK) status = tn_phases_make(trace, device, &phases);
    if (status == TARN_OK) status = tn_steps_make(trace, device, &levels, &steps);
    if (status == TARN_OK) status = tn_leak_judge(&tables, &leak);
    if (status == TARN_OK) status = tn_moment_make(trace, device, lives, levels.peak, &moment);
    if (status == TARN_OK) status = study_moment(&tables, &moment);
    tn_moment_release(&moment);
    tn_leak_release(&leak);
    tn_steps_release(&steps);
    tn_phases_release(&phases);
    tn_levels_release(&levels);
    return status;
}

static tarn_status study_sample(struct operation *operation) {
    const struct tn_trace *trace = &operation->trace;
    struct tn_owners owners = {.calls = NULL};
    struct tn_life *lives = tn_lives_make(trace);
    tarn_status status =
        lives != NULL ? tn_owners_make_by(trace, false, &owners) : TARN_NO_HOST_MEMORY;
    for (size_t i = 0; i < trace->device_count && status == TARN_OK; i++)
        status = study_device(trace, &trace->devices[i], lives, &owners);
    tn_owners_release(&owners);
    free(lives);
    return status;
}

static tarn_status study_bands(struct operation *operation) {
    static struct tn_bands bands;
    tarn_status status =
        tn_bands_make(&operation->trace, &operation->trace.devices[0], false, &bands);
    tn_bands_release(&bands);
    return status;
}

static void every_analysis_survives_a_shortage(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct operation operation;
        if (begin_operation(&operation, &samples[i])) {
            assert_true(starve(study_sample, &operation) > 8);
            assert_true(starve(study_bands, &operation) > 8);
        }
        end_operation(&operation);
    }
}

// ---- writers

static char path[64];

static void put_old(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("before", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_old(void) {
    size_t size = 0;
    uint8_t *bytes = damage_load(path, &size);
    assert_int_equal(size, strlen("before"));
    assert_memory_equal(bytes, "before", size);
    free(bytes);
}

static tarn_status write_sample(struct operation *operation) {
    const struct tn_write_options options = {.device = 0};
    put_old();
    tarn_status status = tn_trace_write(&operation->trace, path, operation->writer, &options);
    if (status != TARN_OK) {
        allocations_left = -1;
        assert_old();
    }
    return status;
}

static void every_writer_survives_a_shortage(void **state) {
    (void)state;
    const struct sample *sample = &samples[3];
    sample_file(path);
    for (int writer = 0; writer < TN_WRITERS; writer++) {
        struct operation operation;
        assert_true(begin_operation(&operation, sample));
        operation.writer = (enum tn_writer)writer;
        assert_true(starve(write_sample, &operation) > 0);
        end_operation(&operation);
    }
    (void)unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_survives_a_shortage),
        cmocka_unit_test(every_analysis_survives_a_shortage),
        cmocka_unit_test(every_writer_survives_a_shortage),
    };
    return cmocka_run_group_tests(tests, starve_sqlite, NULL);
}
