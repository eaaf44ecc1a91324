// SPDX-License-Identifier: Apache-2.0
// Dumps of the BFC allocator: the used chunks are blocks, and the free ones are the holes of its
// regions.
#include "unit/trace/message.h"

static void put_chunk(struct message *dump, uint64_t address, uint64_t size, uint64_t requested,
                      const char *owner) {
    struct message chunk = {.size = 0};
    put_number(&chunk, 1, address);
    put_number(&chunk, 2, size);
    put_number(&chunk, 3, requested);
    put_number(&chunk, 4, (uint64_t)-1);
    if (owner != NULL) put_text(&chunk, 5, owner);
    put_number(&chunk, 8, owner != NULL);
    put_message(dump, 3, &chunk);
}

static void begin_dump(struct message *dump) {
    struct message bin = {.size = 0};
    dump->size = 0;
    put_text(dump, 1, "GPU_2_bfc");
    put_number(&bin, 1, 0);
    put_message(dump, 2, &bin);
}

static void bfc_reads_blocks_and_holes(void **state) {
    (void)state;
    struct message dump;
    struct tn_trace trace;
    begin_dump(&dump);
    put_chunk(&dump, 0x3000, 4096, 4000, "MatMul"); // not in order
    put_chunk(&dump, 0x1000, 4096, 4096, "Conv2D");
    put_chunk(&dump, 0x2000, 4096, 0, NULL);
    put_chunk(&dump, 0x9000, 256, 200, "Add");
    assert_int_equal(read_message(&dump, &trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_BFC);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.devices[0].number, 2);
    assert_int_equal(trace.devices[0].starting_count, 3);
    assert_int_equal(story_sums(&trace, 0).live, 4096 + 4000 + 200);
    assert_int_equal(trace.blocks[1].id, 0x3000);
    assert_int_equal(trace.blocks[1].occupied, 4096);
    assert_string_equal(trace.texts[trace.blocks[1].tag], "MatMul");
    assert_int_equal(trace.segment_count, 2);
    assert_int_equal(trace.segments[0].address, 0x1000);
    assert_int_equal(trace.segments[0].bytes, 3 * 4096);
    assert_int_equal(trace.devices[0].reserved_at_end, 3 * 4096 + 256);
    tn_trace_release(&trace);
}

static void bfc_names_the_chunk_that_is_wrong(void **state) {
    (void)state;
    struct message dump;
    begin_dump(&dump);
    assert_message_refused(&dump, TARN_CORRUPT, "file: a dump without chunks");
    put_chunk(&dump, 0x1000, 4096, 4096, "Conv2D");
    put_chunk(&dump, 0x2000, 512, 513, "Add");
    assert_message_refused(&dump, TARN_CORRUPT,
                           "file: chunk 1: 513 requested of 512 bytes at 0x2000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfc_reads_blocks_and_holes),
        cmocka_unit_test(bfc_names_the_chunk_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
