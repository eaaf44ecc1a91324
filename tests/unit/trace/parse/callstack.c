// SPDX-License-Identifier: Apache-2.0
// Stacks that are text: each way of writing a call gives its function, file and line, innermost
// first, whatever else the text contains.
#include "trace/parse/callstack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Writes a stack as "function@file:line|...", innermost first.
static void assert_stack(const char *text, const char *expected) {
    struct tn_builder builder;
    struct tn_trace trace = {.note_count = 0};
    char shown[512] = "";
    size_t used = 0;
    uint32_t stack = 77;
    assert_int_equal(tn_builder_begin(&builder, "file", TN_TRACE_CSV, NULL), TARN_OK);
    assert_int_equal(tn_callstack_add(&builder, (struct tn_cell){text, strlen(text)}, 0, &stack),
                     TARN_OK);
    for (; stack != 0 && used < sizeof shown; stack = builder.trace.calls[stack].caller) {
        const struct tn_trace_call *call = &builder.trace.calls[stack];
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%s@%s:%u",
                                 used > 0 ? "|" : "", builder.trace.texts[call->function],
                                 builder.trace.texts[call->file], call->line);
    }
    assert_string_equal(shown, expected);
    (void)tn_builder_end(&builder, TARN_CORRUPT, &trace);
}

static void callstack_calls_in_a_row_begin_with_a_file_and_line(void **state) {
    (void)state;
    assert_stack("model.py:12 forward train.py:40 train step main.py:7 <module>",
                 "forward@model.py:12|train step@train.py:40|<module>@main.py:7");
}

static void callstack_lines_and_semicolons_separate_calls(void **state) {
    (void)state;
    assert_stack("f\ng\r\nh", "f@:0|g@:0|h@:0");
    assert_stack("f; g;;h;", "f@:0|g@:0|h@:0");
    assert_stack("a.py:3 f;b.py:4 g;c.py:5 h", "f@a.py:3|g@b.py:4|h@c.py:5");
    assert_stack("C:\\a.py:3 f\nC:\\b.py:4 g", "f@C:\\a.py:3|g@C:\\b.py:4");
}

static void callstack_python_lines_have_files_with_blanks_behind(void **state) {
    (void)state;
    assert_stack("/a/b.py(31): forward\n/a/c.py(7): <lambda>\n",
                 "forward@/a/b.py:31|<lambda>@/a/c.py:7");
    assert_stack("a.py:9", "@a.py:9");
}

static void callstack_lines_may_be_numbered(void **state) {
    (void)state;
    assert_stack("(0) ??:0:at::empty(int)\n(1) C:\\a b.py:12:forward\n(2) x.py:7:<module>",
                 "at::empty(int)@??:0|forward@C:\\a b.py:12|<module>@x.py:7");
    assert_stack("(0) f\n(1)\n(x) g", "(0) f@:0|(1)@:0|(x) g@:0");
}

static void callstack_symbols_lose_offset_and_address(void **state) {
    (void)state;
    assert_stack("/lib/libx.so.1(aclrtMalloc+0x1f) [0x7f00]\n/lib/liby.so(+0x10) [0x1]",
                 "aclrtMalloc@/lib/libx.so.1:0|@/lib/liby.so:0");
}

static void callstack_names_come_before_a_place_in_parentheses(void **state) {
    (void)state;
    assert_stack("f (a.py:3); g (b c.py:12)", "f@a.py:3|g@b c.py:12");
    assert_stack("f(int) (a.cpp:3)", "f(int)@a.cpp:3");
    assert_stack("f (a.py:x)", "f (a.py:x)@:0");
}

static void callstack_other_text_is_a_function(void **state) {
    (void)state;
    assert_stack("operator()(int, long) const", "operator()(int, long) const@:0");
    assert_stack("std::vector<int>::at", "std::vector<int>::at@:0");
    assert_stack("/x(", "/x(@:0");
    assert_stack(":12 f", ":12 f@:0");
    assert_stack("a:99999999999999999999 f", "a:99999999999999999999 f@:0");
    assert_stack("", "");
    assert_stack(" ; \n;", "");
}

static void callstack_deeper_calls_are_dropped_at_the_outer_end(void **state) {
    (void)state;
    char text[8 * (TN_CALLSTACK_DEPTH + 50)] = "";
    struct tn_builder builder;
    struct tn_trace trace = {.note_count = 0};
    size_t used = 0, depth = 0;
    uint32_t stack = 0;
    for (int i = 0; i < TN_CALLSTACK_DEPTH + 50; i++)
        used += (size_t)sprintf(text + used, "f%d;", i);
    assert_int_equal(tn_builder_begin(&builder, "file", TN_TRACE_CSV, NULL), TARN_OK);
    assert_int_equal(tn_callstack_add(&builder, (struct tn_cell){text, used}, 0, &stack), TARN_OK);
    assert_string_equal(builder.trace.texts[builder.trace.calls[stack].function], "f0");
    for (; stack != 0; stack = builder.trace.calls[stack].caller) depth++;
    assert_int_equal(depth, TN_CALLSTACK_DEPTH);
    (void)tn_builder_end(&builder, TARN_CORRUPT, &trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callstack_calls_in_a_row_begin_with_a_file_and_line),
        cmocka_unit_test(callstack_lines_and_semicolons_separate_calls),
        cmocka_unit_test(callstack_python_lines_have_files_with_blanks_behind),
        cmocka_unit_test(callstack_lines_may_be_numbered),
        cmocka_unit_test(callstack_symbols_lose_offset_and_address),
        cmocka_unit_test(callstack_names_come_before_a_place_in_parentheses),
        cmocka_unit_test(callstack_other_text_is_a_function),
        cmocka_unit_test(callstack_deeper_calls_are_dropped_at_the_outer_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
