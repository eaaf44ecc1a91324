// SPDX-License-Identifier: Apache-2.0
// Databases of rocprofv3: a free takes its device and its size from the allocation, and both forms
// of the tables are read.
#include "unit/trace/tables.h"

#define TABLE                                                                                      \
    "CREATE TABLE rocpd_memory_allocate_1(id INTEGER PRIMARY KEY, guid TEXT, pid INTEGER, "        \
    "agent_id INTEGER, type TEXT, level TEXT, start BIGINT, \"end\" BIGINT, address BIGINT, size " \
    "BIGINT, stream_id INTEGER);"
#define VIEW "CREATE VIEW rocpd_memory_allocate AS SELECT * FROM rocpd_memory_allocate_1;"
#define ROW  "INSERT INTO rocpd_memory_allocate_1 VALUES"

static const char *const story[] = {
    TABLE VIEW,
    ROW "(1,'g',1,1,'ALLOC','REAL',816098791282238,816098791282738,139637976727552,2097152,1)",
    ROW "(2,'g',1,1,'ALLOC','REAL',816098791292238,816098791292738,139637978824704,2097152,1)",
    ROW "(3,'g',1,NULL,'FREE','REAL',816098791312238,816098791312738,139637976727552,0,1)",
    ROW "(4,'g',1,1,'ALLOC','REAL',816098791322238,816098791322738,139637976727552,1572864,1)",
    ROW "(5,'g',1,1,'ALLOC','REAL',816098791332238,816098791332738,139637980921856,4194304,2)",
    ROW "(6,'g',1,NULL,'FREE','REAL',816098791352238,816098791352738,139637976727552,0,1)",
    ROW "(7,'g',1,NULL,'FREE','REAL',816098791362238,816098791362738,139637980921856,0,2)",
};

static void rocpd_reads_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(story, &trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_ROCPROF);
    assert_true((trace.lacks & TN_TRACE_NO_POOL) != 0);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].number, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.stream_count, 2);
    tn_trace_release(&trace);
}

static void rocpd_counts_memory_of_the_cpu_as_host(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {
        TABLE,
        ROW "(1,'g',1,10,'ALLOC','REAL',1000,2,4096,512,0)",
        ROW "(2,'g',1,11,'ALLOC','REAL',2000,2,8192,1024,0)",
        ROW "(3,'h',1,10,'ALLOC','REAL',3000,2,12288,2048,0)",
        "CREATE TABLE rocpd_info_agent(id, guid, type, type_index)",
        "INSERT INTO rocpd_info_agent VALUES(10,'g','CPU',0),(11,'g','GPU',0),(10,'h','GPU',5)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(trace.device_count, 3);
    assert_int_equal(trace.devices[0].number, 0);
    assert_int_equal(story_sums(&trace, 0).live, 1024);
    assert_int_equal(trace.devices[1].number, 5);
    assert_int_equal(story_sums(&trace, 1).live, 2048);
    assert_int_equal(trace.devices[2].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 2).live, 512);
    tn_trace_release(&trace);
}

static void rocpd_reads_the_newer_schema(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {
        "CREATE TABLE rocpd_memory_allocate(id, guid, track_id, agent_id, type, level, start_id, "
        "end_id, address, size);"
        "INSERT INTO rocpd_memory_allocate VALUES(1,'g',1,2,'ALLOC','REAL',1,1,4096,512),"
        "(2,'g',2,2,'ALLOC','REAL',2,2,4096,1024),(3,'g',1,NULL,'FREE','REAL',3,3,4096,0)",
        "CREATE TABLE rocpd_track(id INTEGER PRIMARY KEY, pid);"
        "INSERT INTO rocpd_track VALUES(1, 100), (2, 101)",
        "CREATE TABLE rocpd_timestamp(id INTEGER PRIMARY KEY, value);"
        "INSERT INTO rocpd_timestamp VALUES(1, 5000), (2, 6000), (3, 7000)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.events[2].time_us, 7);
    assert_int_equal(story_sums(&trace, 0).live, 1024); // that of the other process
    assert_int_equal(story_sums(&trace, 0).peak, 1536);
    tn_trace_release(&trace);
}

// Handles of virtual memory management have numbers of their own, and kernels' scratch memory has
// the number of its queue.
static void rocpd_keeps_the_levels_apart(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {TABLE,
                               ROW "(1,'g',1,1,'ALLOC','REAL',1000,2,4096,512,0)",
                               ROW "(2,'g',1,1,'ALLOC','VIRTUAL',1000,2,4096,1024,0)",
                               ROW "(3,'g',1,1,'RECLAIM','SCRATCH',1000,2,0,512,0)",
                               ROW "(4,'g',1,1,'ALLOC','SCRATCH',1000,2,0,2048,0)",
                               ROW "(5,'g',1,NULL,'FREE','REAL',2000,2,4096,0,0)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_OK);
    assert_int_equal(story_sums(&trace, 0).peak, 512 + 1024 + 2048);
    assert_int_equal(story_sums(&trace, 0).live, 1024 + 2048);
    assert_int_equal(trace.note_count, 1);
    assert_string_equal(trace.notes[0], "1 events that neither allocate nor free are skipped");
    tn_trace_release(&trace);
}

static void rocpd_names_the_row_that_is_wrong(void **state) {
    (void)state;
    struct tn_trace trace;
    const char *const sql[] = {TABLE, ROW "(1,'g',1,NULL,'ALLOC','REAL',1000,2,4096,512,0)"};
    assert_int_equal(READ_DATABASE(sql, &trace), TARN_CORRUPT);
    assert_message("file: table rocpd_memory_allocate_1, row 1: an allocation without an agent");
    const char *const level[] = {TABLE, ROW "(1,'g',1,1,'ALLOC','MAGIC',1000,2,4096,512,0)"};
    assert_int_equal(READ_DATABASE(level, &trace), TARN_CORRUPT);
    assert_message("file: table rocpd_memory_allocate_1, row 1: the level \"MAGIC\" is unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocpd_reads_the_story),
        cmocka_unit_test(rocpd_counts_memory_of_the_cpu_as_host),
        cmocka_unit_test(rocpd_reads_the_newer_schema),
        cmocka_unit_test(rocpd_keeps_the_levels_apart),
        cmocka_unit_test(rocpd_names_the_row_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
