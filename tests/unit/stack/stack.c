// SPDX-License-Identifier: Apache-2.0
// Stacks: kept once, named when asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <pthread.h>

#include "stack/stack.h"

// The checker's own functions are left out by their number in a program that has them linked in:
// one of them is between here and the stack.
__attribute__((noinline)) static tn_stack_id checker(void) {
    tn_stack_id id = tn_stack_capture();
    __asm__ volatile("" ::: "memory"); // no tail call
    return id;
}

enum { LINE_OF_DEEP = __LINE__ + 3 };

__attribute__((noinline)) static tn_stack_id deep(unsigned depth) {
    tn_stack_id id = depth == 0 ? checker() : deep(depth - 1);
    __asm__ volatile("" ::: "memory");
    return id;
}

struct names {
    char text[4096];
};

static bool add_name(void *context, const struct tn_stack_symbol *symbol) {
    struct names *names = (struct names *)context;
    size_t used = strlen(names->text);
    (void)snprintf(names->text + used, sizeof names->text - used, "%s ",
                   symbol->function == NULL ? "??" : symbol->function);
    return true;
}

static void equal_stacks_are_kept_once(void **state) {
    (void)state;
    tn_stack_id ids[2];
    for (volatile unsigned i = 0; i < 2; i++) // not unrolled: one place
        ids[i] = deep(3);
    assert_int_not_equal(ids[0], 0);
    assert_int_equal(ids[0], ids[1]);
    assert_int_not_equal(ids[0], deep(4));
}

struct line {
    char *text;
    size_t bytes;
};

static bool describe_first(void *context, const struct tn_stack_symbol *symbol) {
    const struct line *line = context;
    const char *function = symbol->function == NULL ? "??" : symbol->function;
    if (symbol->file != NULL) {
        (void)snprintf(line->text, line->bytes, "0x%jx %s %s:%d", (uintmax_t)symbol->address,
                       function, symbol->file, symbol->line);
    } else {
        (void)snprintf(line->text, line->bytes, "0x%jx %s (%s)", (uintmax_t)symbol->address,
                       function, symbol->object == NULL ? "??" : symbol->object);
    }
    return false;
}

static void describe_frame(uintptr_t frame, char *text, size_t bytes) {
    struct line line = {text, bytes};
    (void)tn_stack_symbol_walk(frame, describe_first, &line);
}

static void a_stack_of_no_frames_is_none(void **state) {
    const uintptr_t frame = 1;
    (void)state;
    assert_int_equal(tn_stack_keep(&frame, 0), 0);
    assert_int_not_equal(tn_stack_keep(&frame, 1), 0);
}

static void a_mark_makes_another_stack_of_the_same_frames(void **state) {
    (void)state;
    size_t count, marked_count;
    tn_stack_id plain = deep(2), marked = tn_stack_mark(plain, 7);
    const uintptr_t *frames = tn_stack_frames(plain, &count);
    const uintptr_t *marked_frames = tn_stack_frames(marked, &marked_count);
    assert_int_not_equal(marked, plain);
    assert_int_equal(tn_stack_mark(plain, 7), marked);
    assert_int_equal(tn_stack_mark(plain, 0), plain);
    assert_int_not_equal(tn_stack_mark(plain, 8), marked);
    assert_int_equal(tn_stack_mark_of(marked), 7);
    assert_int_equal(tn_stack_mark_of(plain), 0);
    assert_int_equal(tn_stack_mark_of(0), 0);
    assert_int_equal(tn_stack_mark(0, 7), 0);
    assert_int_equal(marked_count, count);
    assert_memory_equal(marked_frames, frames, count * sizeof *frames);
}

static void the_top_is_the_callers_caller(void **state) {
    (void)state;
    size_t count;
    char text[512], place[64];
    const uintptr_t *frames = tn_stack_frames(deep(2), &count);
    assert_true(count >= 4);
    describe_frame(frames[0], text, sizeof text);
    (void)snprintf(place, sizeof place, "stack.c:%d", (int)LINE_OF_DEEP);
    assert_non_null(strstr(text, " deep "));
    assert_non_null(strstr(text, place));
}

static void a_walk_names_each_function(void **state) {
    (void)state;
    struct names names = {""};
    tn_stack_walk(deep(2), add_name, &names);
    assert_non_null(strstr(names.text, "deep deep deep a_walk_names_each_function "));
    assert_non_null(strstr(names.text, "main "));
}

__attribute__((always_inline)) static inline tn_stack_id inlined(void) {
    tn_stack_id id = checker();
    __asm__ volatile("" ::: "memory");
    return id;
}

static void an_inlined_function_is_a_place_of_its_own(void **state) {
    (void)state;
    struct names names = {""};
    tn_stack_walk(inlined(), add_name, &names);
    assert_memory_equal(names.text, "inlined an_inlined_function_is_a_place_of_its_own ",
                        strlen("inlined an_inlined_function_is_a_place_of_its_own "));
}

// ---- Tarn's own frames on top: named as the real ones are

__attribute__((noinline)) static tn_stack_id tn_emit_something(void) {
    tn_stack_id id = checker();
    __asm__ volatile("" ::: "memory");
    return id;
}

__attribute__((noinline)) static tn_stack_id fill_now(void) {
    tn_stack_id id = tn_emit_something();
    __asm__ volatile("" ::: "memory");
    return id;
}

tn_stack_id tarn_something(void);
__attribute__((noinline)) tn_stack_id tarn_something(void) {
    tn_stack_id id = fill_now();
    __asm__ volatile("" ::: "memory");
    return id;
}

static void a_walk_begins_at_the_entry_of_tarn(void **state) {
    (void)state;
    struct names names = {""};
    tn_stack_walk(tarn_something(), add_name, &names);
    assert_memory_equal(names.text, "tarn_something a_walk_begins_at_the_entry_of_tarn ",
                        strlen("tarn_something a_walk_begins_at_the_entry_of_tarn "));
}

static void an_unknown_address_is_described_as_unknown(void **state) {
    (void)state;
    char text[128];
    size_t count = 7;
    describe_frame(0x10, text, sizeof text);
    assert_string_equal(text, "0x10 ?? ("
                              "??"
                              ")");
    assert_null(tn_stack_frames(0, &count));
    assert_int_equal(count, 0);
}

// ---- threads

enum { THREADS = 8, TURNS = 2000, DEPTHS = 12 };
static tn_stack_id first[DEPTHS];

static void *take_many(void *argument) {
    (void)argument;
    for (unsigned i = 0; i < TURNS; i++) {
        size_t count;
        tn_stack_id id = deep(i % DEPTHS);
        const uintptr_t *frames = tn_stack_frames(id, &count);
        if (id == 0 || count < i % DEPTHS + 1 || frames[0] == 0) abort();
    }
    return NULL;
}

static void threads_share_one_depot(void **state) {
    pthread_t threads[THREADS];
    (void)state;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_many, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (volatile unsigned turn = 0; turn < 2; turn++) {
        for (volatile unsigned i = 0; i < DEPTHS; i++) {
            tn_stack_id id = deep(i);
            assert_true(turn == 0 || id == first[i]);
            first[i] = id;
        }
    }
}

static void a_thread_knows_its_number_behind_a_fork(void **state) {
    int status = 0;
    (void)state;
    assert_int_equal(tn_stack_thread(), gettid());
    pid_t child = fork();
    if (child == 0) _exit(tn_stack_thread() == (uint32_t)gettid() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

// The depot asks for 1 GiB, 128 MiB, 16 MiB, or 2 MiB of addresses. Runs first, because a depot is
// opened once, and in a child, whose addresses are limited.
static void few_addresses_make_a_smaller_depot(void **state) {
    (void)state;
    for (unsigned more = 64; more <= 256; more += 192) { // MiB: for the third size, and the second
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit = {0, RLIM_INFINITY};
            unsigned long long pages = 0;
            FILE *file = fopen("/proc/self/statm", "re");
            if (file == NULL || fscanf(file, "%llu", &pages) != 1 || fclose(file) != 0) _exit(2);
            limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)more << 20);
            if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(3);
            tn_stack_id ids[2];
            for (volatile unsigned i = 0; i < 2; i++) ids[i] = deep(i);
            _exit(ids[0] != 0 && ids[1] != 0 && ids[0] != ids[1] ? 0 : 4);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

int main(void) {
    tn_stack_limit(32);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_addresses_make_a_smaller_depot),
        cmocka_unit_test(equal_stacks_are_kept_once),
        cmocka_unit_test(a_stack_of_no_frames_is_none),
        cmocka_unit_test(a_mark_makes_another_stack_of_the_same_frames),
        cmocka_unit_test(the_top_is_the_callers_caller),
        cmocka_unit_test(a_walk_names_each_function),
        cmocka_unit_test(an_inlined_function_is_a_place_of_its_own),
        cmocka_unit_test(a_walk_begins_at_the_entry_of_tarn),
        cmocka_unit_test(an_unknown_address_is_described_as_unknown),
        cmocka_unit_test(threads_share_one_depot),
        cmocka_unit_test(a_thread_knows_its_number_behind_a_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
