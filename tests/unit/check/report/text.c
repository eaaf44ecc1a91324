// SPDX-License-Identifier: Apache-2.0
// Claims about texts in a fixed room, and strings in JSON.
#include "check/report/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_text_that_is_full_is_cut_and_stays_terminated(void **state) {
    (void)state;
    char room[8];
    memset(room, 'x', sizeof room);
    struct tn_check_text text = TN_CHECK_TEXT(room);
    tn_check_text_add(&text, "%s-%d", "ab", 12);
    assert_int_equal(text.used, 5);
    tn_check_text_add(&text, "%s", "3456");
    assert_string_equal(room, "ab-1234");
    assert_int_equal(text.used, 7);
    tn_check_text_add(&text, "%s", "more");
    assert_string_equal(room, "ab-1234");
    assert_int_equal(text.used, 7);
}

// A name could begin a line that looks like the summary, and a terminal takes escapes as commands.
static void what_is_not_printable_in_a_text_is_escaped(void **state) {
    (void)state;
    char room[64];
    struct tn_check_text text = TN_CHECK_TEXT(room);
    tn_check_text_add(&text, "a \"%s\"\n", "x\n\x1b[\x7f\xff\xc2\x9b\xc3\xa4");
    assert_string_equal(room, "a \"x\\x0a\\x1b[\\x7f\\xff\\xc2\\x9b\xc3\xa4\"\n");
    assert_int_equal(text.used, strlen(room));
    text.used = 0;
    tn_check_text_add(&text, "%s", "\n"); // no newline of the format
    tn_check_text_add(&text, "%s\n", "");
    assert_string_equal(room, "\\x0a\n");
}

static void what_is_escaped_is_cut_at_the_end_of_the_room(void **state) {
    (void)state;
    char room[12], names[12];
    for (size_t length = 0; length < sizeof names; length++) {
        struct tn_check_text text = TN_CHECK_TEXT(room);
        memset(names, '\n', length);
        names[length] = '\0';
        tn_check_text_add(&text, "b%s\n", names);
        assert_int_equal(text.used, strlen(room));
        assert_true(text.used < sizeof room);
        assert_memory_equal(room, "b\\x0a\\x0a\\x0a", length < 2 ? 1 + 4 * length : 1);
        for (size_t i = 0; i + 1 < text.used; i++) assert_true(room[i] != '\n');
    }
}

static void assert_json(const char *string, const char *wanted) {
    char room[256];
    struct tn_check_text text = TN_CHECK_TEXT(room);
    tn_check_text_add_json(&text, string);
    assert_string_equal(room, wanted);
}

static void a_string_in_json_is_quoted_and_escaped(void **state) {
    (void)state;
    assert_json(NULL, "null");
    assert_json("", "\"\"");
    assert_json("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
    assert_json("\n\t\x1f\x7f", "\"\\u000a\\u0009\\u001f\\u007f\"");
    assert_json("\xc2\x80\xc2\x9b", "\"\\u0080\\u009b\""); // C1 controls
}

static void characters_of_utf8_stay_as_they_are(void **state) {
    (void)state;
    assert_json("\xc2\xa0 \xdf\xbf", "\"\xc2\xa0 \xdf\xbf\"");
    assert_json("\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80",
                "\"\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80\"");
    assert_json("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\"");
}

static void each_byte_that_is_no_utf8_is_replaced(void **state) {
    (void)state;
    assert_json("\x80", "\"\\ufffd\"");
    assert_json("\xff!", "\"\\ufffd!\"");
    assert_json("\xc1\xbf", "\"\\ufffd\\ufffd\"");                       // too long for its code
    assert_json("\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"");            // the same
    assert_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            // a surrogate
    assert_json("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // above U+10FFFF
    assert_json("\xe2\x82", "\"\\ufffd\\ufffd\"");                       // cut
    assert_json("\xe2\x41", "\"\\ufffdA\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_is_full_is_cut_and_stays_terminated),
        cmocka_unit_test(what_is_not_printable_in_a_text_is_escaped),
        cmocka_unit_test(what_is_escaped_is_cut_at_the_end_of_the_room),
        cmocka_unit_test(a_string_in_json_is_quoted_and_escaped),
        cmocka_unit_test(characters_of_utf8_stay_as_they_are),
        cmocka_unit_test(each_byte_that_is_no_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
