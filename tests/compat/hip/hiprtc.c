// SPDX-License-Identifier: Apache-2.0
// hiprtc without a compiler: programs come and go, and a compilation says why it failed. With one,
// programs/rtc.hip compiles.
#include <hip/hiprtc.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/hip.h"

static hiprtcProgram new_program(void) {
    hiprtcProgram program = NULL;
    assert_int_equal(hiprtcCreateProgram(&program, "__global__ void k() {}", "k.cu", 0, NULL, NULL),
                     HIPRTC_SUCCESS);
    assert_non_null(program);
    return program;
}

static void the_log_says_why_nothing_is_compiled(void **state) {
    hiprtcProgram program = new_program();
    size_t size = 0;
    char log[1000] = "?";
    const char *option = "-O3";
    (void)state;
    assert_int_equal(hiprtcGetProgramLogSize(program, &size), HIPRTC_SUCCESS);
    assert_int_equal(size, 1);
    assert_int_equal(hiprtcGetProgramLog(program, log), HIPRTC_SUCCESS);
    assert_string_equal(log, "");
    assert_int_equal(hiprtcCompileProgram(program, 1, &option), HIPRTC_ERROR_COMPILATION);
    assert_int_equal(hiprtcGetProgramLogSize(program, &size), HIPRTC_SUCCESS);
    assert_in_range(size, 2, sizeof log);
    assert_int_equal(hiprtcGetProgramLog(program, log), HIPRTC_SUCCESS);
    assert_int_equal(strlen(log) + 1, size);
    assert_string_equal(log, "error: /nowhere/tarn-hipcc: No such file or directory\n");
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    assert_null(program);
}

static void no_program_has_code_or_names(void **state) {
    hiprtcProgram program = new_program();
    const char *name = NULL;
    size_t size = 7;
    char code[8] = "?";
    (void)state;
    assert_int_equal(hiprtcAddNameExpression(program, "k"), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcGetLoweredName(program, "k", &name),
                     HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    assert_int_equal(hiprtcCompileProgram(program, 0, NULL), HIPRTC_ERROR_COMPILATION);
    assert_int_equal(hiprtcAddNameExpression(program, "k"),
                     HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcGetCode(program, code), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(size, 7);
    assert_null(name);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static void bad_arguments_are_refused(void **state) {
    hiprtcProgram program = NULL;
    hiprtcProgram alive = new_program();
    int number = 0;
    (void)state;
    assert_int_equal(hiprtcVersion(NULL, &number), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcVersion(&number, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcVersion(&number, &number), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcCreateProgram(NULL, "", NULL, 0, NULL, NULL),
                     HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcCreateProgram(&program, NULL, NULL, 0, NULL, NULL),
                     HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcCreateProgram(&program, "", NULL, -1, NULL, NULL),
                     HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcCreateProgram(&program, "", NULL, 1, NULL, NULL),
                     HIPRTC_ERROR_INVALID_INPUT);
    assert_null(program);
    assert_int_equal(hiprtcCompileProgram(alive, -1, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcCompileProgram(alive, 1, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcGetProgramLogSize(alive, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcGetProgramLog(alive, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcAddNameExpression(alive, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcGetLoweredName(alive, "k", NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcDestroyProgram(NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcDestroyProgram(&alive), HIPRTC_SUCCESS);
}

static void dead_programs_are_refused(void **state) {
    hiprtcProgram program = new_program();
    hiprtcProgram stale = program;
    size_t size = 0;
    (void)state;
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcDestroyProgram(&stale), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcCompileProgram(stale, 0, NULL), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcGetProgramLogSize(stale, &size), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcAddNameExpression(NULL, "k"), HIPRTC_ERROR_INVALID_PROGRAM);
}

static void no_program_has_bit_code(void **state) {
    hiprtcProgram program = new_program();
    size_t size = 7;
    char code[8] = "?";
    (void)state;
    assert_int_equal(hiprtcGetBitcodeSize(program, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcGetBitcodeSize(program, &size), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(hiprtcGetBitcode(program, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcGetBitcode(program, code), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(size, 7);
    assert_string_equal(code, "?");
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static hiprtcResult add_data(hiprtcLinkState link, hiprtcJITInputType kind, void *image,
                             size_t size) {
    return hiprtcLinkAddData(link, kind, image, size, "image", 0, NULL, NULL);
}

static hiprtcResult add_file(hiprtcLinkState link, hiprtcJITInputType kind, const char *path) {
    return hiprtcLinkAddFile(link, kind, path, 0, NULL, NULL);
}

static void a_link_takes_bit_code_and_fails(void **state) {
    hiprtcLinkState link = NULL;
    char image[] = "BC";
    void *out = &link;
    size_t size = 7;
    (void)state;
    assert_int_equal(hiprtcLinkCreate(0, NULL, NULL, &link), HIPRTC_SUCCESS);
    for (int kind = 100; kind <= 102; kind++) {
        assert_int_equal(add_data(link, (hiprtcJITInputType)kind, image, 2), HIPRTC_SUCCESS);
        assert_int_equal(add_file(link, (hiprtcJITInputType)kind, "/dev/null"), HIPRTC_SUCCESS);
    }
    assert_int_equal(hiprtcLinkComplete(link, &out, &size), HIPRTC_ERROR_LINKING);
    assert_ptr_equal(out, &link);
    assert_int_equal(size, 7);
    assert_int_equal(hiprtcLinkDestroy(link), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcLinkDestroy(link), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkComplete(link, &out, &size), HIPRTC_ERROR_INVALID_INPUT);
}

static void bad_inputs_of_a_link_are_refused(void **state) {
    const hiprtcJITInputType kind = HIPRTC_JIT_INPUT_LLVM_BITCODE;
    hiprtcLinkState link = NULL;
    hiprtcJIT_option option = HIPRTC_JIT_MAX_REGISTERS;
    char image[] = "BC";
    void *out = NULL;
    size_t size = 0;
    (void)state;
    assert_int_equal(hiprtcLinkCreate(0, NULL, NULL, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkCreate(1, &option, NULL, &link), HIPRTC_ERROR_INVALID_INPUT);
    assert_null(link);
    assert_int_equal(hiprtcLinkCreate(0, NULL, NULL, &link), HIPRTC_SUCCESS);
    for (int other = -1; other < 8; other++) { // code for CUDA
        assert_int_equal(add_data(link, (hiprtcJITInputType)other, image, 2),
                         HIPRTC_ERROR_INVALID_INPUT);
    }
    assert_int_equal(add_data(NULL, kind, image, 2), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(add_data(link, kind, NULL, 2), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(add_data(link, kind, image, 0), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(add_file(link, kind, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(add_file(link, kind, "/no/such/file.bc"), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkComplete(link, NULL, &size), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkComplete(link, &out, NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkComplete(NULL, &out, &size), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkDestroy(NULL), HIPRTC_ERROR_INVALID_INPUT);
    assert_int_equal(hiprtcLinkDestroy(link), HIPRTC_SUCCESS);
}

// ---- drivers that are scripts

// Compiles with a driver that runs these commands of the shell, in a folder for temporary files that must be empty
// then. Returns the result, and the log, which the caller frees.
static hiprtcResult compile_by(hiprtcProgram program, const char *commands, char **log) {
    char folder[] = "/tmp/tarn-test-XXXXXX", driver[64];
    size_t size = 0;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(driver, sizeof driver, "%s.sh", folder);
    FILE *file = fopen(driver, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nfor output; do :; done\n%s\n", commands);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(driver, 0700), 0);
    assert_int_equal(setenv("TARN_HIPCC", driver, 1), 0);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    hiprtcResult result = hiprtcCompileProgram(program, 0, NULL);
    assert_int_equal(setenv("TARN_HIPCC", "/nowhere/tarn-hipcc", 1), 0);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(hiprtcGetProgramLogSize(program, &size), HIPRTC_SUCCESS);
    *log = (char *)malloc(size);
    assert_non_null(*log);
    assert_int_equal(hiprtcGetProgramLog(program, *log), HIPRTC_SUCCESS);
    assert_int_equal(unlink(driver), 0);
    assert_int_equal(rmdir(folder), 0); // it is empty
    return result;
}

static void a_killed_driver_leaves_an_error_and_no_files(void **state) {
    hiprtcProgram program = new_program();
    char *log;
    (void)state;
    assert_int_equal(compile_by(program, "mktemp >&2; echo half >\"$output\"; kill -9 $$", &log),
                     HIPRTC_ERROR_COMPILATION);
    assert_non_null(strstr(log, ".sh: Killed\n"));
    free(log);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static void a_driver_that_fails_makes_no_code(void **state) {
    hiprtcProgram program = new_program();
    size_t size;
    char *log;
    (void)state;
    assert_int_equal(compile_by(program, "echo half >\"$output\"; echo why >&2; exit 1", &log),
                     HIPRTC_ERROR_COMPILATION);
    assert_string_equal(log, "why\n");
    free(log);
    assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_ERROR_INVALID_PROGRAM);
    assert_int_equal(compile_by(program, "echo a warning; echo code >\"$output\"", &log),
                     HIPRTC_SUCCESS);
    assert_string_equal(log, "a warning\n");
    free(log);
    assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_SUCCESS);
    assert_int_equal(size, 5);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static void a_header_stays_in_its_folder(void **state) {
    const char *text = "#error", *name = "../up.h";
    hiprtcProgram program;
    char *log;
    (void)state;
    assert_int_equal(hiprtcCreateProgram(&program, "", NULL, 1, &text, &name), HIPRTC_SUCCESS);
    assert_int_equal(compile_by(program, "exit 0", &log), HIPRTC_ERROR_COMPILATION);
    assert_string_equal(log, "error: ../up.h: Invalid argument\n");
    free(log);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static void *compile_often(void *commands) {
    for (int i = 0; i < 10; i++) {
        hiprtcProgram program = new_program();
        char code[16] = "";
        size_t size = 0;
        assert_int_equal(hiprtcCompileProgram(program, 1, (const char **)&commands),
                         HIPRTC_SUCCESS);
        assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_SUCCESS);
        assert_in_range(size, 1, sizeof code - 1);
        assert_int_equal(hiprtcGetCode(program, code), HIPRTC_SUCCESS);
        assert_string_equal(code, (const char *)commands);
        assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    }
    return NULL;
}

// The driver's code is its first option.
static void threads_compile_at_the_same_time(void **state) {
    static char names[4][8] = {"one", "two", "three", "four"};
    char driver[] = "/tmp/tarn-test-XXXXXX";
    pthread_t threads[4];
    int descriptor = mkstemp(driver);
    static const char script[] = "#!/bin/sh\nfor output; do :; done\nprintf %s $1 >\"$output\"\n";
    (void)state;
    assert_int_equal(write(descriptor, script, sizeof script - 1), sizeof script - 1);
    assert_int_equal(fchmod(descriptor, 0700), 0);
    assert_int_equal(close(descriptor), 0);
    assert_int_equal(setenv("TARN_HIPCC", driver, 1), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compile_often, names[i]), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(setenv("TARN_HIPCC", "/nowhere/tarn-hipcc", 1), 0);
    assert_int_equal(unlink(driver), 0);
}

static void results_have_their_names(void **state) {
    (void)state;
    assert_string_equal(hiprtcGetErrorString(HIPRTC_SUCCESS), "HIPRTC_SUCCESS");
    assert_string_equal(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION");
    assert_string_equal(hiprtcGetErrorString(HIPRTC_ERROR_LINKING), "HIPRTC_ERROR_LINKING");
    assert_string_equal(hiprtcGetErrorString((hiprtcResult)12), "Invalid HIPRTC error code");
}

int main(void) {
    (void)setenv("TARN_HIPCC", "/nowhere/tarn-hipcc", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_says_why_nothing_is_compiled),
        cmocka_unit_test(no_program_has_code_or_names),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(dead_programs_are_refused),
        cmocka_unit_test(no_program_has_bit_code),
        cmocka_unit_test(a_link_takes_bit_code_and_fails),
        cmocka_unit_test(bad_inputs_of_a_link_are_refused),
        cmocka_unit_test(a_killed_driver_leaves_an_error_and_no_files),
        cmocka_unit_test(a_driver_that_fails_makes_no_code),
        cmocka_unit_test(a_header_stays_in_its_folder),
        cmocka_unit_test(threads_compile_at_the_same_time),
        cmocka_unit_test(results_have_their_names),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
