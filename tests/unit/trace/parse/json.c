// SPDX-License-Identifier: Apache-2.0
// JSON: values arrive as jansson would read them, numbers without loss, and every kind of damage is
// refused with its place. Jansson is the model for documents that are made at random.
#include "trace/parse/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/error.h"

static struct tn_values values;

static tarn_status read_document(const char *text, size_t size, uint64_t limit, tn_value *root) {
    struct tn_source *source = NULL;
    assert_int_equal(tn_source_open_memory("file", text, size, &source), TARN_OK);
    tn_values_begin(&values, "file", limit);
    tarn_status status = tn_json_document(source, &values, root);
    tn_source_close(source);
    return status;
}

static tn_value read_ok(const char *text) {
    tn_value root = 0;
    assert_int_equal(read_document(text, strlen(text), 1 << 20, &root), TARN_OK);
    return root;
}

static void assert_refused(const char *text, tarn_status expected, const char *message) {
    tn_value root = 77;
    tarn_error error;
    assert_int_equal(read_document(text, strlen(text), 4096, &root), expected);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, message);
    tn_values_release(&values);
}

static void assert_scaled(const char *text, int digits, int64_t expected) {
    int64_t number = 0;
    assert_true(tn_value_scaled(&values, read_ok(text), digits, &number));
    assert_int_equal(number, expected);
    tn_values_release(&values);
}

static void numbers_keep_every_digit(void **state) {
    (void)state;
    uint64_t number;
    assert_true(tn_value_unsigned(&values, read_ok("18446744073709551615"), &number));
    assert_true(number == UINT64_MAX);
    tn_values_release(&values);
    assert_int_equal(tn_value_kind(&values, read_ok("18446744073709551616")), TN_VALUE_BIG);
    tn_values_release(&values);
    assert_int_equal(values.node_count, 0);
    assert_scaled("-9223372036854775808", 0, INT64_MIN);
    assert_scaled("1700000000000000.123", 3, INT64_C(1700000000000000123));
    assert_scaled("-0.0019", 3, -1);
    assert_scaled("1.7e15", 3, INT64_C(1700000000000000000));
    assert_scaled("25e-1", 3, 2500);
    assert_scaled("25E-1", 0, 2);
    assert_scaled("7", 3, 7000);
    assert_false(tn_value_scaled(&values, read_ok("1e19"), 0, &(int64_t){0}));
    tn_values_release(&values);
    assert_false(tn_value_scaled(&values, read_ok("9223372036854775807"), 3, &(int64_t){0}));
    tn_values_release(&values);
}

static void texts_are_unescaped(void **state) {
    (void)state;
    static const char expected[] = "q\" b\\ s/ \b\f\n\r\t \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 "
                                   "\xef\xbf\xbd";
    const char *text;
    size_t length;
    tn_value root = read_ok("\"q\\\" b\\\\ s\\/ \\b\\f\\n\\r\\t \\u00e4 \\u20AC \\ud83d\\ude00 "
                            "\\udc80\"");
    assert_true(tn_value_text(&values, root, &text, &length));
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
    tn_values_release(&values);
}

static void names_of_python_are_read(void **state) {
    (void)state;
    static const enum tn_value_kind kinds[] = {TN_VALUE_BOOL,  TN_VALUE_BOOL,  TN_VALUE_NONE,
                                               TN_VALUE_FLOAT, TN_VALUE_FLOAT, TN_VALUE_FLOAT};
    tn_value root = read_ok(" [true,false , null,NaN,Infinity,\n-Infinity] "), item;
    struct tn_items items = tn_items_of(&values, root);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_true(tn_items_next(&items, &item));
        assert_int_equal(tn_value_kind(&values, item), kinds[i]);
    }
    assert_true(values.nodes[item].as.real < 0);
    tn_values_release(&values);
}

static void the_last_of_equal_keys_counts(void **state) {
    (void)state;
    tn_value value;
    uint64_t number = 0;
    tn_value root = read_ok("{\"a\":1,\"b\":{},\"a\":3}");
    assert_int_equal(tn_value_count(&values, root), 6);
    assert_true(tn_value_get(&values, root, "a", &value));
    assert_true(tn_value_unsigned(&values, value, &number));
    assert_int_equal(number, 3);
    tn_values_release(&values);
}

static void damage_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "file:1: byte 0: the file ends early"},
        {"[1,\n2", "file:2: byte 5: the file ends early"},
        {"[1 2]", "file:1: byte 3: expected ',' or ']'"},
        {"{\"a\":1 2}", "file:1: byte 7: expected ',' or '}'"},
        {"{1:2}", "file:1: byte 1: expected a key in quotes"},
        {"{\"a\" 2}", "file:1: byte 5: expected ':' after a key"},
        {"[1,]", "file:1: byte 3: no JSON value"},
        {"[01]", "file:1: byte 3: a damaged number"},
        {"[1.]", "file:1: byte 3: a damaged number"},
        {"[-]", "file:1: byte 2: a damaged number"},
        {"[nul]", "file:1: byte 4: no JSON value"},
        {"\"a\nb\"", "file:1: byte 2: a text is not closed on its line"},
        {"\"\\x\"", "file:1: byte 2: an unknown escape in a text"},
        {"\"\\u12g4\"", "file:1: byte 5: \\u needs four hexadecimal digits"},
        {"\"\\ud800 \"", "file:1: byte 7: half of a surrogate pair in a text"},
        {"\"\\ud800\\u0041\"", "file:1: byte 13: half of a surrogate pair in a text"},
        {"1 2", "file:1: byte 2: data after the end of the JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].text, TARN_CORRUPT, cases[i].message);
}

static void depth_and_memory_are_limited(void **state) {
    (void)state;
    char text[8192];
    memset(text, '[', sizeof text);
    memset(text + 64, ']', 64);
    text[128] = '\0';
    (void)read_ok(text);
    tn_values_release(&values);
    memset(text, '[', 65);
    text[65] = '\0';
    assert_refused(text, TARN_CORRUPT,
                   "file:1: byte 64: more than 64 arrays and objects in each other");
    memset(text, 'x', sizeof text);
    text[0] = '"';
    text[sizeof text - 1] = '\0';
    assert_refused(text, TARN_NO_HOST_MEMORY,
                   "file: the values need more than the 4096 bytes allowed");
    text[0] = '[';
    for (size_t i = 1; i + 2 < sizeof text; i += 2) memcpy(text + i, "1,", 2);
    assert_refused(text, TARN_NO_HOST_MEMORY,
                   "file: the values need more than the 4096 bytes allowed");
}

// Equal texts are one value, so the list of items alone reaches the limit, at an item that makes the
// list grow.
static void the_items_of_a_list_reach_the_limit_where_it_grows(void **state) {
    (void)state;
    enum { ITEMS = 729, LIMIT = ITEMS * 4 };
    char text[4 * (ITEMS + 1) + 2] = "[\"a\"";
    tn_value root = 0;
    for (int i = 0; i < ITEMS; i++) strcat(text, ",\"a\"");
    strcat(text, "]");
    assert_int_equal(read_document(text, strlen(text), LIMIT, &root), TARN_NO_HOST_MEMORY);
    tn_values_release(&values);
}

static void equal_texts_are_stored_once(void **state) {
    (void)state;
    (void)read_ok("[\"same\",\"same\",{\"same\":\"other\"},\"same\"]");
    assert_int_equal(values.byte_count, strlen("sameother"));
    tn_values_release(&values);
}

// Reads {"skip": ..., "list": [n, ...]} element by element, and returns the sum.
static tarn_status sum_list(struct tn_json *json, uint64_t *sum) {
    bool more = false;
    TN_TRY(tn_json_open(json, '{'));
    for (;;) {
        TN_TRY(tn_json_member(json, &more));
        if (!more) return tn_json_finish(json);
        if (strcmp(json->key, "list") != 0) {
            TN_TRY(tn_json_skip(json));
            continue;
        }
        TN_TRY(tn_json_open(json, '['));
        for (;;) {
            struct tn_values_mark mark = tn_values_mark(json->values);
            tn_value value;
            uint64_t number = 0;
            TN_TRY(tn_json_next(json, '[', &more));
            if (!more) break;
            TN_TRY(tn_json_read(json, &value));
            assert_true(tn_value_unsigned(json->values, value, &number));
            *sum += number;
            tn_values_rewind(json->values, mark);
        }
    }
}

static void long_lists_are_read_in_little_memory(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    static char text[COUNT * 8 + 256];
    char *at =
        text + sprintf(text, "{\"skip\": {\"x\": [[\"]}\\\"\", -1.5e3], null]}, \"list\": [");
    for (int i = 0; i < COUNT; i++) at += sprintf(at, "%s%d", i > 0 ? ", " : "", i);
    at += sprintf(at, "], \"after\": \"[\", \"number\": 17}\n");
    struct tn_source *source = NULL;
    struct tn_json json;
    uint64_t sum = 0;
    assert_int_equal(tn_source_open_memory("file", text, (size_t)(at - text), &source), TARN_OK);
    tn_values_begin(&values, "file", 1024);
    tn_json_begin(&json, source, &values);
    assert_int_equal(sum_list(&json, &sum), TARN_OK);
    assert_int_equal(sum, (uint64_t)COUNT * (COUNT - 1) / 2);
    tn_json_end(&json);
    tn_values_release(&values);
    tn_source_close(source);
}

// ---- against jansson

static void assert_equal_value(tn_value value, json_t *model);

static void assert_equal_dict(tn_value value, json_t *model) {
    tn_value key, item;
    struct tn_items items = tn_items_of(&values, value);
    assert_int_equal(tn_value_kind(&values, value), TN_VALUE_DICT);
    while (tn_items_next(&items, &key) && tn_items_next(&items, &item)) {
        const char *text = NULL;
        char name[256];
        size_t length = 0;
        assert_true(tn_value_text(&values, key, &text, &length) && length < sizeof name);
        memcpy(name, text, length);
        name[length] = '\0';
        assert_true(tn_value_get(&values, value, name, &item));
        assert_non_null(json_object_get(model, name));
        assert_equal_value(item, json_object_get(model, name));
    }
}

static void assert_equal_list(tn_value value, json_t *model) {
    tn_value item;
    struct tn_items items = tn_items_of(&values, value);
    assert_int_equal(tn_value_kind(&values, value), TN_VALUE_LIST);
    assert_int_equal(tn_value_count(&values, value), json_array_size(model));
    for (size_t i = 0; tn_items_next(&items, &item); i++)
        assert_equal_value(item, json_array_get(model, i));
}

static void assert_equal_value(tn_value value, json_t *model) {
    const struct tn_node *node = &values.nodes[value];
    const char *text = NULL;
    size_t length = 0;
    int64_t number = 0;
    switch (json_typeof(model)) {
    case JSON_OBJECT: assert_equal_dict(value, model); return;
    case JSON_ARRAY: assert_equal_list(value, model); return;
    case JSON_STRING:
        assert_true(tn_value_text(&values, value, &text, &length));
        assert_int_equal(length, json_string_length(model));
        assert_memory_equal(text, json_string_value(model), length);
        return;
    case JSON_INTEGER:
        assert_int_equal(node->kind, TN_VALUE_INT);
        assert_int_equal(node->as.number, json_integer_value(model));
        return;
    case JSON_REAL:
        assert_int_equal(node->kind, TN_VALUE_DECIMAL);
        if (json_real_value(model) > -1e9 && json_real_value(model) < 1e9) {
            assert_true(tn_value_scaled(&values, value, 3, &number));
            double difference = (double)number - json_real_value(model) * 1000;
            assert_true(difference > -1.001 && difference < 1.001);
        }
        return;
    default:
        assert_int_equal(node->kind, json_is_null(model) ? TN_VALUE_NONE : TN_VALUE_BOOL);
        assert_int_equal(node->as.number, json_is_true(model));
    }
}

static uint32_t random_state = 1;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static char *write_random(char *to, unsigned depth) {
    static const char *const scalars[] = {"true",
                                          "false",
                                          "null",
                                          "0",
                                          "-17",
                                          "9223372036854775807",
                                          "0.5",
                                          "-3.25e2",
                                          "1E-2",
                                          "\"\\u00e9\"",
                                          "\"a\\nb\"",
                                          "\"\"",
                                          "\"\\ud83d\\ude00\"",
                                          "\"\xc3\xa9\"",
                                          "1e3",
                                          "-0"};
    static const char *const spaces[] = {"", " ", "\n", "\t "};
    uint32_t kind = depth > 5 ? 2 : draw(4);
    uint32_t count = kind < 2 ? draw(5) : 0;
    if (kind >= 2) return to + sprintf(to, "%s", scalars[draw(sizeof scalars / sizeof *scalars)]);
    to += sprintf(to, "%s%s", kind == 0 ? "[" : "{", spaces[draw(4)]);
    for (uint32_t i = 0; i < count; i++) {
        to += sprintf(to, "%s%s", i > 0 ? "," : "", spaces[draw(4)]);
        if (kind == 1) to += sprintf(to, "\"k%u\"%s:%s", draw(4), spaces[draw(4)], spaces[draw(4)]);
        to = write_random(to, depth + 1);
        to += sprintf(to, "%s", spaces[draw(4)]);
    }
    return to + sprintf(to, "%s", kind == 0 ? "]" : "}");
}

static void jansson_reads_the_same_values(void **state) {
    (void)state;
    static char text[1 << 20];
    size_t accepted = 0;
    for (int round = 0; round < 4000; round++) {
        size_t size = (size_t)(write_random(text, 0) - text);
        for (uint32_t i = round % 2 == 0 ? 0 : 1 + draw(2); i > 0; i--)
            text[draw((uint32_t)size)] = "[]{},:\"\\01e.-t \n"[draw(16)];
        json_t *model = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        tn_value root = 0;
        tarn_status status = read_document(text, size, 1 << 20, &root);
        accepted += status == TARN_OK;
        if (model != NULL) {
            assert_int_equal(status, TARN_OK);
            assert_equal_value(root, model);
        }
        json_decref(model);
        tn_values_release(&values);
    }
    assert_in_range(accepted, 2000, 3900);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_keep_every_digit),
        cmocka_unit_test(texts_are_unescaped),
        cmocka_unit_test(names_of_python_are_read),
        cmocka_unit_test(the_last_of_equal_keys_counts),
        cmocka_unit_test(damage_is_refused_with_its_place),
        cmocka_unit_test(depth_and_memory_are_limited),
        cmocka_unit_test(the_items_of_a_list_reach_the_limit_where_it_grows),
        cmocka_unit_test(equal_texts_are_stored_once),
        cmocka_unit_test(long_lists_are_read_in_little_memory),
        cmocka_unit_test(jansson_reads_the_same_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
