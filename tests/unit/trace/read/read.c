// SPDX-License-Identifier: Apache-2.0
// All readers of read.h: each has a sample, which it reads, and damaged copies of which it refuses
// or reads as a sound trace.
#include "trace/read/read.h"
#include "unit/trace/samples.h"

static bool is_read[TN_TRACE_FORMATS];

// Returns the name of the reader that takes a file with these bytes.
static const char *find_reader(const uint8_t *bytes, size_t size) {
#define FIND(format, reader)                                                                       \
    if (reader##_detect(bytes, size)) return #reader;
    TN_READER_LIST(FIND)
#undef FIND
    return "none";
}

// Returns true if the reader takes one of the samples.
static bool has_sample(const char *reader) {
    for (size_t i = 0; i < SAMPLES; i++) {
        struct tn_source *source = NULL;
        const uint8_t *begin = NULL;
        size_t size = 0;
        uint8_t *bytes = sample_load(&samples[i], &size);
        assert_int_equal(tn_source_open_memory("file", bytes, size, &source), TARN_OK);
        assert_int_equal(tn_source_look(source, TN_DETECT_BYTES, &begin, &size), TARN_OK);
        bool found = strcmp(find_reader(begin, size), reader) == 0;
        tn_source_close(source);
        free(bytes);
        if (found) return true;
    }
    return false;
}

static void every_reader_has_a_sample(void **state) {
    (void)state;
#define HAS(format, reader)                                                                        \
    if (!has_sample(#reader)) fail_msg("no sample for " #reader);
    TN_READER_LIST(HAS)
#undef HAS
}

static void every_sample_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct tn_trace_limits limits = sample_limits(&samples[i]);
        struct tn_trace trace;
        size_t size = 0;
        uint8_t *bytes = sample_load(&samples[i], &size);
        if (tn_trace_read_memory("file", bytes, size, &limits, &trace) != TARN_OK)
            fail_msg("%s is refused", samples[i].name);
        sound_trace(&trace);
        is_read[trace.format] = true;
        tn_trace_release(&trace);
        free(bytes);
    }
    for (int format = 0; format < TN_TRACE_FORMATS; format++)
        if (!is_read[format])
            fail_msg("no sample for %s", tn_trace_format_text((enum tn_trace_format)format));
}

static void every_sample_survives_damage(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct tn_trace_limits limits = sample_limits(&samples[i]);
        size_t size = 0;
        uint8_t *bytes = sample_load(&samples[i], &size);
        assert_survives_damage(bytes, size, &limits);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_has_a_sample),
        cmocka_unit_test(every_sample_is_read),
        cmocka_unit_test(every_sample_survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
