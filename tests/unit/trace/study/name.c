// SPDX-License-Identifier: Apache-2.0
// Short names of calls.
#include "trace/study/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void functions_keep_their_last_two_parts(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"forward", "forward"},
        {"", "?"},
        {"<module>", "<module>"},
        {"malloc(size)", "malloc(size)"},
        {"at::native::add(at::Tensor const&)", "native::add"},
        {"std::vector<std::string>::push_back(int)", "vector<std::string>::push_back"},
        {"(anonymous namespace)::run(int)", "(anonymous namespace)::run"},
        {"c10::(anonymous namespace)::run(int)", "(anonymous namespace)::run"},
        {"a::b::call<void (*)(int)>(int)", "b::call<void (*)(int)>"},
        {"a::b::operator->(int)", "b::operator->"},
        {"a::b::operator()(int) const", "b::operator()"},
        {"void a::b::run<int>(std::string)", "b::run<int>"},
        {"std::vector<int> make(int)", "make"},
        {"void fill(std::vector<int>&)", "fill"},
        {"a::run() [clone .cold]", "a::run"},
        {"at::_ops::add_Tensor::call(at::Tensor const&)", "aten::add_Tensor"},
        {"torn::<<", "torn::<<"},
        {"\033[2J", "?[2J"},
        {"\xc2\x9b"
         "2J\xff\xc3\xa4",
         "??2J?\xc3\xa4"}, // U+009B, no UTF-8, a letter
    };
    char name[TN_NAME_PART];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(tn_name_function(cases[i][0], name, sizeof name), cases[i][1]);
}

static void scopes_have_no_types_and_no_arguments(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"forward", "forward"},
        {"operator new(unsigned long)", "operator new"},
        {"operator new[](unsigned long)", "operator new[]"},
        {"a::operator<<(a::b, int)", "a::operator<<"},
        {"at::Tensor a::b<c10::d>::run(c10::e)", "a::b<c10::d>::run"},
        {"float* reserve<float>(unsigned long)", "reserve<float>"},
        {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
        {"void (anonymous namespace)::run(int)", "(anonymous namespace)::run"},
        {"<module>", "<module>"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = 0;
        const char *name = tn_name_scope(cases[i][0], &length);
        assert_int_equal(length, strlen(cases[i][1]));
        assert_memory_equal(name, cases[i][1], length);
    }
}

static void names_are_cut_at_their_room(void **state) {
    (void)state;
    char name[4];
    assert_string_equal(tn_name_function("forward", name, sizeof name), "for");
    assert_string_equal(tn_name_path("/src/model.py", 0, name, sizeof name), ".py");
    assert_string_equal(tn_name_path("C:\\Users\\me\\model.py", 0, name, sizeof name), ".py");
}

static void more_of_a_name_is_shown_on_request(void **state) {
    (void)state;
    static const char path[] = "/data/a/model.py", windows[] = "C:\\data\\a\\model.py";
    char name[TN_NAME_PART], small[12];
    assert_string_equal(tn_name_path(path, 0, name, sizeof name), "model.py");
    assert_string_equal(tn_name_path(path, 1, name, sizeof name), "a/model.py");
    assert_string_equal(tn_name_path(path, 2, name, sizeof name), "data/a/model.py");
    assert_string_equal(tn_name_path(path, 9, name, sizeof name), path);
    assert_string_equal(tn_name_path(windows, 1, name, sizeof name), "a\\model.py");
    assert_string_equal(tn_name_path(path, 9, small, sizeof small), "/a/model.py");
    assert_string_equal(tn_name_path("/data/??", 1, name, sizeof name), "");
    assert_string_equal(tn_name_whole("a::f(int)", name, sizeof name), "a::f(int)");
    assert_string_equal(tn_name_whole("a::b::c::f(int)", small, sizeof small), "a::b...int)");
    // a letter of several bytes is shown whole or not at all
    assert_string_equal(tn_name_text("abcdefghij\u00fc", small, sizeof small), "abcdefghij");
    assert_string_equal(tn_name_path("/a\u00fcbcdefghi.c", 1, small, sizeof small), "bcdefghi.c");
    assert_string_equal(tn_name_whole("abc\u00fcdefgh\u00fcijk", small, sizeof small), "abc...ijk");
}

static void calls_without_a_file_are_functions_alone(void **state) {
    (void)state;
    char *texts[] = {"", "forward", "/src/model.py", "??"};
    struct tn_trace_call calls[] = {{0}, {0, 1, 2, 31}, {0, 1, 2, 0}, {0, 1, 3, 7}};
    struct tn_trace trace = {.calls = calls, .call_count = 4, .texts = texts, .text_count = 4};
    char name[TN_NAME_CALL];
    assert_string_equal(tn_name_call(&trace, NULL, 1, true, name), "forward (model.py:31)");
    assert_string_equal(tn_name_call(&trace, NULL, 1, false, name), "forward (model.py)");
    assert_string_equal(tn_name_call(&trace, NULL, 2, true, name), "forward (model.py)");
    assert_string_equal(tn_name_call(&trace, NULL, 3, true, name), "forward");
    const uint8_t detail[] = {0, 0, 1, 0};
    assert_string_equal(tn_name_call(&trace, detail, 1, true, name), "forward (src/model.py:31)");
    assert_string_equal(tn_name_call(&trace, detail, 3, true, name), "forward");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_keep_their_last_two_parts),
        cmocka_unit_test(scopes_have_no_types_and_no_arguments),
        cmocka_unit_test(names_are_cut_at_their_room),
        cmocka_unit_test(more_of_a_name_is_shown_on_request),
        cmocka_unit_test(calls_without_a_file_are_functions_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
