// SPDX-License-Identifier: Apache-2.0
// Binary traces: the reader gives back every array of the trace that was written; a file that was
// cut is read up to its last whole frame; damage is refused.
#include "unit/trace/story.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/builder.h"
#include "trace/write/binary.h"
#include "trace/write/write.h"

static const struct tn_write_options everything = {.device = TN_WRITE_ALL_DEVICES};
static char path[] = "/tmp/tarn-binary-XXXXXX";

static int make_path(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

// A trace that uses every field: two devices and the memory of the host, with samples.
static void build(struct tn_trace *trace) {
    struct tn_builder builder;
    struct tn_trace_device *device;
    uint32_t texts[4], stacks[2], stream, index;
    assert_int_equal(tn_builder_begin(&builder, "built", TN_TRACE_SNAPSHOT, NULL), TARN_OK);
    for (uint32_t i = 0; i < 4; i++) {
        char name[8] = {'t', (char)('0' + i)};
        assert_int_equal(tn_builder_text(&builder, name, 2, &texts[i]), TARN_OK);
    }
    struct tn_trace_call outer = {.function = texts[0], .file = texts[1], .line = 7};
    assert_int_equal(tn_builder_stack(&builder, &outer, &stacks[0]), TARN_OK);
    struct tn_trace_call inner = {.caller = stacks[0], .function = texts[1], .line = UINT32_MAX};
    assert_int_equal(tn_builder_stack(&builder, &inner, &stacks[1]), TARN_OK);
    assert_int_equal(tn_builder_setting(&builder, texts[2], texts[3]), TARN_OK);
    for (uint32_t d = 0; d < 3; d++) {
        assert_int_equal(tn_builder_device(&builder, 3 - d, &device), TARN_OK);
        device->kind = d == 2 ? TN_DEVICE_HOST : TN_DEVICE_ACCELERATOR;
        device->memory_bytes = UINT64_C(80) << 30;
        device->says_reserved = d == 1;
        if (d == 1) {
            device->reserved_at_start = 1;
            device->reserved_peak = 3;
            device->reserved_at_end = 2;
            device->calls = (struct tn_trace_calls){1, 2, 3, 4, 5, 6, 7, 8};
        }
        assert_int_equal(tn_builder_stream(&builder, UINT64_MAX - d, &stream), TARN_OK);
        struct tn_trace_segment segment = {.address = 4096 * d,
                                           .bytes = 1 + d,
                                           .stream = stream,
                                           .stack = stacks[0],
                                           .mapped = d == 0,
                                           .is_private = d == 1};
        assert_int_equal(tn_builder_starting_segment(&builder, &segment), TARN_OK);
        struct tn_block block = {.id = UINT64_C(0x7f0000000000) + d,
                                 .size = 100 + d,
                                 .occupied = 512,
                                 .stream = stream,
                                 .stack = stacks[1],
                                 .tag = texts[d],
                                 .category = TN_CATEGORY_GRADIENT};
        assert_int_equal(tn_builder_starting(&builder, &block, &index), TARN_OK);
        uint32_t starting = index, item;
        for (uint32_t kind = TN_EVENT_ALLOC; kind <= TN_EVENT_SEGMENT_RETURN; kind++) {
            item = texts[d];
            if (kind == TN_EVENT_ALLOC)
                assert_int_equal(tn_builder_block(&builder, &block, &item), TARN_OK);
            else if (kind == TN_EVENT_FREE)
                item = starting;
            else if (kind == TN_EVENT_FREE_REQUEST)
                item = index + 1;
            else if (kind == TN_EVENT_FAILURE)
                assert_int_equal(
                    tn_builder_refusal(&builder, 5, UINT64_MAX, UINT64_MAX - d, stacks[0], &item),
                    TARN_OK);
            else if (kind >= TN_EVENT_SEGMENT)
                assert_int_equal(tn_builder_segment(&builder, &segment, &item), TARN_OK);
            uint64_t time_us = UINT64_C(1700000000000000) - kind + d;
            assert_int_equal(
                tn_builder_event(&builder, (enum tn_event_kind)kind, time_us, 90 * d + kind, item),
                TARN_OK);
        }
        struct tn_trace_sample sample = {.time_us = d, .live = 9, .reserved = 10};
        sample.by_category[TN_CATEGORY_COUNT - 1] = 11;
        assert_int_equal(tn_builder_sample(&builder, &sample), TARN_OK);
    }
    for (int i = 0; i < 9; i++)
        assert_int_equal(tn_builder_note(&builder, "contradiction %d", i), TARN_OK);
    assert_int_equal(tn_builder_end(&builder, TARN_OK, trace), TARN_OK);
}

#define ASSERT_SAME(a, b, field, count)                                                            \
    do {                                                                                           \
        assert_int_equal((a)->count, (b)->count);                                                  \
        assert_memory_equal((a)->field, (b)->field, (b)->count * sizeof *(b)->field);              \
    } while (0)

static void assert_same(const struct tn_trace *a, const struct tn_trace *b) {
    assert_int_equal(a->lacks, b->lacks);
    assert_int_equal(a->stream_count, b->stream_count);
    for (size_t i = 0; i < b->stream_count; i++) { // they have padding, as segments have
        assert_int_equal(a->streams[i].native, b->streams[i].native);
        assert_int_equal(a->streams[i].device, b->streams[i].device);
    }
    ASSERT_SAME(a, b, blocks, block_count);
    ASSERT_SAME(a, b, failures, failure_count);
    ASSERT_SAME(a, b, events, event_count);
    ASSERT_SAME(a, b, samples, sample_count);
    ASSERT_SAME(a, b, calls, call_count);
    ASSERT_SAME(a, b, settings, setting_count);
    assert_int_equal(a->segment_count, b->segment_count);
    for (size_t i = 0; i < b->segment_count; i++) {
        assert_int_equal(a->segments[i].address, b->segments[i].address);
        assert_int_equal(a->segments[i].bytes, b->segments[i].bytes);
        assert_int_equal(a->segments[i].stream, b->segments[i].stream);
        assert_int_equal(a->segments[i].stack, b->segments[i].stack);
        assert_int_equal(a->segments[i].mapped, b->segments[i].mapped);
        assert_int_equal(a->segments[i].is_private, b->segments[i].is_private);
    }
    assert_int_equal(a->device_count, b->device_count);
    for (size_t i = 0; i < b->device_count; i++) {
        const struct tn_trace_device *x = &a->devices[i], *y = &b->devices[i];
        assert_int_equal(x->number, y->number);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->memory_bytes, y->memory_bytes);
        assert_int_equal(x->event_count, y->event_count);
        assert_int_equal(x->starting_count, y->starting_count);
        assert_int_equal(x->starting_segment_count, y->starting_segment_count);
        assert_int_equal(x->sample_count, y->sample_count);
        assert_int_equal(x->says_reserved, y->says_reserved);
        assert_int_equal(x->reserved_at_start, y->reserved_at_start);
        assert_int_equal(x->reserved_peak, y->reserved_peak);
        assert_int_equal(x->reserved_at_end, y->reserved_at_end);
        assert_memory_equal(&x->calls, &y->calls, sizeof x->calls);
    }
    assert_int_equal(a->text_count, b->text_count);
    for (size_t i = 0; i < b->text_count; i++) assert_string_equal(a->texts[i], b->texts[i]);
    assert_int_equal(a->note_count, b->note_count);
    for (size_t i = 0; i < TN_TRACE_NOTES; i++) assert_string_equal(a->notes[i], b->notes[i]);
}

static void the_reader_gives_back_every_array(void **state) {
    (void)state;
    struct tn_trace trace, again;
    build(&trace);
    assert_int_equal(tn_trace_write(&trace, path, TN_WRITER_BINARY, &everything), TARN_OK);
    assert_int_equal(tn_trace_read(path, NULL, &again), TARN_OK);
    assert_int_equal(again.format, TN_TRACE_BINARY);
    assert_int_equal(again.origin, TN_TRACE_SNAPSHOT);
    assert_same(&again, &trace);
    tn_trace_release(&again);
    tn_trace_release(&trace);
}

// Writes allocations of a stream, interleaved over two devices, with a flush after every tenth.
static void stream_events(size_t count, bool complete) {
    struct tn_output *output;
    struct tn_binary *binary;
    assert_int_equal(tn_output_open(path, TN_OUTPUT_PLAIN, &output), TARN_OK);
    assert_int_equal(tn_binary_writer_open(output, &binary), TARN_OK);
    for (uint64_t d = 0; d < 2; d++) {
        uint64_t device[] = {d, TN_DEVICE_ACCELERATOR, 0}, stream[] = {d, 0};
        tn_binary_fields(binary, TN_RECORD_DEVICE, device, 3);
        tn_binary_fields(binary, TN_RECORD_STREAM, stream, 2);
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t block[] = {4096 * i, i + 1, 0, i % 2, 0, 0, 0};
        tn_binary_event(binary, TN_RECORD_ALLOC, i, i, block, 7);
        if (i % 10 == 9) tn_binary_flush(binary);
    }
    assert_int_equal(tn_binary_end(binary, complete), TARN_OK);
    assert_int_equal(tn_output_close(output, TARN_OK), TARN_OK);
}

static void events_of_devices_may_interleave(void **state) {
    (void)state;
    struct tn_trace trace;
    stream_events(100, true);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    sound_trace(&trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.note_count, 0);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(trace.blocks[i].size, (i < 50 ? 2 * i : 2 * (i - 50) + 1) + 1);
    tn_trace_release(&trace);
}

static void a_cut_file_is_read_up_to_its_last_whole_frame(void **state) {
    (void)state;
    size_t size = 0, seen = 0;
    stream_events(100, true);
    uint8_t *file = damage_load(path, &size);
    for (size_t cut = 0; cut < size; cut++) {
        struct tn_trace trace;
        if (tn_trace_read_memory("cut", file, cut, NULL, &trace) != TARN_OK) {
            assert_int_equal(seen, 0);
            continue;
        }
        assert_int_equal(trace.event_count % 10, 0);
        assert_true(trace.event_count >= seen && trace.note_count == 1);
        seen = trace.event_count;
        sound_trace(&trace);
        tn_trace_release(&trace);
    }
    assert_int_equal(seen, 100);
    free(file);
}

static void a_recording_without_an_end_says_so(void **state) {
    (void)state;
    struct tn_trace trace;
    stream_events(10, false);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 1);
    tn_trace_release(&trace);
}

static void a_later_version_is_refused(void **state) {
    (void)state;
    struct tn_trace trace;
    size_t size = 0;
    build(&trace);
    assert_int_equal(tn_trace_write(&trace, path, TN_WRITER_BINARY, &everything), TARN_OK);
    tn_trace_release(&trace);
    uint8_t *file = damage_load(path, &size);
    assert_int_equal(file[20], TN_BINARY_VERSION);
    file[20]++;
    assert_int_equal(tn_trace_read_memory("file", file, size, NULL, &trace), TARN_UNSUPPORTED);
    free(file);
}

// Lets each byte of the file in turn be the first that the system refuses.
static void a_write_that_fails_leaves_the_old_file(void **state) {
    (void)state;
    struct tn_trace trace;
    struct rlimit old;
    struct stat status;
    size_t size = 0;
    build(&trace);
    stream_events(1, true);
    uint8_t *before = damage_load(path, &size);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    for (int writer = 0; writer < TN_WRITERS; writer++) {
        for (rlim_t limit = 0; limit < 100; limit += 9) {
            struct rlimit few = {.rlim_cur = limit, .rlim_max = old.rlim_max};
            struct tn_write_options options = {.device = 3}; // text traces hold one device
            tarn_error error;
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
            tarn_status result = tn_trace_write(&trace, path, (enum tn_writer)writer, &options);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            if (result == TARN_OK) { // the file is shorter
                assert_int_equal(stat(path, &status), 0);
                assert_true(status.st_size <= (off_t)limit);
                stream_events(1, true);
                continue;
            }
            assert_int_equal(result, TARN_SYSTEM);
            (void)tarn_last_error(&error);
            assert_non_null(strstr(error.message, path));
            assert_int_equal(stat(path, &status), 0);
            assert_int_equal(status.st_size, size);
        }
    }
    free(before);
    tn_trace_release(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_gives_back_every_array),
        cmocka_unit_test(events_of_devices_may_interleave),
        cmocka_unit_test(a_cut_file_is_read_up_to_its_last_whole_frame),
        cmocka_unit_test(a_recording_without_an_end_says_so),
        cmocka_unit_test(a_later_version_is_refused),
        cmocka_unit_test(a_write_that_fails_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
