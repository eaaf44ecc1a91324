// SPDX-License-Identifier: Apache-2.0
// Pickles: plain data comes out as Python would have it, everything else is refused by name and
// byte.
#include "trace/parse/pickle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tn_values values;
static tn_value root;

static int begin(void **state) {
    (void)state;
    tn_values_begin(&values, "file", 1 << 20);
    return 0;
}

static int end(void **state) {
    (void)state;
    tn_values_release(&values);
    return 0;
}

static tarn_status load_sized(const void *bytes, size_t size) {
    struct tn_source *source;
    assert_int_equal(tn_source_open_memory("file", bytes, size, &source), TARN_OK);
    tarn_status status = tn_pickle_read(source, &values, &root);
    tn_source_close(source);
    return status;
}

#define LOAD(literal) load_sized(literal, sizeof(literal) - 1)

#define REFUSED(literal, status, text)                                                             \
    do {                                                                                           \
        assert_int_equal(LOAD(literal), status);                                                   \
        assert_message(text);                                                                      \
    } while (0)

static void assert_message(const char *expected) {
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, expected);
}

static uint64_t number_of(tn_value value) {
    uint64_t number = 0;
    assert_true(tn_value_unsigned(&values, value, &number));
    return number;
}

static void pickle_reads_integers_of_every_width(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x02K\xff."), TARN_OK);
    assert_int_equal(number_of(root), 255);
    assert_int_equal(LOAD("\x80\x02M\xfe\xff."), TARN_OK);
    assert_int_equal(number_of(root), 65534);
    assert_int_equal(LOAD("\x80\x02J\x00\x00\x00\x40."), TARN_OK);
    assert_int_equal(number_of(root), 0x40000000);
    assert_int_equal(LOAD("\x80\x02J\xff\xff\xff\xff."), TARN_OK);
    assert_int_equal(values.nodes[root].as.number, -1);
    assert_int_equal(LOAD("\x80\x02\x8a\x06\x00\x00\x00\x00\x4b\x7f."), TARN_OK);
    assert_true(number_of(root) == UINT64_C(0x7f4b00000000));
    assert_int_equal(LOAD("\x80\x02\x8a\x00."), TARN_OK);
    assert_int_equal(number_of(root), 0);
    assert_int_equal(LOAD("\x80\x02\x8a\x01\x80."), TARN_OK);
    assert_int_equal(values.nodes[root].as.number, -128);
}

static void pickle_tells_integers_beyond_64_bits(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x02\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00."), TARN_OK);
    assert_true(number_of(root) == UINT64_MAX);
    assert_int_equal(LOAD("\x80\x02\x8a\x09\x01\x00\x00\x00\x00\x00\x00\x00\x01."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_BIG);
    assert_int_equal(LOAD("\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\xff."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_BIG);
    assert_int_equal(LOAD("\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\xff."), TARN_OK);
    assert_true(values.nodes[root].as.number == INT64_MIN);
}

static void pickle_reads_floats_bools_and_none(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x02G\x3f\xf8\x00\x00\x00\x00\x00\x00."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_FLOAT);
    assert_true(values.nodes[root].as.real == 1.5);
    assert_int_equal(LOAD("\x80\x02\x88."), TARN_OK);
    assert_int_equal(values.nodes[root].as.number, 1);
    assert_int_equal(LOAD("\x80\x02N."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_NONE);
}

static void pickle_reads_texts_and_bytes(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x04\x8c\x03"
                          "abc."),
                     TARN_OK);
    assert_true(tn_value_is(&values, root, "abc"));
    assert_false(tn_value_is(&values, root, "abcd"));
    assert_int_equal(LOAD("\x80\x02X\x02\x00\x00\x00"
                          "de."),
                     TARN_OK);
    assert_true(tn_value_is(&values, root, "de"));
    assert_int_equal(LOAD("\x80\x04\x8d\x01\x00\x00\x00\x00\x00\x00\x00x."), TARN_OK);
    assert_true(tn_value_is(&values, root, "x"));
    assert_int_equal(LOAD("\x80\x03"
                          "C\x02xy."),
                     TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_BYTES);
    assert_false(tn_value_is(&values, root, "xy"));
}

static void pickle_reads_lists_in_several_pieces(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x02](K\x01K\x02\x65(K\x03\x65K\x04\x61."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_LIST);
    assert_int_equal(tn_value_count(&values, root), 4);
    struct tn_items items = tn_items_of(&values, root);
    tn_value item;
    for (uint64_t i = 1; i <= 4; i++) {
        assert_true(tn_items_next(&items, &item));
        assert_int_equal(number_of(item), i);
    }
    assert_false(tn_items_next(&items, &item));
}

static void pickle_reads_dicts_and_the_last_of_equal_keys_counts(void **state) {
    (void)state;
    tn_value value;
    assert_int_equal(LOAD("\x80\x04}(\x8c\x01kK\x01\x8c\x01jK\x02\x8c\x01kK\x03u."), TARN_OK);
    assert_true(tn_value_get(&values, root, "k", &value));
    assert_int_equal(number_of(value), 3);
    assert_true(tn_value_get(&values, root, "j", &value));
    assert_int_equal(number_of(value), 2);
    assert_false(tn_value_get(&values, root, "i", &value));
}

static void pickle_reads_tuples(void **state) {
    (void)state;
    assert_int_equal(LOAD("\x80\x02K\x01K\x02\x86."), TARN_OK);
    assert_int_equal(tn_value_kind(&values, root), TN_VALUE_TUPLE);
    assert_int_equal(tn_value_count(&values, root), 2);
    assert_int_equal(LOAD("\x80\x02(K\x01K\x02K\x03K\x04t."), TARN_OK);
    assert_int_equal(tn_value_count(&values, root), 4);
    assert_int_equal(LOAD("\x80\x02)."), TARN_OK);
    assert_int_equal(tn_value_count(&values, root), 0);
}

static void pickle_shares_values_through_the_memo(void **state) {
    (void)state;
    // [x, x] with x = "ab", by MEMOIZE and by BINPUT.
    assert_int_equal(LOAD("\x80\x04](\x8c\x02\x61\x62\x94h\x00\x65."), TARN_OK);
    assert_int_equal(tn_value_count(&values, root), 2);
    struct tn_items items = tn_items_of(&values, root);
    tn_value first = 0, second = 0;
    assert_true(tn_items_next(&items, &first) && tn_items_next(&items, &second));
    assert_int_equal(first, second);
    assert_int_equal(LOAD("\x80\x02](X\x01\x00\x00\x00\x61q\x01h\x01\x65."), TARN_OK);
    assert_int_equal(tn_value_count(&values, root), 2);
}

static void pickle_holds_a_list_that_contains_itself(void **state) {
    (void)state;
    tn_value inner;
    assert_int_equal(LOAD("\x80\x04]\x94h\x00\x61."), TARN_OK);
    struct tn_items items = tn_items_of(&values, root);
    assert_true(tn_items_next(&items, &inner));
    assert_int_equal(inner, root);
    assert_false(tn_items_next(&items, &inner));
}

static void pickle_survives_deep_nesting(void **state) {
    (void)state;
    enum { DEPTH = 20000 };
    static uint8_t bytes[2 * DEPTH + 3];
    size_t size = 0;
    bytes[size++] = 0x80;
    bytes[size++] = 4;
    memset(bytes + size, ']', DEPTH);
    memset(bytes + size + DEPTH, 'a', DEPTH - 1);
    size += 2 * DEPTH - 1;
    bytes[size++] = '.';
    assert_int_equal(load_sized(bytes, size), TARN_OK);
}

static void pickle_refuses_whatever_names_code(void **state) {
    (void)state;
    REFUSED("\x80\x02"
            "cos\nsystem\nX\x02\x00\x00\x00ls\x85R.",
            TARN_UNSUPPORTED,
            "file: byte 2: pickle opcode GLOBAL is refused: only plain data is read");
    REFUSED("\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93.", TARN_UNSUPPORTED,
            "file: byte 16: pickle opcode STACK_GLOBAL is refused: only plain data is read");
    REFUSED("\x80\x02NR.", TARN_UNSUPPORTED,
            "file: byte 3: pickle opcode REDUCE is refused: only plain data is read");
    static const uint8_t codes[] = {'c',  'R',  'b',  'i',  'o',  'P',  'Q',  0x81, 0x82, 0x83,
                                    0x84, 0x92, 0x93, 'I',  'L',  'F',  'S',  'V',  'T',  'U',
                                    'g',  'p',  0x8f, 0x90, 0x91, 0x96, 0x97, 0x98};
    for (size_t i = 0; i < sizeof codes; i++) {
        uint8_t bytes[] = {0x80, 4, 'N', codes[i], '.'};
        assert_int_equal(load_sized(bytes, sizeof bytes), TARN_UNSUPPORTED);
    }
}

static void pickle_refuses_unknown_opcodes_and_protocols(void **state) {
    (void)state;
    REFUSED("\x80\x04\xff.", TARN_CORRUPT, "file: byte 2: 0xff is no pickle opcode");
    REFUSED("\x80\x06N.", TARN_CORRUPT, "file: byte 0: a protocol above 5");
}

static void pickle_refuses_broken_stacks(void **state) {
    (void)state;
    REFUSED("\x80\x04.", TARN_CORRUPT, "file: byte 2: the pickle does not end with one value");
    REFUSED("\x80\x04NN.", TARN_CORRUPT, "file: byte 4: the pickle does not end with one value");
    REFUSED("\x80\x04N(.", TARN_CORRUPT, "file: byte 4: the pickle does not end with one value");
    REFUSED("\x80\x04\x61", TARN_CORRUPT, "file: byte 2: the stack is empty");
    REFUSED("\x80\x04N\x61", TARN_CORRUPT, "file: byte 3: the stack is empty");
    REFUSED("\x80\x04NN\x61", TARN_CORRUPT,
            "file: byte 4: items are added to a value that cannot hold them");
    REFUSED("\x80\x04\x65", TARN_CORRUPT, "file: byte 2: a mark is missing");
    REFUSED("\x80\x04}(Nu", TARN_CORRUPT, "file: byte 5: a key without a value");
    REFUSED("\x80\x04(N\x64", TARN_CORRUPT, "file: byte 4: a key without a value");
    REFUSED("\x80\x04](0", TARN_CORRUPT, "file: byte 4: the stack is empty");
    REFUSED("\x80\x04\x86", TARN_CORRUPT, "file: byte 2: the stack is empty");
    REFUSED("\x80\x04](\x61", TARN_CORRUPT, "file: byte 4: the stack is empty");
}

static void pickle_refuses_memo_entries_that_were_never_stored(void **state) {
    (void)state;
    REFUSED("\x80\x04h\x00.", TARN_CORRUPT, "file: byte 2: a memo entry that was never stored");
    REFUSED("\x80\x04Nq\x02h\x01", TARN_CORRUPT,
            "file: byte 5: a memo entry that was never stored");
    REFUSED("\x80\x04Nr\xff\xff\xff\xff.", TARN_CORRUPT,
            "file: byte 3: a memo entry far beyond the entries so far");
    REFUSED("\x80\x04\x94.", TARN_CORRUPT, "file: byte 2: the stack is empty");
}

static void pickle_refuses_a_file_that_ends_early(void **state) {
    (void)state;
    REFUSED("\x80\x04](K\x01", TARN_CORRUPT, "file: byte 6: the file ends early");
    REFUSED("\x80\x04\x8c\x10"
            "abc",
            TARN_CORRUPT, "file: byte 7: the file ends early");
    REFUSED("\x80\x04J\x01", TARN_CORRUPT, "file: byte 4: the file ends early");
}

static void pickle_believes_a_length_only_as_far_as_bytes_follow(void **state) {
    (void)state;
    REFUSED("\x80\x04X\xff\xff\xff\x7f"
            "abc",
            TARN_CORRUPT, "file: byte 10: the file ends early");
    assert_true(values.byte_room < 100000);
    REFUSED("\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f", TARN_CORRUPT,
            "file: byte 2: a text of more than 4 GiB");
    REFUSED("\x80\x04\x8b\xff\xff\xff\x7f.", TARN_CORRUPT,
            "file: byte 2: an integer of more than 1024 bytes");
}

static void pickle_refuses_data_after_its_end(void **state) {
    (void)state;
    REFUSED("\x80\x04N.N", TARN_CORRUPT, "file: byte 4: data after the end of the pickle");
    REFUSED("\x80\x04N.\0\0N", TARN_CORRUPT, "file: byte 6: data after the end of the pickle");
}

static void pickle_keeps_to_the_limit_of_memory(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    uint8_t *bytes = (uint8_t *)malloc(COUNT);
    tarn_error error;
    assert_non_null(bytes);
    memset(bytes, '}', COUNT);
    bytes[0] = 0x80;
    bytes[1] = 4;
    assert_int_equal(load_sized(bytes, COUNT), TARN_NO_HOST_MEMORY);
    free(bytes);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, "file: the values need more than the 1048576 bytes allowed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pickle_reads_integers_of_every_width),
        TEST(pickle_tells_integers_beyond_64_bits),
        TEST(pickle_reads_floats_bools_and_none),
        TEST(pickle_reads_texts_and_bytes),
        TEST(pickle_reads_lists_in_several_pieces),
        TEST(pickle_reads_dicts_and_the_last_of_equal_keys_counts),
        TEST(pickle_reads_tuples),
        TEST(pickle_shares_values_through_the_memo),
        TEST(pickle_holds_a_list_that_contains_itself),
        TEST(pickle_survives_deep_nesting),
        TEST(pickle_refuses_whatever_names_code),
        TEST(pickle_refuses_unknown_opcodes_and_protocols),
        TEST(pickle_refuses_broken_stacks),
        TEST(pickle_refuses_memo_entries_that_were_never_stored),
        TEST(pickle_refuses_a_file_that_ends_early),
        TEST(pickle_believes_a_length_only_as_far_as_bytes_follow),
        TEST(pickle_refuses_data_after_its_end),
        TEST(pickle_keeps_to_the_limit_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
