// SPDX-License-Identifier: Apache-2.0
// The live memory of a recorded program: entries become a recording, which is read back. The linker
// redirects the allocations to here, so that each can fail in turn.
#include "record/memory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "annotate/mem_event.h"
#include "record/texts.h"
#include "trace/trace.h"

#define KIB UINT64_C(1024)
#define MIB (UINT64_C(1) << 20)
#define AT  (UINT64_C(1) << 40)

static long allocations_left = -1; // until one fails; below 0: none does

static bool shortage_now(void) { return allocations_left >= 0 && allocations_left-- == 0; }

#define REDIRECT(type, name, parameters, arguments)                                                \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters { return shortage_now() ? NULL : __real_##name arguments; }

REDIRECT(void *, malloc, (size_t size), (size))
REDIRECT(void *, calloc, (size_t count, size_t size), (count, size))
REDIRECT(void *, realloc, (void *old, size_t size), (old, size))
REDIRECT(char *, strdup, (const char *text), (text))

// ---- recordings of entries

static char path[64];
static struct tn_record_file *file;
static struct tn_record_memory *memory;

// Returns false if out of memory.
static bool open_recording(void) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    if (tn_record_file_open(descriptor, path, 0, &file) != TARN_OK) {
        (void)close(descriptor);
        return false;
    }
    memory = tn_record_memory_open(file, true);
    if (memory == NULL) (void)tn_record_file_close(file, 0);
    return memory != NULL;
}

static tarn_status close_recording(struct tn_trace *trace) {
    tn_record_memory_close(memory);
    tarn_status status = tn_record_file_close(file, 0);
    allocations_left = -1;
    return status == TARN_OK ? tn_trace_read(path, NULL, trace) : status;
}

static void apply(struct tn_record_entry entry) { tn_record_memory_apply(memory, &entry); }

static void begin(uint64_t addr, uint64_t bytes, uint32_t flags) {
    apply((struct tn_record_entry){.kind = TN_MEM_RESOURCE_BEGIN,
                                   .what = TN_MEM_MEMORY,
                                   .flags = flags,
                                   .addr = addr,
                                   .bytes = bytes});
}

// `before`: the position of the ring before a call to a vendor's library.
static void end_late(uint64_t addr, uint64_t before) {
    apply((struct tn_record_entry){.kind = TN_MEM_RESOURCE_END,
                                   .what = TN_MEM_MEMORY,
                                   .flags = TN_RECORD_OF_VENDOR,
                                   .addr = addr,
                                   .bytes = 1,
                                   .other = before});
}

static void end_memory(uint64_t addr, uint64_t bytes) {
    apply((struct tn_record_entry){
        .kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MEMORY, .addr = addr, .bytes = bytes});
}

static void begin_heap(uint64_t addr, uint64_t bytes) {
    apply((struct tn_record_entry){
        .kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_WHOLE, .addr = addr, .bytes = bytes});
}

static void end_heap(uint64_t addr) {
    apply((struct tn_record_entry){.kind = TN_MEM_HEAP_END, .addr = addr});
}

static void begin_region(uint64_t addr, uint64_t bytes, const char *name) {
    apply((struct tn_record_entry){.kind = TN_MEM_REGION_BEGIN,
                                   .addr = addr,
                                   .bytes = bytes,
                                   .other = bytes,
                                   .text = tn_record_text(name)});
}

static void end_region(uint64_t addr) {
    apply((struct tn_record_entry){.kind = TN_MEM_REGION_END, .addr = addr});
}

static void begin_mapping(uint64_t addr, uint64_t bytes, uint64_t phys, uint32_t flags) {
    apply((struct tn_record_entry){.kind = TN_MEM_RESOURCE_BEGIN,
                                   .what = TN_MEM_MAPPING,
                                   .flags = flags,
                                   .addr = addr,
                                   .bytes = bytes,
                                   .other = phys});
}

static void end_mapping(uint64_t addr, uint64_t bytes) {
    apply((struct tn_record_entry){
        .kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .addr = addr, .bytes = bytes});
}

static size_t count_events(const struct tn_trace *trace, enum tn_event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) count += trace->events[i].kind == kind;
    return count;
}

// ---- tests

static void a_late_end_spares_memory_that_began_after_the_call(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin(AT, 4 * KIB, TN_RECORD_OF_VENDOR); // entry 0
    begin(AT, 8 * KIB, TN_RECORD_OF_VENDOR); // entry 1, of another thread that has the address now
    end_late(AT, 1);                         // entry 2, of a call after entry 0
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.block_count, 2);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 1);
    assert_int_equal(trace.devices[0].reserved_at_end, 8 * KIB);
    tn_trace_release(&trace);
}

static void a_late_end_ends_memory_that_began_before_the_call(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin(AT, 4 * KIB, TN_RECORD_OF_VENDOR);
    begin(AT + MIB, 8 * KIB, TN_RECORD_OF_VENDOR);
    end_late(AT, 2);
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 1);
    assert_int_equal(trace.devices[0].reserved_at_end, 8 * KIB);
    tn_trace_release(&trace);
}

static void a_heap_takes_the_place_of_the_block_around_it(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin(AT, MIB, 0);
    begin_heap(AT, MIB);
    begin_region(AT, 3 * KIB, "first");
    begin_region(AT + 4 * KIB, 5 * KIB, "second");
    begin_heap(AT + 2 * MIB, MIB); // of memory that is not known
    end_heap(AT);
    end_heap(AT + 2 * MIB);
    end_memory(AT, MIB);
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.block_count, 2); // the memory was never used as a block
    assert_string_equal(trace.texts[trace.blocks[0].tag], "first");
    assert_string_equal(trace.texts[trace.blocks[1].tag], "second");
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 2);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 8 * KIB);
    assert_int_equal(trace.devices[0].reserved_peak, 2 * MIB);
    tn_trace_release(&trace);
}

static void memory_is_a_block_until_a_heap_begins_in_it(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin(AT, MIB, 0);
    begin(AT + MIB, MIB, 0);
    begin_heap(AT, MIB); // behind another entry
    begin(AT + 2 * MIB, MIB, 0);
    begin_heap(AT + MIB, MIB);   // elsewhere
    begin(AT + 3 * MIB, MIB, 0); // the last entry
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.block_count, 4);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 2);
    assert_int_equal(trace.devices[0].reserved_at_end, 4 * MIB);
    tn_trace_release(&trace);
}

static void a_new_block_ends_those_that_it_overlaps(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin_heap(AT, MIB);
    begin_region(AT + 2 * KIB, 4 * KIB, NULL);
    begin_region(AT + 8 * KIB, 4 * KIB, NULL);
    begin_region(AT + 16 * KIB, 4 * KIB, NULL);
    begin_region(AT + 4 * KIB, 8 * KIB, NULL); // the first two
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), 4);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 2);
    tn_trace_release(&trace);
}

static void physical_memory_that_is_mapped_again_counts_once(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin_mapping(AT, 4 * MIB, 7, 0);
    begin_mapping(AT + 16 * MIB, 4 * MIB, 7, 0);
    begin_mapping(AT + 32 * MIB, 4 * MIB, 7, TN_MEM_OWNED);
    begin_mapping(AT + 48 * MIB, 4 * MIB, 8, 0); // other memory
    begin_mapping(AT + 64 * MIB, 4 * MIB, 0, 0); // unknown memory is other memory
    end_mapping(AT + 16 * MIB, 4 * MIB);
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_peak, 12 * MIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 12 * MIB);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 12 * MIB);
    assert_int_equal(count_events(&trace, TN_EVENT_SEGMENT_RETURN), 0);
    tn_trace_release(&trace);
}

// When the mapping that stands for the memory ends, another one takes its place.
static void the_last_mapping_ends_the_memory(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin_mapping(AT, 4 * MIB, 7, 0);
    begin_mapping(AT + 16 * MIB, 4 * MIB, 7, 0);
    end_mapping(AT, 4 * MIB);
    begin_mapping(AT, 4 * MIB, 7, 0);
    end_mapping(AT + 16 * MIB, 4 * MIB);
    begin(AT + 48 * MIB, MIB, 0);
    end_mapping(AT, 4 * MIB);
    begin(AT + 64 * MIB, MIB, 0);
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_peak, 5 * MIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 2 * MIB);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 5 * MIB);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), 5);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 3);
    tn_trace_release(&trace);
}

static void the_largest_mapping_stands_for_the_memory(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin_mapping(AT, 2 * MIB, 7, 0);
    begin_mapping(AT + 16 * MIB, 4 * MIB, 7, 0);
    begin_mapping(AT + 32 * MIB, 3 * MIB, 7, 0);
    end_mapping(AT + 16 * MIB, 4 * MIB);
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_peak, 4 * MIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 3 * MIB);
    tn_trace_release(&trace);
}

static void the_sums_are_those_of_the_segments(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin(AT, MIB, 0);
    apply((struct tn_record_entry){.kind = TN_MEM_RESOURCE_BEGIN,
                                   .what = TN_MEM_MAPPING,
                                   .addr = AT + 4 * MIB,
                                   .bytes = 2 * MIB});
    assert_int_equal(tn_record_file_flush(file), TARN_OK); // sums that later ones replace
    end_memory(AT, MIB);
    begin(AT, 4 * KIB, 0);
    assert_int_equal(close_recording(&trace), TARN_OK);
    const struct tn_trace_device *device = &trace.devices[0];
    assert_true(device->says_reserved);
    assert_int_equal(device->reserved_at_start, 0);
    assert_int_equal(device->reserved_peak, 3 * MIB);
    assert_int_equal(device->reserved_at_end, 2 * MIB + 4 * KIB);
    assert_int_equal(device->calls.allocs, 2);
    assert_int_equal(device->calls.alloc_bytes, MIB + 4 * KIB);
    assert_int_equal(device->calls.frees, 1);
    assert_int_equal(device->calls.creates, 1);
    assert_int_equal(device->calls.create_bytes, 2 * MIB);
    assert_int_equal(device->calls.releases, 0);
    assert_int_equal(device->calls.segment_events, 4);
    tn_trace_release(&trace);
}

// Enough of everything that every table grows.
static void apply_all_kinds(void) {
    char name[32];
    begin(AT, 64 * MIB, 0);
    for (uint64_t i = 0; i < 80; i++) begin_heap(AT + i * MIB / 2, MIB / 2);
    for (uint64_t i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "block %u", (unsigned)i);
        begin_region(AT + i * 4 * KIB, 4 * KIB, name);
        apply((struct tn_record_entry){.kind = TN_MEM_RESOURCE_BEGIN,
                                       .what = TN_MEM_PINNED,
                                       .device = -1,
                                       .addr = AT + (i + 100) * MIB,
                                       .bytes = KIB,
                                       .stream = i});
    }
    apply((struct tn_record_entry){.kind = TN_MEM_SHORTAGE, .bytes = 7 * MIB, .stream = 1000});
    apply((struct tn_record_entry){.kind = TN_MEM_MARK, .text = tn_record_text("a mark")});
    for (uint64_t i = 0; i < 300; i += 2) end_region(AT + i * 4 * KIB);
    for (uint64_t i = 0; i < 80; i++) end_heap(AT + i * MIB / 2);
    end_memory(AT, 64 * MIB);
}

// A block that lacks memory is left out, or lacks a name; the recording stays consistent.
static void shortage_of_any_allocation_leaves_a_readable_recording(void **state) {
    (void)state;
    long number = 0, opened = 0;
    for (bool failed = true; failed; number++) {
        struct tn_trace trace = {0};
        allocations_left = number;
        if (open_recording()) {
            opened++;
            apply_all_kinds();
            failed = allocations_left < 0;
            assert_int_equal(close_recording(&trace), TARN_OK);
            assert_int_equal(trace.note_count, 0);
            assert_true(count_events(&trace, TN_EVENT_FREE) <= trace.block_count);
            tn_trace_release(&trace);
        }
        allocations_left = -1;
    }
    assert_true(opened > 100);
}

// A pool takes the memory of a block that sleeps. When it wakes, the pool announces it at its size.
static void a_block_that_wakes_is_recorded_again(void **state) {
    (void)state;
    struct tn_trace trace = {0};
    assert_true(open_recording());
    begin_heap(AT, MIB);
    begin_mapping(AT, 64 * KIB, 1, TN_MEM_OWNED);
    begin_region(AT + 4 * KIB, 20 * KIB, "block");
    end_mapping(AT, 64 * KIB);
    begin_mapping(AT, 64 * KIB, 2, TN_MEM_OWNED);
    apply((struct tn_record_entry){
        .kind = TN_MEM_REGION_RESIZE, .addr = AT + 4 * KIB, .bytes = 20 * KIB, .other = 20 * KIB});
    assert_int_equal(close_recording(&trace), TARN_OK);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), 2);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 1); // while it sleeps
    tn_trace_release(&trace);
}

int main(void) {
    (void)snprintf(path, sizeof path, "/tmp/tarn-record-memory-%ld", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_end_spares_memory_that_began_after_the_call),
        cmocka_unit_test(a_late_end_ends_memory_that_began_before_the_call),
        cmocka_unit_test(a_heap_takes_the_place_of_the_block_around_it),
        cmocka_unit_test(a_block_that_wakes_is_recorded_again),
        cmocka_unit_test(memory_is_a_block_until_a_heap_begins_in_it),
        cmocka_unit_test(a_new_block_ends_those_that_it_overlaps),
        cmocka_unit_test(physical_memory_that_is_mapped_again_counts_once),
        cmocka_unit_test(the_last_mapping_ends_the_memory),
        cmocka_unit_test(the_largest_mapping_stands_for_the_memory),
        cmocka_unit_test(the_sums_are_those_of_the_segments),
        cmocka_unit_test(shortage_of_any_allocation_leaves_a_readable_recording),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
