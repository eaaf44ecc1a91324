// SPDX-License-Identifier: Apache-2.0
// Dumps of msMemScope in SQLite: the rows are those of the CSV, with attributes in JSON.
#include "unit/trace/tables.h"

#define ROW "INSERT INTO memscope_dump VALUES"

static const char *const story[] = {
    "CREATE TABLE memscope_dump (\"ID\" INTEGER, \"Event\" TEXT, \"Event Type\" TEXT, \"Name\" "
    "TEXT, \"Timestamp(ns)\" INTEGER, \"Process Id\" INTEGER, \"Thread Id\" INTEGER, \"Device Id\" "
    "TEXT, \"Ptr\" TEXT, \"Attr\" TEXT, \"Call Stack(Python)\" TEXT, \"Call Stack(C)\" TEXT);",
    ROW "(1,'SYSTEM','START_TRACE','N/A',1699999999999999000,100,100,'N/A','N/A','{\"free\": "
        "\"17179869184\", \"total\": \"17179869184\"}','','');",
    ROW "(5,'MSTX','Range_start','\"step 1\"',1700000000000020000,100,100,'0','N/A','','','');",
    ROW "(3,'MALLOC','PTA','N/"
        "A',1700000000000000000,100,100,'0','0x00007f0000000000','{\"allocation_id\": \"2\", "
        "\"addr\": \"0x00007f0000000000\", \"size\": \"2097152\", \"total\": \"20971520\", "
        "\"used\": \"2097152\", \"owner\": \"PTA@model\"}','\"model.py:12 forward train.py:40 "
        "train_step train.py:71 <module>\"','');",
    ROW "(6,'FREE','PTA','N/"
        "A',1700000000000030000,100,100,'0','0x00007f0000000000','{\"allocation_id\": \"2\", "
        "\"addr\": \"0x00007f0000000000\", \"size\": \"2097152\", \"total\": \"20971520\", "
        "\"used\": \"2097152\"}','','');",
    ROW "(9,'MSTX','Range_end','\"step 1\"',1700000000000060000,100,100,'0','N/A','','','');",
    ROW "(7,'MALLOC','PTA','N/"
        "A',1700000000000040000,100,100,'0','0x00007f0000000000','{\"allocation_id\": \"4\", "
        "\"addr\": \"0x00007f0000000000\", \"size\": \"1572864\", \"total\": \"20971520\", "
        "\"used\": \"3670016\", \"owner\": \"PTA@model\"}','\"model.py:31 attention model.py:14 "
        "forward train.py:40 train_step train.py:71 <module>\"','');",
    ROW "(10,'FREE','PTA','N/"
        "A',1700000000000070000,100,100,'0','0x00007f0000000000','{\"allocation_id\": \"4\", "
        "\"addr\": \"0x00007f0000000000\", \"size\": \"1572864\", \"total\": \"20971520\", "
        "\"used\": \"6291456\"}','','');",
    ROW "(8,'MALLOC','PTA','N/"
        "A',1700000000000050000,100,100,'0','0x00007f0000400000','{\"allocation_id\": \"5\", "
        "\"addr\": \"0x00007f0000400000\", \"size\": \"4194304\", \"total\": \"20971520\", "
        "\"used\": \"7864320\", \"owner\": \"PTA@optimizer\"}','\"comm.py:9 all_gather train.py:47 "
        "train_step train.py:71 <module>\"','');",
    ROW "(11,'FREE','PTA','N/"
        "A',1700000000000080000,100,100,'0','0x00007f0000400000','{\"allocation_id\": \"5\", "
        "\"addr\": \"0x00007f0000400000\", \"size\": \"4194304\", \"total\": \"20971520\", "
        "\"used\": \"2097152\"}','','');",
    ROW "(12,'OOM_DETAIL','OOM_TRIGGER','N/A',1700000000000090000,100,100,'0','N/A','{\"func\": "
        "\"halMemAlloc\", \"req_size\": \"8589934592\", \"flag\": \"0\"}','','');",
    ROW "(2,'MALLOC','HAL','N/"
        "A',1700000000000000000,100,100,'0','0x00007f0000000000','{\"allocation_id\": \"1\", "
        "\"addr\": \"0x00007f0000000000\", \"size\": \"20971520\", \"page_type\": \"huge\", "
        "\"alloc_type\": \"alloc\"}','','');",
    ROW "(4,'MALLOC','PTA','N/"
        "A',1700000000000010000,100,100,'0','0x00007f0000200000','{\"allocation_id\": \"3\", "
        "\"addr\": \"0x00007f0000200000\", \"size\": \"2097152\", \"total\": \"20971520\", "
        "\"used\": \"4194304\", \"owner\": \"PTA@optimizer\"}','\"optim.py:88 init_state "
        "train.py:44 train_step train.py:71 <module>\"','');",
    ROW "(13,'SYSTEM','STOP_TRACE','N/A',1700000000000095000,100,100,'N/A','N/A','','','');",
};

static void memscope_sqlite_reads_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(story, &trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_MEMSCOPE);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_int_equal(story_sums(&trace, 0).failures, 1);
    assert_int_equal(trace.failures[0].size, 8589934592);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[0].stack];
    assert_string_equal(trace.texts[call->function], "forward");
    assert_string_equal(trace.texts[call->file], "model.py");
    assert_int_equal(call->line, 12);
    tn_trace_release(&trace);
}

static void memscope_sqlite_reads_the_older_table(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {
        "CREATE TABLE leaks_dump (\"ID\", \"Event\", \"Event Type\", \"Name\", "
        "\"Timestamp(ns)\", \"Process Id\", \"Thread Id\", \"Device Id\", \"Ptr\", \"Attr\");"
        "INSERT INTO leaks_dump VALUES(1, 'MALLOC', 'PTA', 'N/A', 1000, 1, 1, '0', '0x1000', "
        "'{\"allocation_id\": \"2\", \"addr\": \"0x1000\", \"size\": \"512\"}')"};
    const char *const missing[] = {"CREATE TABLE leaks_dump (\"ID\")"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(story_sums(&trace, 0).live, 512);
    tn_trace_release(&trace);
    assert_int_equal(READ_DATABASE(missing, &trace), TARN_CORRUPT);
    assert_message("file: table leaks_dump: no column \"Event\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memscope_sqlite_reads_the_story),
        cmocka_unit_test(memscope_sqlite_reads_the_older_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
