// SPDX-License-Identifier: Apache-2.0
// Option strings: accepted values, refused values, and that a refused string changes nothing.
#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct config {
    uint64_t memory;
    uint64_t devices;
    double speed;
    bool strict;
    unsigned policy;
    char library[TN_OPTION_PATH_TEXT];
};

static const char *const policies[] = {"on-grant", "strict", NULL};

static const struct tn_option table[] = {
    {.key = "memory",
     .kind = TN_OPTION_SIZE,
     .offset = offsetof(struct config, memory),
     .fallback = "16G",
     .min = 4096,
     .power_of_two = true,
     .help = "capacity"},
    {.key = "devices",
     .kind = TN_OPTION_UNSIGNED,
     .offset = offsetof(struct config, devices),
     .fallback = "2",
     .min = 1,
     .max = 64,
     .help = "how many"},
    {.key = "speed",
     .kind = TN_OPTION_DOUBLE,
     .offset = offsetof(struct config, speed),
     .fallback = "1.5",
     .max = 1000,
     .help = "bytes per ns"},
    {.key = "strict",
     .kind = TN_OPTION_BOOL,
     .offset = offsetof(struct config, strict),
     .fallback = "no",
     .help = "strict"},
    {.key = "policy",
     .kind = TN_OPTION_CHOICE,
     .offset = offsetof(struct config, policy),
     .fallback = "on-grant",
     .choices = policies,
     .help = "policy"},
    {.key = "library",
     .kind = TN_OPTION_PATH,
     .offset = offsetof(struct config, library),
     .fallback = "",
     .help = "path"},
};

static struct config config;
static struct tn_options options;

static int start(void **state) {
    (void)state;
    memset(&config, 0xff, sizeof config);
    tn_options_init(&options, "test", table, sizeof table / sizeof table[0], &config);
    return 0;
}

static void assert_defaults(void) {
    assert_int_equal(config.memory, (uint64_t)16 << 30);
    assert_int_equal(config.devices, 2);
    assert_true(config.speed == 1.5);
    assert_false(config.strict);
    assert_int_equal(config.policy, 0);
    assert_string_equal(config.library, "");
}

static void defaults_come_from_the_table(void **state) {
    (void)state;
    assert_defaults();
    assert_string_equal(options.text[0], "16G");
    assert_string_equal(tn_options_source(&options, 0), "default");
}

static void a_string_sets_every_kind(void **state) {
    (void)state;
    assert_int_equal(tn_options_apply(&options,
                                      "memory=2GiB,devices=64,speed=0.25,strict=yes,policy=strict",
                                      TN_ORIGIN_URI),
                     TARN_OK);
    assert_int_equal(config.memory, (uint64_t)2 << 30);
    assert_int_equal(config.devices, 64);
    assert_true(config.speed == 0.25);
    assert_true(config.strict);
    assert_int_equal(config.policy, 1);
    assert_string_equal(options.text[0], "2GiB");
    assert_string_equal(tn_options_source(&options, 4), "uri");
}

static void a_path_is_longer_than_other_values(void **state) {
    static const char path[] = "/opt/vendor-1.2/lib64/stubs/a=b/libvendor-runtime.so.7.1.0";
    char text[2 * TN_OPTION_PATH_TEXT] = "strict=yes,library=";
    (void)state;
    strcat(text, path);
    assert_int_equal(tn_options_apply(&options, text, TN_ORIGIN_URI), TARN_OK);
    assert_string_equal(config.library, path);
    assert_string_equal(tn_options_text(&options, 5), path);
    assert_string_equal(tn_options_text(&options, 0), "16G");
    memset(text + strlen("strict=yes,library="), 'x', TN_OPTION_PATH_TEXT);
    assert_int_equal(tn_options_apply(&options, text, TN_ORIGIN_URI), TARN_BAD_CONFIG);
    assert_string_equal(config.library, path);
}

static void nothing_to_apply_is_fine(void **state) {
    (void)state;
    assert_int_equal(tn_options_apply(&options, "", TN_ORIGIN_URI), TARN_OK);
    assert_int_equal(tn_options_apply(&options, NULL, TN_ORIGIN_URI), TARN_OK);
    assert_defaults();
}

static void assert_refused(const char *text, const char *piece) {
    tarn_error error;
    tarn_clear_error();
    assert_int_equal(tn_options_apply(&options, text, TN_ORIGIN_URI), TARN_BAD_CONFIG);
    (void)tarn_last_error(&error);
    assert_int_equal(error.status, TARN_BAD_CONFIG);
    if (strstr(error.message, piece) == NULL)
        fail_msg("\"%s\" does not name %s", error.message, piece);
    assert_defaults();
    assert_string_equal(tn_options_source(&options, 1), "default");
}

static void an_unknown_key_is_named(void **state) {
    (void)state;
    assert_refused("devices=3,memroy=1G", "\"memroy\"");
    assert_refused("=1G", "\"\"");
    assert_refused("memory =1G", "\"memory \"");
}

static void a_key_that_comes_twice_is_named(void **state) {
    (void)state;
    assert_refused("devices=3,memory=1G,devices=3", "\"devices=3\": the option occurs twice");
}

static void malformed_pieces_are_named(void **state) {
    (void)state;
    static const char *const bad[] = {
        "memory",     "memory=",      "memory=G",      "memory=1X",  "memory=-1",
        "memory= 1G", "memory=1.5",   "memory=1G ",    "devices=1K", "devices=0x10",
        "speed=1.",   "speed=.5",     "speed=1e3",     "speed=1;5",  "speed=nan",
        "strict=",    "strict=maybe", "policy=Strict", "policy=lax", "memory=1Gi",
        "devices=+3", "speed=-1",     "speed=1.2.3",   "memory==1G", "policy=",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_refused(bad[i], bad[i]);
}

static void empty_pieces_are_refused(void **state) {
    (void)state;
    assert_refused("devices=3,,memory=1G", "\"\"");
    assert_refused("devices=3,", "\"\"");
    assert_refused(",", "\"\"");
}

static void numbers_over_64_bits_are_refused(void **state) {
    (void)state;
    uint64_t value = 5;
    assert_true(tn_parse_size("18446744073709551615", 20, &value));
    assert_int_equal(value, UINT64_MAX);
    assert_false(tn_parse_size("18446744073709551616", 20, &value));
    assert_true(tn_parse_size("16777215T", 9, &value));
    assert_false(tn_parse_size("16777216T", 9, &value));
    assert_false(tn_parse_unsigned("99999999999999999999", 20, &value));
    assert_int_equal(value, (uint64_t)16777215 << 40);
    assert_refused("memory=16777216T", "memory=16777216T");
}

static void values_out_of_range_are_refused_with_the_range(void **state) {
    (void)state;
    assert_refused("devices=0", "from 1 to 64");
    assert_refused("devices=65", "from 1 to 64");
    assert_refused("memory=2K", "a power of two of 4096 or more");
    assert_refused("memory=3G", "a power of two");
    assert_refused("speed=1000.5", "from 0 to 1000");
}

static void a_bad_choice_lists_the_good_ones(void **state) {
    (void)state;
    assert_refused("policy=lax", "expected one of: on-grant strict");
}

static void overlong_values_are_refused(void **state) {
    (void)state;
    assert_refused("devices=00000000000000000000000000000000000000000000000003", "devices=0");
}

static void sizes_take_both_families_of_suffixes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"7B", 7},
                {"1K", 1024},
                {"1KiB", 1024},
                {"3M", 3u << 20},
                {"3MiB", 3u << 20},
                {"1G", 1u << 30},
                {"1GiB", 1u << 30},
                {"5T", 5ull << 40},
                {"5TiB", 5ull << 40},
                {"3GB", 3ull << 30},
                {"2mb", 2u << 20},
                {"1kib", 1024},
                {"1pB", 1ull << 50},
                {"15E", 15ull << 60}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 99;
        assert_true(tn_parse_size(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
}

static void a_size_may_have_a_fraction_of_a_unit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"1.5G", 3u << 29},
                {"0.5K", 512},
                {"1.0M", 1u << 20},
                {"1.000976562499999999999999999999999K", 1024},
                {"1.0009765625K", 1025},
                {"15.9375E", 255ull << 56},
                {"0.99999999999999999999E", (1ull << 60) - 1}};
    static const char *const bad[] = {"1.5",  "1.5B",  "1.G",     ".5G",  "1.5.5G",
                                      "1,5G", "16.0E", "1.5GiBs", "1.5Gi"};
    uint64_t value = 99;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(tn_parse_size(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(tn_parse_size(bad[i], strlen(bad[i]), &value));
    assert_true(tn_parse_size("1.5GX", 4, &value)); // the length counts, not an end
    assert_int_equal(value, 3u << 29);
}

static void booleans_have_eight_words(void **state) {
    (void)state;
    static const char *const yes[] = {"yes", "true", "on", "1"};
    static const char *const no[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < 4; i++) {
        bool value = false;
        assert_true(tn_parse_bool(yes[i], strlen(yes[i]), &value) && value);
        assert_true(tn_parse_bool(no[i], strlen(no[i]), &value) && !value);
    }
}

static void the_device_name_overrides_the_environment(void **state) {
    (void)state;
    assert_int_equal(setenv("TARN_TEST_OPTIONS", "devices=5,speed=7", 1), 0);
    config.memory = 1; // tn_options_read() restores the defaults first
    assert_int_equal(tn_options_read(&options, "test", "TARN_TEST_OPTIONS", table,
                                     sizeof table / sizeof table[0], &config, "devices=6"),
                     TARN_OK);
    assert_int_equal(config.memory, (uint64_t)16 << 30);
    assert_int_equal(config.devices, 6);
    assert_true(config.speed == 7);
    assert_string_equal(tn_options_source(&options, 0), "default");
    assert_string_equal(tn_options_source(&options, 1), "uri");
    assert_string_equal(tn_options_source(&options, 2), "environment");
}

static void a_bad_environment_is_named(void **state) {
    (void)state;
    tarn_error error;
    assert_int_equal(setenv("TARN_TEST_OPTIONS", "devices=none", 1), 0);
    assert_int_equal(tn_options_apply_environment(&options, "TARN_TEST_OPTIONS"), TARN_BAD_CONFIG);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "TARN_TEST_OPTIONS"));
    assert_non_null(strstr(error.message, "devices=none"));
    assert_int_equal(unsetenv("TARN_TEST_OPTIONS"), 0);
    assert_int_equal(tn_options_apply_environment(&options, "TARN_TEST_OPTIONS"), TARN_OK);
    assert_defaults();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(defaults_come_from_the_table, start),
        cmocka_unit_test_setup(a_string_sets_every_kind, start),
        cmocka_unit_test_setup(a_path_is_longer_than_other_values, start),
        cmocka_unit_test_setup(nothing_to_apply_is_fine, start),
        cmocka_unit_test_setup(an_unknown_key_is_named, start),
        cmocka_unit_test_setup(a_key_that_comes_twice_is_named, start),
        cmocka_unit_test_setup(malformed_pieces_are_named, start),
        cmocka_unit_test_setup(empty_pieces_are_refused, start),
        cmocka_unit_test_setup(numbers_over_64_bits_are_refused, start),
        cmocka_unit_test_setup(values_out_of_range_are_refused_with_the_range, start),
        cmocka_unit_test_setup(a_bad_choice_lists_the_good_ones, start),
        cmocka_unit_test_setup(overlong_values_are_refused, start),
        cmocka_unit_test_setup(sizes_take_both_families_of_suffixes, start),
        cmocka_unit_test_setup(a_size_may_have_a_fraction_of_a_unit, start),
        cmocka_unit_test_setup(booleans_have_eight_words, start),
        cmocka_unit_test_setup(the_device_name_overrides_the_environment, start),
        cmocka_unit_test_setup(a_bad_environment_is_named, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
