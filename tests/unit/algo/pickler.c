// SPDX-License-Identifier: Apache-2.0
// Pickles: each number has its shortest form, lists come in batches of 1,000, and texts are UTF-8.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "algo/pickler.h"

static uint8_t bytes[8192];
static size_t size;

static void collect(void *sink, const void *from, size_t length) {
    (void)sink;
    assert_true(size + length <= sizeof bytes);
    memcpy(bytes + size, from, length);
    size += length;
}

static struct tn_pickler begin(void) {
    struct tn_pickler pickler;
    size = 0;
    tn_pickler_begin(&pickler, collect, NULL);
    assert_memory_equal(bytes, "\x80\x04", 2);
    size = 0;
    return pickler;
}

#define ASSERT_BYTES(expected)                                                                     \
    do {                                                                                           \
        assert_int_equal(size, sizeof(expected) - 1);                                              \
        assert_memory_equal(bytes, expected, size);                                                \
        size = 0;                                                                                  \
    } while (0)

static void numbers_have_their_shortest_form(void **state) {
    (void)state;
    struct tn_pickler pickler = begin();
    tn_pickler_number(&pickler, 255);
    ASSERT_BYTES("K\xff");
    tn_pickler_number(&pickler, 65535);
    ASSERT_BYTES("M\xff\xff");
    tn_pickler_number(&pickler, INT32_MAX);
    ASSERT_BYTES("J\xff\xff\xff\x7f");
    tn_pickler_number(&pickler, UINT64_C(1) << 31);
    ASSERT_BYTES("\x8a\x05\x00\x00\x00\x80\x00");
    tn_pickler_number(&pickler, UINT64_C(0x7f0000000000));
    ASSERT_BYTES("\x8a\x06\x00\x00\x00\x00\x00\x7f");
    tn_pickler_number(&pickler, INT64_MAX);
    ASSERT_BYTES("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f");
    tn_pickler_number(&pickler, UINT64_MAX);
    ASSERT_BYTES("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00");
    tn_pickler_signed(&pickler, -1);
    ASSERT_BYTES("J\xff\xff\xff\xff");
    tn_pickler_signed(&pickler, INT64_MIN);
    ASSERT_BYTES("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80");
    tn_pickler_pair(&pickler, 0, 1);
    ASSERT_BYTES("K\0K\1\x86");
}

static void lists_come_in_batches(void **state) {
    (void)state;
    struct tn_pickler pickler = begin();
    size_t count, appends = 0, marks = 0;
    tn_pickler_open_list(&pickler, &count);
    tn_pickler_close_list(&pickler, count);
    ASSERT_BYTES("]");
    tn_pickler_open_list(&pickler, &count);
    for (int i = 0; i < 1001; i++) {
        tn_pickler_item(&pickler, &count);
        tn_pickler_bool(&pickler, true);
    }
    tn_pickler_close_list(&pickler, count);
    for (size_t i = 0; i < size; i++) {
        appends += bytes[i] == 'e';
        marks += bytes[i] == '(';
    }
    assert_int_equal(appends, 2);
    assert_int_equal(marks, 2);
    assert_int_equal(bytes[1 + 1 + 1000], 'e');
}

static void texts_are_utf8(void **state) {
    (void)state;
    struct tn_pickler pickler = begin();
    tn_pickler_text(&pickler, "a\xc3\xa4\xf0\x9f\x98\x80");
    ASSERT_BYTES("\x8c\x07"
                 "a\xc3\xa4\xf0\x9f\x98\x80");
    // Longer than needed, a surrogate, above the highest, cut, alone: each byte is replaced.
    static const char *const wrong[] = {"\xc0\x80",         "\xe0\x80\x80", "\xed\xa0\x80",
                                        "\xf4\x90\x80\x80", "\xe2\x82",     "\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tn_pickler_text(&pickler, wrong[i]);
        assert_int_equal(size, 2 + 3 * strlen(wrong[i]));
        assert_memory_equal(bytes + 2, "\xef\xbf\xbd", 3);
        size = 0;
    }
}

static void values_are_remembered(void **state) {
    (void)state;
    struct tn_pickler pickler = begin();
    uint32_t first = tn_pickler_remember(&pickler), last = first;
    for (int i = 0; i < 256; i++) last = tn_pickler_remember(&pickler);
    size = 0;
    tn_pickler_again(&pickler, first);
    ASSERT_BYTES("h\0");
    tn_pickler_again(&pickler, last);
    ASSERT_BYTES("j\0\1\0\0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_shortest_form),
        cmocka_unit_test(lists_come_in_batches),
        cmocka_unit_test(texts_are_utf8),
        cmocka_unit_test(values_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
