// SPDX-License-Identifier: Apache-2.0
// XPlane profiles: events of the allocators in the host's plane, with the operators that caused
// them, and the allocators' own sums.
#include "unit/trace/message.h"

enum { ALLOCATOR = 1, REQUESTED, OCCUPIED, ADDRESS, OPERATOR, IN_USE, AVAILABLE, REF };

static const char *const stats[] = {[ALLOCATOR] = "allocator_name",
                                    [REQUESTED] = "requested_bytes",
                                    [OCCUPIED] = "allocation_bytes",
                                    [ADDRESS] = "addr",
                                    [OPERATOR] = "tf_op",
                                    [IN_USE] = "bytes_allocated",
                                    [AVAILABLE] = "bytes_available",
                                    [REF] = "MatMul"};

static void xplane_reads_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_protobuf/xplane", &trace);
    assert_int_equal(trace.format, TN_TRACE_XPLANE);
    assert_int_equal(trace.lacks, TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.events[0].time_us, 1700000000000000);
    assert_int_equal(trace.events[1].time_us, 1700000000000010);
    assert_string_equal(trace.texts[trace.blocks[1].tag], "init_state");
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    tn_trace_release(&trace);
}

static void put_stat(struct message *event, uint32_t name, uint32_t kind, uint64_t number,
                     const char *text) {
    struct message stat = {.size = 0};
    put_number(&stat, 1, name);
    if (text != NULL)
        put_text(&stat, 5, text);
    else
        put_number(&stat, kind, number);
    put_message(event, 4, &stat);
}

static void put_name(struct message *plane, uint32_t map, uint64_t id, const char *text) {
    struct message entry = {.size = 0}, value = {.size = 0};
    put_number(&value, 1, id);
    put_text(&value, 2, text);
    put_number(&entry, 1, id);
    put_message(&entry, 2, &value);
    put_message(plane, map, &entry);
}

static void put_event(struct message *line, uint64_t name, uint64_t offset_ps,
                      const char *allocator, uint64_t address, uint64_t size, uint64_t in_use) {
    struct message event = {.size = 0};
    put_number(&event, 1, name);
    put_number(&event, 2, offset_ps);
    put_stat(&event, ALLOCATOR, 0, 0, allocator);
    put_stat(&event, REQUESTED, 4, size, NULL);
    put_stat(&event, OCCUPIED, 3, size, NULL);
    put_stat(&event, ADDRESS, 3, address, NULL);
    put_stat(&event, OPERATOR, 7, REF, NULL);
    if (in_use != UINT64_MAX) put_stat(&event, IN_USE, 4, in_use, NULL);
    put_message(line, 4, &event);
}

// Makes a profile of one plane with one line.
static void put_space(struct message *space, struct message *line) {
    struct message plane = {.size = 0};
    put_number(&plane, 1, 3);
    put_text(&plane, 2, "/host:CPU");
    put_message(&plane, 3, line);
    put_name(&plane, 4, 21, "MemoryAllocation");
    put_name(&plane, 4, 20, "MemoryDeallocation");
    put_name(&plane, 4, 22, "Session::Run");
    for (uint32_t i = ALLOCATOR; i <= REF; i++) put_name(&plane, 5, i, stats[i]);
    put_message(space, 1, &plane);
}

// The free has no size, as in some versions; its time is before that of an event in front of it.
static void xplane_sorts_by_time_and_takes_sizes_from_allocations(void **state) {
    (void)state;
    struct message space = {.size = 0}, line = {.size = 0};
    struct tn_trace trace;
    put_number(&line, 3, 1000);
    put_event(&line, 21, 0, "GPU_1_bfc", 0x1000, 512, UINT64_MAX);
    put_event(&line, 21, 9000000, "GPU_1_bfc", 0x1000, 1024, UINT64_MAX);
    put_event(&line, 20, 4000000, "GPU_1_bfc", 0x1000, 0, UINT64_MAX);
    put_event(&line, 22, 0, "GPU_1_bfc", 0x1000, 4, UINT64_MAX);
    put_event(&line, 21, 0, "gpu_host_bfc", 0x1000, 64, UINT64_MAX);
    put_space(&space, &line);
    assert_int_equal(read_message(&space, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].number, 1);
    assert_int_equal(trace.devices[1].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 1).peak, 64);
    assert_int_equal(trace.events[0].time_us, 1);
    assert_string_equal(trace.texts[trace.blocks[0].tag], "MatMul");
    assert_false(trace.devices[0].says_reserved);
    tn_trace_release(&trace);
}

static void xplane_notes_what_was_in_use_before(void **state) {
    (void)state;
    struct message space = {.size = 0}, line = {.size = 0};
    struct tn_trace trace;
    put_event(&line, 20, 3000000, "GPU_0_bfc", 0x9000, 100, 1512);
    put_event(&line, 21, 1000000, "GPU_0_bfc", 0x1000, 512, 1612);
    put_space(&space, &line);
    assert_int_equal(read_message(&space, &trace), TARN_OK);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.note_count, 1);
    assert_string_equal(
        trace.notes[0],
        "device 0: 1000 bytes were in use before the first event, in unknown blocks");
    tn_trace_release(&trace);
}

static void xplane_names_the_event_that_is_wrong(void **state) {
    (void)state;
    struct message space = {.size = 0}, line = {.size = 0}, event = {.size = 0};
    put_event(&line, 21, 0, "GPU_0_bfc", 0x1000, 512, UINT64_MAX);
    put_number(&event, 1, 21);
    put_stat(&event, ADDRESS, 3, 0x2000, NULL);
    put_message(&line, 4, &event);
    put_space(&space, &line);
    assert_message_refused(&space, TARN_CORRUPT, "file: event 2: no stat named \"allocator_name\"");
    space.size = 0;
    put_space(&space, &line);
    assert_message_refused(&space, TARN_CORRUPT, "file: no event of memory is recorded");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xplane_reads_the_story),
        cmocka_unit_test(xplane_sorts_by_time_and_takes_sizes_from_allocations),
        cmocka_unit_test(xplane_notes_what_was_in_use_before),
        cmocka_unit_test(xplane_names_the_event_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
