// SPDX-License-Identifier: Apache-2.0
// Unwinding finds what the compiler's own library finds, whatever the frames are like.
#include "stack/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include <alloca.h>
#include <cmocka.h>
#include <pthread.h>
#include <signal.h>

enum { ROOM = 256 };

static struct {
    uintptr_t theirs[ROOM];
    size_t count;
} seen;

static unsigned looks;

static _Unwind_Reason_Code keep(struct _Unwind_Context *context, void *unused) {
    (void)unused;
    if (_Unwind_GetIP(context) == 0 || seen.count == ROOM) return _URC_END_OF_STACK;
    seen.theirs[seen.count++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

// Each unwinds from another call in here; above it all must be the same.
__attribute__((noinline)) static void look(void) {
    uintptr_t ours[ROOM];
    struct tn_trail trail = {.frame = (uintptr_t)__builtin_frame_address(0)};
    for (volatile unsigned turn = 0; turn < 2; turn++) { // what is learnt, then what is known
        size_t count = tn_unwind(ours, ROOM, &trail);
        seen.count = 0;
        (void)_Unwind_Backtrace(keep, NULL);
        assert_int_equal(count, seen.count);
        assert_true(count > 2);
        assert_memory_equal(ours + 1, seen.theirs + 1, (count - 1) * sizeof *ours);
    }
    looks++;
}

__attribute__((noinline)) static void deep(unsigned depth) {
    if (depth == 0)
        look();
    else
        deep(depth - 1);
    __asm__ volatile("" ::: "memory"); // no tail call
}

static void plain_frames_are_undone(void **state) {
    (void)state;
    deep(0);
    deep(40);
}

__attribute__((noinline)) static void wide(size_t bytes) {
    volatile char *room = (volatile char *)alloca(bytes);
    room[0] = 1;
    room[bytes - 1] = 1;
    deep(2);
    __asm__ volatile("" ::: "memory");
}

static void frames_of_unknown_size_are_undone(void **state) {
    (void)state;
    wide(8);
    wide(4000);
    wide(100000);
}

static void room_for_few_gets_the_innermost(void **state) {
    (void)state;
    uintptr_t some[3], all[ROOM];
    struct tn_trail trail = {.frame = (uintptr_t)__builtin_frame_address(0)};
    size_t count = 0;
    for (volatile unsigned i = 0; i < 2; i++)
        count = i == 0 ? tn_unwind(some, 3, &trail) : tn_unwind(all, ROOM, &trail);
    assert_true(count > 3);
    assert_memory_equal(some + 1, all + 1, 2 * sizeof *some);
}

static int compare(const void *a, const void *b) {
    look();
    return memcmp(a, b, 1);
}

static void frames_of_other_libraries_are_undone(void **state) {
    char text[] = "dcba";
    (void)state;
    qsort(text, 4, 1, compare);
    assert_string_equal(text, "abcd");
}

static void *run(void *unused) {
    deep(5);
    return unused;
}

static void stacks_of_threads_end(void **state) {
    pthread_t thread;
    unsigned before = looks;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(looks, before + 1);
}

static void handle(int number) {
    (void)number;
    look();
}

static void frames_of_signals_are_undone(void **state) {
    struct sigaction action = {.sa_handler = handle}, old;
    unsigned before = looks;
    (void)state;
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(sigaction(SIGUSR1, &old, NULL), 0);
    assert_int_equal(looks, before + 1);
}

// ---- trails

// The last trail, its stack, and how often it held.
static struct tn_trail last;
static uintptr_t last_frames[ROOM];
static size_t last_count;
static unsigned held;

// The frames of a trail must agree with a new unwinding.
__attribute__((noinline)) static void follow(void) {
    uintptr_t frames[ROOM];
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    bool holds = tn_trail_holds(&last, here);
    last.frame = here;
    size_t count = tn_unwind(frames, 24, &last);
    if (holds) {
        assert_int_equal(count, last_count);
        assert_memory_equal(frames, last_frames, count * sizeof *frames);
        held++;
    }
    memcpy(last_frames, frames, sizeof frames);
    last_count = count;
}

__attribute__((noinline)) static void one_way(unsigned depth, unsigned *random);

// Frames of the same size, so that the innermost ones lie where those of the other way did.
#define WAY(name)                                                                                  \
    __attribute__((noinline)) static void name(unsigned depth, unsigned *random) {                 \
        *random = *random * 1664525u + 1013904223u;                                                \
        if (depth == 0)                                                                            \
            follow();                                                                              \
        else if (*random >> 30 == 0)                                                               \
            other_way(depth - 1, random);                                                          \
        else                                                                                       \
            one_way(depth - 1, random);                                                            \
        __asm__ volatile("" ::: "memory");                                                         \
    }

__attribute__((noinline)) static void other_way(unsigned depth, unsigned *random);
WAY(one_way)
WAY(other_way)

static void a_trail_holds_only_for_its_stack(void **state) {
    (void)state;
    unsigned random = 1;
    unsigned turns = 20000;
    for (unsigned i = 0; i < turns; i++) one_way(i / 100 % 6, &random);
#if defined(__x86_64__)
    assert_true(held > 0);
#endif
    assert_true(held < turns);
}

static void a_trail_holds_at_one_frame_only(void **state) {
    (void)state;
    uintptr_t frames[ROOM];
    struct tn_trail trail = {.frame = (uintptr_t)__builtin_frame_address(0)};
    (void)tn_unwind(frames, 24, &trail);
    assert_false(tn_trail_holds(&trail, trail.frame + 16));
    (void)tn_unwind(frames, ROOM, &trail);
    assert_int_equal(tn_trail_holds(&trail, trail.frame), trail.count != 0);
}

static void a_trail_without_words_holds_nowhere(void **state) {
    (void)state;
    struct tn_trail trail = {.frame = (uintptr_t)__builtin_frame_address(0)};
    assert_false(tn_trail_holds(&trail, trail.frame));
}

static void a_trail_ends_with_a_change_of_any_word(void **state) {
    (void)state;
    uintptr_t stack[3] = {1, 2, 3};
    struct tn_trail trail = {.frame = (uintptr_t)__builtin_frame_address(0), .count = 3};
    for (unsigned i = 0; i < 3; i++) {
        trail.words[i].at = &stack[i];
        trail.words[i].value = stack[i];
    }
    assert_true(tn_trail_holds(&trail, trail.frame));
    for (unsigned i = 0; i < 3; i++) {
        stack[i] += 8;
        assert_false(tn_trail_holds(&trail, trail.frame));
        stack[i] -= 8;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_frames_are_undone),
        cmocka_unit_test(frames_of_unknown_size_are_undone),
        cmocka_unit_test(room_for_few_gets_the_innermost),
        cmocka_unit_test(frames_of_other_libraries_are_undone),
        cmocka_unit_test(stacks_of_threads_end),
        cmocka_unit_test(frames_of_signals_are_undone),
        cmocka_unit_test(a_trail_holds_only_for_its_stack),
        cmocka_unit_test(a_trail_holds_at_one_frame_only),
        cmocka_unit_test(a_trail_without_words_holds_nowhere),
        cmocka_unit_test(a_trail_ends_with_a_change_of_any_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
