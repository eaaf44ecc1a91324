// SPDX-License-Identifier: Apache-2.0
// Bands of a device against sums by hand, and against the sums of live bytes.
#include "trace/study/bands.h"

#include <stdlib.h>

#include "unit/trace/script.h"

static struct tn_bands *make_bands(const struct tn_trace *trace) {
    struct tn_bands *bands = (struct tn_bands *)calloc(1, sizeof *bands);
    assert_non_null(bands);
    assert_int_equal(tn_bands_make(trace, &trace->devices[0], false, bands), TARN_OK);
    return bands;
}

static void end_bands(struct tn_bands *bands, struct tn_trace *trace) {
    tn_bands_release(bands);
    free(bands);
    tn_trace_release(trace);
}

// Fourteen functions hold 1, 2, ... 14 bytes each; the four smallest share the last band.
static void smallest_functions_share_the_last_band(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    for (uint32_t i = 1; i <= 14; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "f%u", i);
        script.stack = script_call(&script, 0, name, "a.py", i);
        (void)script_alloc(&script, i * 4096, i);
    }
    script_end(&script, &trace);
    struct tn_bands *bands = make_bands(&trace);
    assert_int_equal(bands->count, TN_BANDS + 1);
    for (size_t band = 0; band < TN_BANDS; band++)
        assert_int_equal(bands->bytes[band][TN_BAND_COLUMNS - 1], 14 - band);
    assert_int_equal(bands->bytes[TN_BANDS][TN_BAND_COLUMNS - 1], 1 + 2 + 3 + 4);
    assert_int_equal(bands->bytes[0][0], 0);
    end_bands(bands, &trace);
}

// More events than columns, and one high block that lives for one event only.
static void columns_show_their_highest_moment(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t starting = script_starting(&script, 1u << 20, 100);
    for (uint32_t i = 0; i < 7777; i++)
        script_free(&script, script_alloc(&script, 4096, i == 3333 ? 1000000 : 1 + i % 5));
    script_free(&script, starting);
    script_end(&script, &trace);
    struct tn_bands *bands = make_bands(&trace);
    uint64_t highest = 0;
    for (size_t column = 0; column < TN_BAND_COLUMNS; column++) {
        uint64_t sum = 0;
        for (size_t band = 0; band < bands->count; band++) sum += bands->bytes[band][column];
        assert_int_equal(sum, bands->levels.live[bands->moments[column]]);
        highest = sum > highest ? sum : highest;
    }
    assert_int_equal(highest, 1000100);
    end_bands(bands, &trace);
}

static void few_events_fill_every_column(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    (void)script_alloc(&script, 4096, 10); // moment 1 of 0 to 1: the right half
    script_end(&script, &trace);
    struct tn_bands *bands = make_bands(&trace);
    assert_int_equal(bands->bytes[0][TN_BAND_COLUMNS / 2 - 1], 0);
    assert_int_equal(bands->bytes[0][TN_BAND_COLUMNS / 2], 10);
    assert_int_equal(bands->bytes[0][TN_BAND_COLUMNS - 1], 10);
    end_bands(bands, &trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_functions_share_the_last_band),
        cmocka_unit_test(columns_show_their_highest_moment),
        cmocka_unit_test(few_events_fill_every_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
