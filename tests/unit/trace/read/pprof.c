// SPDX-License-Identifier: Apache-2.0
// Profiles of pprof: blocks by stack, device and kind, from JAX's form and from heap profiles.
#include "unit/trace/message.h"

static const char *function_of(const struct tn_trace *trace, uint32_t stack) {
    return trace->texts[trace->calls[stack].function];
}

static void assert_jax(const char *name) {
    struct tn_trace trace;
    story_read(name, &trace);
    assert_int_equal(trace.format, TN_TRACE_PPROF);
    assert_int_equal(trace.lacks, TN_TRACE_NO_TIMES | TN_TRACE_NO_STREAMS | TN_TRACE_NO_ADDRESSES |
                                      TN_TRACE_NO_EVENTS);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].starting_count, 4);
    assert_int_equal(story_sums(&trace, 0).live, 2097152 + 2 * 4194304 + 65536);
    assert_int_equal(trace.blocks[0].size, 2097152);
    assert_string_equal(trace.texts[trace.blocks[0].tag], "buffer");
    assert_string_equal(function_of(&trace, trace.blocks[0].stack), "init_state");
    assert_int_equal(trace.calls[trace.blocks[0].stack].line, 88);
    assert_string_equal(trace.texts[trace.calls[trace.blocks[0].stack].file], "optim.py");
    uint32_t caller = trace.calls[trace.blocks[0].stack].caller;
    assert_string_equal(function_of(&trace, caller), "train_step");
    assert_string_equal(function_of(&trace, trace.calls[caller].caller), "<module>");
    assert_int_equal(trace.blocks[1].size, 4194304);
    assert_int_equal(trace.blocks[2].size, 4194304);
    assert_string_equal(trace.texts[trace.blocks[3].tag], "executable");
    tn_trace_release(&trace);
}

static void pprof_reads_the_story(void **state) {
    (void)state;
    assert_jax("trace_protobuf/jax");
    assert_jax("trace_protobuf/jax-gzip");
}

static void put_type(struct message *profile, uint64_t name, uint64_t unit) {
    struct message type = {.size = 0};
    put_number(&type, 1, name);
    put_number(&type, 2, unit);
    put_message(profile, 1, &type);
}

static void put_texts(struct message *profile, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) put_text(profile, 6, texts[i]);
}

static void put_function(struct message *profile, uint64_t id, uint64_t name) {
    struct message function = {.size = 0};
    put_number(&function, 1, id);
    put_number(&function, 2, name);
    put_message(profile, 5, &function);
}

// A location with an address and up to two functions, the first inlined into the second.
static void put_location(struct message *profile, uint64_t id, uint64_t address, uint64_t inner,
                         uint64_t outer) {
    struct message location = {.size = 0}, line = {.size = 0};
    put_number(&location, 1, id);
    put_number(&location, 3, address);
    for (int i = 0; i < 2; i++) {
        uint64_t function = i == 0 ? inner : outer;
        if (function == 0) continue;
        put_number(&line, 1, function);
        put_number(&line, 2, 10 * function);
        put_message(&location, 4, &line);
    }
    put_message(profile, 4, &location);
}

// A heap profile of Go: allocations in total, and those that are live.
static void put_go(struct message *profile, uint64_t live, uint64_t live_bytes) {
    static const char *const texts[] = {"",       "alloc_objects", "count",       "alloc_space",
                                        "bytes",  "inuse_objects", "inuse_space", "append",
                                        "inlined"};
    struct message sample = {.size = 0}, values = {.size = 0};
    put_type(profile, 1, 2);
    put_type(profile, 3, 4);
    put_type(profile, 5, 2);
    put_type(profile, 6, 4);
    put_texts(profile, texts, sizeof texts / sizeof *texts);
    put_function(profile, 7, 7);
    put_function(profile, 8, 8);
    put_location(profile, 3, 0x400, 8, 7);
    put_location(profile, 4, 0x401000, 0, 0);
    put_number(&sample, 1, 3); // not packed
    put_number(&sample, 1, 4);
    put_varint(&values, 1000);
    put_varint(&values, 999999);
    put_varint(&values, live);
    put_varint(&values, live_bytes);
    put_message(&sample, 2, &values);
    put_message(profile, 2, &sample);
}

static void pprof_counts_what_is_in_use(void **state) {
    (void)state;
    struct message profile = {.size = 0};
    struct tn_trace trace;
    put_go(&profile, 3, 1000);
    assert_int_equal(read_message(&profile, &trace), TARN_OK);
    assert_int_equal(trace.block_count, 3);
    assert_int_equal(trace.blocks[0].size, 334);
    assert_int_equal(trace.blocks[2].size, 333);
    assert_int_equal(trace.devices[0].number, 0);
    tn_trace_release(&trace);
}

static void pprof_keeps_inlined_functions_and_bare_addresses(void **state) {
    (void)state;
    struct message profile = {.size = 0};
    struct tn_trace trace;
    put_go(&profile, 1, 8);
    assert_int_equal(read_message(&profile, &trace), TARN_OK);
    uint32_t stack = trace.blocks[0].stack;
    assert_string_equal(function_of(&trace, stack), "inlined");
    assert_int_equal(trace.calls[stack].line, 80);
    stack = trace.calls[stack].caller;
    assert_string_equal(function_of(&trace, stack), "append");
    stack = trace.calls[stack].caller;
    assert_string_equal(function_of(&trace, stack), "0x401000");
    assert_int_equal(trace.calls[stack].caller, 0);
    tn_trace_release(&trace);
}

// A few bytes of a file must not become millions of blocks.
static void pprof_sums_very_many_equal_blocks(void **state) {
    (void)state;
    struct message most = {.size = 0}, more = {.size = 0};
    struct tn_trace trace;
    put_go(&most, 4096, 8192);
    assert_int_equal(read_message(&most, &trace), TARN_OK);
    assert_int_equal(trace.block_count, 4096);
    tn_trace_release(&trace);
    put_go(&more, 4097, 8194);
    assert_int_equal(read_message(&more, &trace), TARN_OK);
    assert_int_equal(trace.block_count, 1);
    assert_int_equal(trace.blocks[0].size, 8194);
    tn_trace_release(&trace);
}

static void pprof_refuses_profiles_without_memory(void **state) {
    (void)state;
    static const char *const texts[] = {"", "cpu", "nanoseconds"};
    struct message cpu = {.size = 0}, freed = {.size = 0};
    put_type(&cpu, 1, 2);
    put_texts(&cpu, texts, 3);
    assert_message_refused(&cpu, TARN_UNSUPPORTED,
                           "file: a profile of \"cpu\", not of memory in bytes");
    put_go(&freed, 0, 0);
    assert_message_refused(&freed, TARN_CORRUPT, "file: a profile without memory in use");
}

static void pprof_names_what_does_not_exist(void **state) {
    (void)state;
    static const char *const texts[] = {"", "space", "bytes"};
    struct message profile = {.size = 0}, sample = {.size = 0}, cut = {.size = 0};
    put_type(&profile, 1, 2);
    put_texts(&profile, texts, 3);
    put_number(&sample, 1, 9);
    put_number(&sample, 2, 64);
    put_message(&profile, 2, &sample);
    assert_message_refused(&profile, TARN_CORRUPT, "file: sample 0: location 9 does not exist");
    put_location(&profile, 9, 0, 5, 0);
    assert_message_refused(&profile, TARN_CORRUPT, "file: sample 0: function 5 does not exist");
    put_function(&profile, 5, 77);
    assert_message_refused(&profile, TARN_CORRUPT, "file: sample 0: text 77 does not exist");
    put_type(&cut, 1, 2);
    put_number(&cut, 9, 1);
    cut.bytes[cut.size - 1] |= 0x80;
    assert_message_refused(&cut, TARN_CORRUPT,
                           "file: byte 6: a damaged or truncated field of a protocol buffer");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pprof_reads_the_story),
        cmocka_unit_test(pprof_counts_what_is_in_use),
        cmocka_unit_test(pprof_keeps_inlined_functions_and_bare_addresses),
        cmocka_unit_test(pprof_sums_very_many_equal_blocks),
        cmocka_unit_test(pprof_refuses_profiles_without_memory),
        cmocka_unit_test(pprof_names_what_does_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
