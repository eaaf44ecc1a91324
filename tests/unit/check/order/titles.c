// SPDX-License-Identifier: Apache-2.0
// Titles of streams: the program's handle or a name, and the handle of Tarn where none was stated.
#include "check/order/titles.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "annotate/annotate.h"

static struct tn_check_titles titles;

static void apply(unsigned kind, uint32_t image, uint64_t stream, uint64_t handle,
                  const char *name) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = (uint16_t)kind, .stream = stream, .object = handle, .name = name);
    event.image = image;
    tn_check_titles_event(&titles, &event);
}

static void assert_title(uint32_t image, uint64_t stream, const char *text) {
    struct tn_check_title title;
    tn_check_titles_find(&titles, image, stream, &title);
    assert_string_equal(title.text, text);
}

static int teardown(void **state) {
    (void)state;
    tn_check_titles_fini(&titles);
    memset(&titles, 0, sizeof titles);
    return 0;
}

static void a_stream_without_a_statement_has_the_handle_of_tarn(void **state) {
    (void)state;
    assert_title(1, 0, "the host");
    assert_title(1, 0x77, "stream 0x77");
    apply(TN_MEM_STREAM_BEGIN, 1, 0x78, 0, NULL);
    assert_title(1, 0x78, "stream 0x78");
}

static void a_stated_handle_or_name_replaces_it(void **state) {
    (void)state;
    apply(TN_MEM_STREAM_BEGIN, 1, 0x77, 0, NULL);
    apply(TN_MEM_STREAM_NAME, 1, 0x77, 0x5000, NULL);
    assert_title(1, 0x77, "stream 0x5000");
    apply(TN_MEM_STREAM_NAME, 1, 0x78, 0, "the default stream");
    assert_title(1, 0x78, "the default stream");
    assert_title(2, 0x77, "stream 0x77"); // another library's stream
}

static void a_name_is_cut_and_has_no_control_characters(void **state) {
    (void)state;
    apply(TN_MEM_STREAM_NAME, 1, 0x77, 0, "a\nb");
    assert_title(1, 0x77, "a\\x0ab");
    apply(TN_MEM_STREAM_NAME, 1, 0x77, 0,
          "a name that is much longer than the room that a title of a stream has");
    struct tn_check_title title;
    tn_check_titles_find(&titles, 1, 0x77, &title);
    assert_int_equal(strlen(title.text), TN_CHECK_TITLE_BYTES - 1);
}

static void only_some_thousand_streams_have_titles(void **state) {
    char text[64];
    (void)state;
    for (uint64_t i = 1; i <= 5000; i++) apply(TN_MEM_STREAM_NAME, 1, i, 0x10000 + i, NULL);
    assert_title(1, 1, "stream 0x10001");
    (void)snprintf(text, sizeof text, "stream 0x%" PRIx64, UINT64_C(5000));
    assert_title(1, 5000, text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_stream_without_a_statement_has_the_handle_of_tarn, teardown),
        cmocka_unit_test_teardown(a_stated_handle_or_name_replaces_it, teardown),
        cmocka_unit_test_teardown(a_name_is_cut_and_has_no_control_characters, teardown),
        cmocka_unit_test_teardown(only_some_thousand_streams_have_titles, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
