// SPDX-License-Identifier: Apache-2.0
// The start and end of AscendCL in a process, and its version (spec table 2). Each test runs in its
// own process, because AscendCL starts once.
#include <stdio.h>
#include <unistd.h>

#include "support/acl.h"

// A file with that text, in the folder for temporary files.
struct file {
    char path[64];
};

static struct file file_with(const char *text, size_t size) {
    struct file file = {"/tmp/tarn_acl_init_XXXXXX"};
    int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), (ssize_t)size);
    assert_int_equal(close(fd), 0);
    return file;
}

static aclError init_with_bytes(const char *text, size_t size) {
    struct file file = file_with(text, size);
    aclError error = aclInit(file.path);
    assert_int_equal(unlink(file.path), 0);
    return error;
}

static aclError init_with(const char *text) { return init_with_bytes(text, strlen(text)); }

static void counting(void *arg) {
    uint64_t left = 7;
    (void)arg;
    assert_acl_ok(aclFinalize());
    assert_acl(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
    assert_int_equal(left, 0);
    assert_acl_ok(aclInit(NULL));
    assert_acl(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_acl(aclInit("/no/such/file"), ACL_ERROR_REPEAT_INITIALIZE);
    assert_acl_ok(aclFinalizeReference(&left));
    assert_int_equal(left, 2);
    assert_acl_ok(aclFinalizeReference(NULL));
    assert_acl_ok(aclFinalizeReference(&left));
    assert_int_equal(left, 0);
    left = 7;
    assert_acl(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
    assert_int_equal(left, 0);
    assert_acl_ok(aclInit(NULL));
    assert_acl(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_acl_ok(aclFinalize()); // of both
    assert_acl(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

static void starts_are_counted(void **state) {
    (void)state;
    acl_in_child(counting, NULL, NULL);
}

static void starting_once(void *arg) {
    (void)arg;
    assert_acl_ok(aclInit(NULL));
    assert_acl(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_acl_ok(aclFinalize());
    assert_acl(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    assert_acl(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_acl(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

static void generation_1_starts_once_for_ever(void **state) {
    (void)state;
    acl_in_child(starting_once, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static void starting_with_defaults(void *arg) {
    (void)arg;
    assert_acl_ok(init_with(" {\n\t} \r\n"));
    assert_acl_ok(aclFinalize());
    assert_acl_ok(aclInit(NULL));
    assert_acl_ok(aclFinalize());
    assert_acl(init_with("{\"dump\": {}}"), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(init_with("{}"));
}

static void an_empty_object_is_the_default(void **state) {
    (void)state;
    acl_in_child(starting_with_defaults, NULL, NULL);
}

static void starting_again_with_another(void *arg) {
    (void)arg;
    assert_acl_ok(init_with("{ \"dump\" : { \"dump_path\": \"a b\", \"on\": [ 1, 2 ] } }"));
    assert_acl_ok(aclFinalize());
    assert_acl(init_with("{\"dump\":{\"dump_path\":\"ab\",\"on\":[1,2]}}"),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclInit(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    assert_acl_ok(init_with("{\"dump\":{\"dump_path\":\"a b\",\"on\":[1,2]}}"));
}

static void another_configuration_is_refused(void **state) {
    (void)state;
    acl_in_child(starting_again_with_another, NULL, NULL);
}

static void starting_with_bad_files(void *arg) {
    static const char *const bad[] = {
        "",
        " ",
        "[]",
        "1",
        "null",
        "{",
        "}",
        "{}{}",
        "{} x",
        "{a:1}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":1e}",
        "{\"a\":-}",
        "{\"a\":tru}",
        "{\"a\":True}",
        "{\"a\":'b'}",
        "{\"a\":\"b}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{// comment\n}",
    };
    (void)arg;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        print_message("%s\n", bad[i]);
        assert_acl(init_with(bad[i]), ACL_ERROR_PARSE_FILE);
    }
    assert_acl(init_with_bytes("{}\0", 3), ACL_ERROR_PARSE_FILE);
    assert_acl(aclInit("/no/such/file"), ACL_ERROR_INVALID_FILE);
    assert_non_null(strstr(aclGetRecentErrMsg(), "/no/such/file"));
    assert_acl(aclInit("/"), ACL_ERROR_INVALID_FILE);
    assert_acl_ok(aclFinalize());
}

static void what_is_no_json_is_refused(void **state) {
    (void)state;
    acl_in_child(starting_with_bad_files, NULL, NULL);
}

static void starting_with_levels(void *arg) {
    char text[200] = "{\"a\":";
    (void)arg;
    memset(text + 5, '[', 64);
    memset(text + 69, ']', 64);
    text[133] = '}';
    assert_acl(init_with(text), ACL_ERROR_PARSE_FILE);
    text[68] = ' ';
    text[69] = ' ';
    assert_acl_ok(init_with(text));
}

static void levels_have_a_limit(void **state) {
    (void)state;
    acl_in_child(starting_with_levels, NULL, NULL);
}

static void starting_with_all_of_json(void *arg) {
    (void)arg;
    assert_acl_ok(init_with("{\"\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00Ef\xc3\xa4\","
                            "\"n\":[0,-0,10,-1.25,1e9,1E+9,2e-3,true,false,null,{},[],[[]]]}"));
}

static void starting_with_a_long_file(void *arg) {
    size_t size = (1 << 20) + 1;
    char *text = malloc(size);
    (void)arg;
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "{}", 2);
    assert_acl(init_with_bytes(text, size), ACL_ERROR_INVALID_FILE);
    assert_acl_ok(init_with_bytes(text, size - 1));
    free(text);
}

static void all_json_objects_are_taken(void **state) {
    (void)state;
    acl_in_child(starting_with_all_of_json, NULL, NULL);
    acl_in_child(starting_with_a_long_file, NULL, NULL);
}

static void answering_generation_1(void *arg) {
    int32_t version[3] = {0, 0, 7};
    (void)arg;
    assert_acl_ok(aclrtGetVersion(&version[0], &version[1], &version[2]));
    assert_int_equal(version[0], 1);
    assert_int_equal(version[1], 13);
    assert_int_equal(version[2], 0);
}

static void the_version_tells_the_generation(void **state) {
    int32_t version[3] = {0, 0, 7};
    (void)state;
    acl_in_child(answering_generation_1, NULL, "TARN_ACL_GENERATION", "1", NULL);
    assert_acl(aclrtGetVersion(NULL, &version[1], &version[2]), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetVersion(&version[0], NULL, &version[2]), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetVersion(&version[0], &version[1], NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtGetVersion(&version[0], &version[1], &version[2]));
    assert_int_equal(version[0], 1);
    assert_int_equal(version[1], 17);
    assert_int_equal(version[2], 0);
}

static void name_is(void *expected) {
    assert_string_equal(aclrtGetSocName(), (const char *)expected);
}

static void there_is_no_name(void *arg) {
    (void)arg;
    assert_null(aclrtGetSocName());
}

static void the_chip_is_named_after_its_memory(void **state) {
    static char usual[] = "Ascend910B1";
    static char board[] = "Ascend310B1";
    static char unpadded[] = "Ascend950";
    (void)state;
    acl_in_child(name_is, usual, NULL);
    acl_in_child(name_is, board, "TARN_ACL_MODE", "RC", NULL);
    acl_in_child(name_is, unpadded, "TARN_ACL_PADDING", "0", NULL);
    acl_in_child(there_is_no_name, NULL, "TARN_ACL_DEVICE", "nonsense:0", NULL);
}

static void failing(void *arg) {
    (void)arg;
    assert_int_equal(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
    assert_acl(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclInit(NULL));
    assert_acl(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    assert_int_equal(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
    assert_acl(aclrtGetLastError((aclrtLastErrLevel)1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtPeekAtLastError((aclrtLastErrLevel)1), ACL_ERROR_INVALID_PARAM);
}

static void the_last_error_stays_until_it_is_taken(void **state) {
    (void)state;
    acl_in_child(failing, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_are_counted),
        cmocka_unit_test(generation_1_starts_once_for_ever),
        cmocka_unit_test(an_empty_object_is_the_default),
        cmocka_unit_test(another_configuration_is_refused),
        cmocka_unit_test(what_is_no_json_is_refused),
        cmocka_unit_test(levels_have_a_limit),
        cmocka_unit_test(all_json_objects_are_taken),
        cmocka_unit_test(the_chip_is_named_after_its_memory),
        cmocka_unit_test(the_last_error_stays_until_it_is_taken),
        cmocka_unit_test(the_version_tells_the_generation), // without a child at last
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
