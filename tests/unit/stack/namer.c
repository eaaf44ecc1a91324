// SPDX-License-Identifier: Apache-2.0
// Names by another program: it may be missing, end, or lose its socket, and no program that asks
// notices more than missing names.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <pthread.h>

#include "stack/namer.h"

enum { LINE_OF_PLACE = __LINE__ + 2 };

__attribute__((noinline)) static uintptr_t place(void) {
    return (uintptr_t)__builtin_return_address(0);
}

struct answer {
    unsigned places;
    char text[512];
};

static bool add_place(void *context, const char *function, const char *file, int line) {
    struct answer *answer = (struct answer *)context;
    size_t used = strlen(answer->text);
    const char *name = file == NULL ? "??" : strrchr(file, '/') + 1;
    (void)snprintf(answer->text + used, sizeof answer->text - used, "%s %s:%d ",
                   function == NULL ? "??" : function, name, line);
    answer->places++;
    return true;
}

// Asks for the first instruction of place().
static bool ask(struct answer *answer) {
    char self[4096];
    Dl_info info;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0 && dladdr((void *)(uintptr_t)&place, &info) != 0);
    self[length] = '\0';
    *answer = (struct answer){0, ""};
    return tn_namer_ask(self, (uintptr_t)&place - (uintptr_t)info.dli_fbase, add_place, answer);
}

static bool is_right(void) {
    struct answer answer;
    char expected[64];
    (void)snprintf(expected, sizeof expected, "place namer.c:%d ", (int)LINE_OF_PLACE);
    return ask(&answer) && answer.places == 1 && strcmp(answer.text, expected) == 0;
}

// Returns the result of a function in a child, which begins without the program of its parent.
static bool holds_in_child(bool (*function)(void)) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) _exit(function() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status == 0;
}

// Returns the first socket of this process, or -1.
static int find_socket(void) {
    for (int file = STDERR_FILENO + 1; file < 64; file++) {
        int type = 0;
        socklen_t bytes = sizeof type;
        if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0) return file;
    }
    return -1;
}

static void an_instruction_has_a_function_a_file_and_a_line(void **state) {
    (void)state;
    assert_true(is_right());
    assert_true(is_right());
}

static void a_file_without_code_has_no_answer(void **state) {
    struct answer answer = {0, ""};
    (void)state;
    assert_false(tn_namer_ask("/proc/self/maps", 0, add_place, &answer));
    assert_false(tn_namer_ask("/nonexistent", 0, add_place, &answer));
    assert_int_equal(answer.places, 0);
    assert_true(is_right());
}

static void the_program_is_no_child(void **state) {
    (void)state;
    assert_true(is_right());
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static bool ask_in_child(void) { return is_right() && is_right(); }

static void a_forked_child_starts_its_own(void **state) {
    (void)state;
    assert_true(is_right());
    assert_true(holds_in_child(ask_in_child));
    assert_true(is_right());
}

static bool lose_socket(void) {
    bool right = is_right();
    int file = find_socket();
    (void)close(file);
    int other = open("/dev/null", O_RDONLY); // gets the same number
    right = right && is_right() && other == file;
    return right && fcntl(other, F_GETFD) >= 0 && find_socket() != file;
}

static void a_closed_socket_is_replaced_and_its_number_left_alone(void **state) {
    (void)state;
    assert_true(holds_in_child(lose_socket));
}

static bool close_standard(void) {
    for (int file = 0; file <= STDERR_FILENO; file++) (void)close(file);
    bool right = is_right();
    for (int file = 0; file <= STDERR_FILENO; file++) right = right && fcntl(file, F_GETFD) < 0;
    return right;
}

static void standard_descriptors_stay_closed(void **state) {
    (void)state;
    assert_true(holds_in_child(close_standard));
}

static bool break_socket(void) {
    bool right = is_right();
    (void)shutdown(find_socket(), SHUT_RDWR); // ends the program
    return right && is_right();
}

static void a_program_that_ended_is_started_again(void **state) {
    (void)state;
    assert_true(holds_in_child(break_socket));
}

static bool have_no_answers(const char *program) {
    struct answer answer;
    bool none = true;
    tn_namer_use(program);
    for (int i = 0; i < 20; i++) none = none && !ask(&answer) && answer.places == 0;
    return none && waitpid(-1, NULL, WNOHANG) == -1 && find_socket() == -1;
}

static bool have_no_program(void) { return have_no_answers("/nonexistent"); }

static bool have_wrong_program(void) { return have_no_answers("/bin/false"); }

static void a_program_that_fails_gives_no_answers(void **state) {
    (void)state;
    assert_true(holds_in_child(have_no_program));
    assert_true(holds_in_child(have_wrong_program));
}

static void *ask_often(void *wrong) {
    for (int i = 0; i < 20; i++) *(bool *)wrong = *(bool *)wrong || !is_right();
    return NULL;
}

static void many_threads_ask_one_program(void **state) {
    pthread_t threads[8];
    bool wrong[8] = {false};
    (void)state;
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &wrong[i]), 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_false(wrong[i]);
    }
}

// The first tests leave no program, because a child would close its parent's.
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_fails_gives_no_answers),
        cmocka_unit_test(a_closed_socket_is_replaced_and_its_number_left_alone),
        cmocka_unit_test(standard_descriptors_stay_closed),
        cmocka_unit_test(a_program_that_ended_is_started_again),
        cmocka_unit_test(an_instruction_has_a_function_a_file_and_a_line),
        cmocka_unit_test(a_file_without_code_has_no_answer),
        cmocka_unit_test(the_program_is_no_child),
        cmocka_unit_test(a_forked_child_starts_its_own),
        cmocka_unit_test(many_threads_ask_one_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
