// SPDX-License-Identifier: Apache-2.0
// Exports of Nsight Systems: memory of devices and pinned memory, phases of NVTX and stacks, from
// tables that may lack columns.
#include "unit/trace/tables.h"

#define EVENTS                                                                                     \
    "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start INTEGER NOT NULL, globalPid INTEGER NOT "     \
    "NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, address INTEGER NOT NULL, pc "   \
    "INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER NOT NULL, memoryOperationType "     \
    "INTEGER NOT NULL, name TEXT, correlationId INTEGER, streamId INTEGER);"
// The oldest form: without names, streams and correlations.
#define OLD_EVENTS                                                                                 \
    "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, globalPid, deviceId, contextId, address, "   \
    "pc, bytes, memKind, memoryOperationType);"
#define ROW    "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES"
#define PID    "72057595715649536" // process 100
#define THREAD "72057595715649636"
#define OTHER  "72057595732426752" // process 101

static const char *const story[] = {
    EVENTS,
    ROW "(1000000," PID ",0,1,139637976727552,0,2097152,2,0,NULL,1,7)",
    ROW "(1010000," PID ",0,1,139637978824704,0,2097152,2,0,NULL,2,7)",
    ROW "(1030000," PID ",0,1,139637976727552,0,2097152,2,1,NULL,3,7)",
    ROW "(1040000," PID ",0,1,139637976727552,0,1572864,2,0,NULL,4,7)",
    ROW "(1050000," PID ",0,1,139637980921856,0,4194304,2,0,NULL,5,14)",
    ROW "(1070000," PID ",0,1,139637976727552,0,1572864,2,1,NULL,6,7)",
    ROW "(1080000," PID ",0,1,139637980921856,0,4194304,2,1,NULL,7,14)",
    ROW "(1005000," PID ",0,1,138538465099776,0,1048576,1,0,NULL,90,NULL)",
    ROW "(999000," PID ",0,1,139775415681024,0,4096,5,0,'lookup_table',NULL,NULL)",
    "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES(1, 'step 1'), (2, 'malloc'), (3, 'train'), (4, 'libm.so'),"
    "(5, 'cudaMalloc_v3020')",
    "CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, "
    "text TEXT, globalTid INTEGER, textId INTEGER);"
    "INSERT INTO NVTX_EVENTS VALUES(1020000, 1060000, 59, NULL, " THREAD ", 1),"
    "(1025000, NULL, 75, 'domain', " THREAD ", NULL), (1075000, NULL, 34, 'flip', NULL, NULL)",
    "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, totalMemory INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES(0, 'card', 85520809984)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(globalTid INTEGER, correlationId INTEGER, nameId "
    "INTEGER, callchainId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" THREAD ", 1, 5, 8),(" THREAD ", 2, 5, NULL)",
    "CREATE TABLE CUDA_CALLCHAINS(id INTEGER, symbol INTEGER, module INTEGER, stackDepth INTEGER);"
    "INSERT INTO CUDA_CALLCHAINS VALUES(8, 2, 4, 0), (8, 3, 4, 1), (9, 3, 4, 0)",
};

static void nsys_reads_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(story, &trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_NSYS);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.lacks, TN_TRACE_NO_POOL);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(story_sums(&trace, 0).allocations, 5); // four, and the variable
    assert_int_equal(story_sums(&trace, 0).frees, 3);
    assert_int_equal(story_sums(&trace, 0).live, 2097152 + 4096);
    assert_int_equal(story_sums(&trace, 0).peak, 7864320 + 4096);
    assert_int_equal(trace.devices[0].memory_bytes, 85520809984);
    assert_int_equal(trace.events[0].time_us, 999);
    assert_string_equal(trace.texts[trace.blocks[trace.events[0].item].tag], "lookup_table");
    assert_int_equal(trace.devices[1].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 1).live, 1048576);
    tn_trace_release(&trace);
}

static void nsys_keeps_phases_and_stacks(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(story, &trace), TARN_OK);
    assert_int_equal(story_sums(&trace, 0).marks, 3);
    const struct tn_event *mark = &trace.events[3];
    assert_int_equal(mark->kind, TN_EVENT_MARK);
    assert_int_equal(mark->time_us, 1020);
    assert_string_equal(trace.texts[mark->item], "step 1");
    const struct tn_trace_call *call =
        &trace.calls[trace.blocks[trace.events[1].item].stack]; // by its chain
    assert_string_equal(trace.texts[call->function], "malloc");
    assert_string_equal(trace.texts[call->file], "libm.so");
    call = &trace.calls[call->caller];
    assert_string_equal(trace.texts[call->function], "train");
    assert_int_equal(call->caller, 0);
    call = &trace.calls[trace.blocks[trace.events[2].item].stack]; // without a chain
    assert_string_equal(trace.texts[call->function], "cudaMalloc_v3020");
    tn_trace_release(&trace);
}

static void nsys_reads_tables_without_newer_columns(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {OLD_EVENTS, ROW "(-3000," PID ",3,1,4096,0,512,2,0)",
                               ROW "(1000," PID ",3,1,4096,0,512,2,1)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].number, 3);
    assert_int_equal(story_sums(&trace, 0).live, 0);
    assert_int_equal(story_sums(&trace, 0).peak, 512);
    assert_int_equal(trace.events[0].time_us, 0); // times before the start move all others
    assert_int_equal(trace.events[1].time_us, 4);
    tn_trace_release(&trace);
}

// Addresses of two processes are different memory; a free names another context or device.
static void nsys_keeps_processes_apart(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {
        OLD_EVENTS,
        ROW "(1000," PID ",0,1,4096,0,512,2,0)",
        ROW "(2000," OTHER ",0,1,4096,0,1024,2,0)",
        ROW "(2500," OTHER ",1,2,8192,0,2048,2,0)",
        ROW "(3000," PID ",0,9,4096,0,512,2,1)",
        ROW "(4000," OTHER ",0,9,8192,0,2048,2,1)",
        "CREATE TABLE NVTX_EVENTS(start, end, eventType, text, globalTid);"
        "INSERT INTO NVTX_EVENTS VALUES(1500, 3500, 60, 'of both', " OTHER "),"
        "(100, 200, 60, 'of one', " PID ")",
    };
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(story_sums(&trace, 0).live, 1024);
    assert_int_equal(story_sums(&trace, 0).peak, 1536);
    assert_int_equal(story_sums(&trace, 1).live, 0);
    assert_int_equal(story_sums(&trace, 0).marks, 4);
    assert_int_equal(story_sums(&trace, 1).marks, 2);
    tn_trace_release(&trace);
}

static void nsys_notes_memory_of_other_kinds(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {OLD_EVENTS, ROW "(1000," PID ",0,1,4096,0,512,2,0)",
                               ROW "(2000," PID ",0,1,8192,0,512,4,0)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(trace.block_count, 1);
    assert_int_equal(trace.note_count, 1);
    assert_string_equal(trace.notes[0],
                        "1 events of memory that is neither of a device nor pinned are skipped");
    tn_trace_release(&trace);
}

static void nsys_names_the_row_that_is_wrong(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const text[] = {OLD_EVENTS, ROW "(1000," PID ",0,1,4096,0,512,2,0)",
                                ROW "(1000," PID ",0,1,4096,0,'many',2,0)"};
    const char *const negative[] = {OLD_EVENTS, ROW "(1000," PID ",0,1,4096,0,-5,2,0)"};
    const char *const device[] = {OLD_EVENTS, ROW "(1000," PID ",65536,1,4096,0,5,2,0)"};
    const char *const missing[] = {"CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start)"};
    assert_int_equal(READ_DATABASE(text, &trace), TARN_CORRUPT);
    assert_message("file: table CUDA_GPU_MEMORY_USAGE_EVENTS, row 2: bytes is not an integer");
    assert_int_equal(READ_DATABASE(negative, &trace), TARN_CORRUPT);
    assert_message("file: table CUDA_GPU_MEMORY_USAGE_EVENTS, row 1: -5 bytes");
    assert_int_equal(READ_DATABASE(device, &trace), TARN_CORRUPT);
    assert_message(
        "file: table CUDA_GPU_MEMORY_USAGE_EVENTS, row 1: device 65536 is not below 65536");
    assert_int_equal(READ_DATABASE(missing, &trace), TARN_CORRUPT);
    assert_message("file: table CUDA_GPU_MEMORY_USAGE_EVENTS: no such column: e.globalPid");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nsys_reads_the_story),
        cmocka_unit_test(nsys_keeps_phases_and_stacks),
        cmocka_unit_test(nsys_reads_tables_without_newer_columns),
        cmocka_unit_test(nsys_keeps_processes_apart),
        cmocka_unit_test(nsys_notes_memory_of_other_kinds),
        cmocka_unit_test(nsys_names_the_row_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
