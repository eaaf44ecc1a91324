// SPDX-License-Identifier: Apache-2.0
// Readers of tables without memory: each allocation fails in turn. The read is refused and changes
// nothing; LeakSanitizer sees what is not freed. The linker redirects the allocations to here.
#include "unit/trace/story.h"

static long allocations_left = -1; // until one fails; below 0: none does

static bool shortage_now(void) {
    return allocations_left >= 0 && allocations_left-- == 0;
}

#define REDIRECT(type, name, parameters, arguments)                                                \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return shortage_now() ? NULL : __real_##name arguments;                                    \
    }

REDIRECT(void *, malloc, (size_t size), (size))
REDIRECT(void *, calloc, (size_t count, size_t size), (count, size))
REDIRECT(void *, realloc, (void *old, size_t size), (old, size))
REDIRECT(void *, reallocarray, (void *old, size_t count, size_t size), (old, count, size))
REDIRECT(char *, strdup, (const char *text), (text))
REDIRECT(char *, strndup, (const char *text, size_t size), (text, size))

// Returns the number of allocations of a read that none fails.
static long starve_read(const uint8_t *bytes, size_t size) {
    for (long number = 0;; number++) {
        struct tn_trace trace = {.event_count = 77};
        allocations_left = number;
        tarn_status status = tn_trace_read_memory("file", bytes, size, NULL, &trace);
        bool failed = allocations_left < 0;
        allocations_left = -1;
        if (!failed) {
            assert_int_equal(status, TARN_OK);
            sound_trace(&trace);
            tn_trace_release(&trace);
            return number;
        }
        assert_int_equal(status, TARN_NO_HOST_MEMORY);
        assert_int_equal(trace.event_count, 77);
    }
}

static void shortage_of_any_allocation_refuses_a_table(void **state) {
    (void)state;
    static const char *const samples[] = {"memscope", "rmm",      "rocprof",
                                          "scratch",  "npu-sums", "npu-operators"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char name[64];
        size_t size = 0;
        (void)snprintf(name, sizeof name, "trace_csv/%s", samples[i]);
        uint8_t *bytes = story_load(name, &size);
        assert_true(starve_read(bytes, size) > 10);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortage_of_any_allocation_refuses_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
