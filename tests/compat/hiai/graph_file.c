// SPDX-License-Identifier: Apache-2.0
// Graph files: conformance test 30.
#include <unistd.h>

#include "support/hiai.h"

static HIAI_StatusT check(const char *text) { return HIAIX_CheckGraphText(text, strlen(text)); }

static void refuses(const char *text, HIAI_StatusT status, const char *word) {
    assert_hiai(check(text), status);
    if (strstr(HIAIX_GetLastErrorText(), word) == NULL) {
        print_error("\"%s\" does not say \"%s\"\n", HIAIX_GetLastErrorText(), word);
        fail();
    }
}

static void refuses_to_read(const char *text, const char *word) {
    refuses(text, HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, word);
}

static const char sample[] =
    "# a graph\n"
    "graphs {\n"
    "  graph_id: 100 # behind a field\n"
    "  priority: 1\n"
    "  device_id: \"0\"\n"
    "  engines {\n"
    "    id: 1000\n"
    "    engine_name: \"SrcEngine\"\n"
    "    side: HOST\n"
    "    thread_num: 1\n"
    "  }\n"
    "  engines {\n"
    "    id: 1001\n"
    "    engine_name: \"Worker\"\n"
    "    so_name: \"./libWorker.so\"\n"
    "    so_name: \"./libMore.so\"\n"
    "    side: DEVICE\n"
    "    thread_num: 2 thread_priority: 10\n"
    "    queue_size: 50\n"
    "    internal_so_name: \"x\"\n"
    "    wait_inputdata_max_time: 0\n"
    "    holdModelFileFlag: true\n"
    "    is_repeat_timeout_flag: 1\n"
    "    oam_config { items { name: \"a\" value: \"b\" } dump_path: \"/x\" }\n"
    "    ai_config {\n"
    "      items { name: \"model_path\" value: \"./model.om\" }\n"
    "      items { name: \"empty\" }\n"
    "    }\n"
    "  }\n"
    "  engines { id: 1002 engine_name: 'DstEngine' side: HOST }\n"
    "  connects { src_engine_id: 1000 src_port_id: 0 target_engine_id: 1001 target_port_id: 0 }\n"
    "  connects { src_engine_id: 1001 src_port_id: 0 target_engine_id: 1002 target_port_id: 0\n"
    "             receive_memory_without_dvpp: true }\n"
    "}\n";

static void sample_is_read(void **state) {
    (void)state;
    assert_hiai_ok(check(sample));
}

static void all_of_the_notation_is_read(void **state) {
    (void)state;
    assert_hiai_ok(check("graphs{graph_id:1}"));
    assert_hiai_ok(check("graphs: { graph_id: 1, device_id: '3'; }"));
    assert_hiai_ok(check("graphs < graph_id: 0x10 engines < id: 1 engine_name: 'a' > >"));
    assert_hiai_ok(check("graphs [{ graph_id: 1 }, { graph_id: 2 }]"));
    assert_hiai_ok(check("graphs { engines { engine_name: 'a' so_name: ['x', \"y\"] } }"));
    assert_hiai_ok(check("graphs { engines { engine_name: 'a' 'b' \"c\\n\\101\" } }"));
}

// An engine without `side` runs on the device: its name is not asked for here.
static void side_is_device_unless_said(void **state) {
    (void)state;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai(hiai_create("graphs { graph_id: 5 engines { id: 1 engine_name: 'Nobody' } }"),
                HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "the other side"));
    assert_hiai(
        hiai_create("graphs { graph_id: 5 engines { id: 1 engine_name: 'Nobody' side: HOST } }"),
        HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "this side"));
}

static void unknown_fields_are_skipped(void **state) {
    (void)state;
    assert_hiai_ok(check("graphs { colour: blue graph_id: 1 shape { a: [1, 2] b < c { } > } }"));
    assert_hiai_ok(check("version: 3 graphs { } more: \"a\" 'b' 'c'"));
    assert_hiai_ok(check("graphs { x: -1.5e3 engines { engine_name: 'e' y: true } }"));
}

static void what_is_wrong_is_named_with_its_line(void **state) {
    (void)state;
    refuses_to_read("graphs {\n  graph_id: abc\n}", "line 2: \"abc\"");
    refuses_to_read("graphs {\n\n  graph_id 5\n}", "line 3: \"5\"");
    refuses_to_read("graphs {\n graph_id: 5\n", "line 3: the text ends");
    refuses_to_read("graphs { graph_id: 5 } }", "line 1: \"}\"");
    refuses_to_read("graphs { engines { side: NOWHERE } }", "NOWHERE");
    refuses_to_read("graphs { engines { engine_name: \"open\n } }", "\"\"\"");
    refuses_to_read("graphs { engines { engine_name: \"\\x\" } }", "\\x");
    refuses_to_read("graphs { graph_id: 4294967296 }", "4294967296");
    refuses_to_read("graphs { graph_id: -1 }", "-1");
    refuses_to_read("graphs { @ }", "@");
    refuses_to_read("graphs { device_id: \"64\" }", "device_id is \"64\"");
    refuses_to_read("graphs { x { y: ] } }", "]");
    refuses_to_read("graphs > ", ">");
    refuses_to_read("graphs [", "the text ends");
    refuses_to_read("graphs 5", "\"5\"");
    refuses_to_read("graphs [{ } { }]", "\"{\"");
    refuses_to_read("graphs { x: : }", "\":\"");
    refuses_to_read("graphs { x { @ } }", "\"@\"");
    refuses_to_read("", "0 graphs");
    refuses_to_read("# nothing\n", "0 graphs");
}

static void deep_nesting_is_refused(void **state) {
    char text[600] = "graphs { x ";
    (void)state;
    for (int i = 0; i < 200; i++) strcat(text, "{");
    refuses_to_read(text, "so deep");
}

static void largest_numbers_are_allowed(void **state) {
    (void)state;
    assert_hiai_ok(check("graphs { device_id: '63' engines { engine_name: 'a' thread_num: 256\n"
                         "  thread_priority: 99 queue_size: 65536 } }"));
    refuses_to_read("graphs { engines { engine_name: 'a' thread_num: 257 } }", "thread_num 257");
    refuses_to_read("graphs { engines { engine_name: 'a' queue_size: 65537 } }",
                    "queue_size 65537");
}

// Returns the text of a graph with engines of the host, or of graphs without engines.
static char *many(const char *before, int count, const char *each, const char *after) {
    char *text = (char *)malloc(100 + (size_t)count * 60), *at = text;
    at += sprintf(at, "%s", before);
    for (int i = 0; i < count; i++) at += sprintf(at, "%s: %d } ", each, i);
    (void)strcpy(at, after);
    return text;
}

static void graphs_and_engines_are_bounded(void **state) {
    static const char engine[] = "engines { engine_name: 'a' id";
    char *texts[] = {many("graphs {", 512, engine, "}"), many("graphs {", 513, engine, "}"),
                     many("", 2048, "graphs { graph_id", ""),
                     many("", 2049, "graphs { graph_id", "")};
    (void)state;
    assert_hiai_ok(check(texts[0]));
    refuses_to_read(texts[1], "512 engines");
    assert_hiai_ok(check(texts[2]));
    refuses_to_read(texts[3], "2049 graphs");
    for (int i = 0; i < 4; i++) free(texts[i]);
}

static void texts_and_files_are_bounded(void **state) {
    static char blanks[(16 << 20) + 1];
    const char *path = hiai_file("");
    (void)state;
    memset(blanks, ' ', sizeof blanks);
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai(HIAIX_CreateGraphText(blanks, sizeof blanks), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "at most 16 MiB"));
    assert_hiai(HIAIX_CreateGraphText(blanks, sizeof blanks - 1),
                HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "0 graphs"));
    assert_int_equal(truncate(path, sizeof blanks), 0);
    assert_hiai(HIAI_CreateGraph(path, strlen(path)), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "at most 16 MiB"));
    assert_int_equal(unlink(path), 0);
    assert_hiai(HIAI_CreateGraph("/", 1), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
}

// The end of the text ends a string, also after a backslash.
static void string_that_does_not_end_is_refused(void **state) {
    (void)state;
    refuses_to_read("graphs { engines { engine_name: \"", "\"\"\"");
    refuses_to_read("graphs { engines { engine_name: \"a\\", "\"\"\"");
    refuses_to_read("graphs { engines { engine_name: \"a\\\"", "\"\"\"");
    refuses_to_read("graphs { engines { engine_name: \"a\\\nb\" } }", "line 1: \"\"\"");
    assert_hiai_ok(check("graphs { engines { engine_name: 'a\\\\' so_name: '\\'' } }"));
}

static void what_does_not_fit_together_is_named(void **state) {
    (void)state;
    refuses_to_read(
        "graphs { engines { id: 1 engine_name: 'a' } engines { id: 1 engine_name: 'b' } }",
        "used twice");
    refuses_to_read("graphs { engines { id: 1 } }", "engine_name is missing");
    refuses_to_read("graphs { engines { engine_name: 'a' thread_num: 300 } }", "thread_num 300");
    refuses_to_read("graphs { engines { engine_name: 'a' queue_size: 70000 } }", "queue_size");
    refuses_to_read("graphs { engines { engine_name: 'a' thread_priority: 100 } }", "1 to 99");
    refuses("graphs { graph_id: 1 } graphs { graph_id: 1 }", HIAI_REPEATED_GRAPH, "twice");
    refuses("graphs { engines { id: 1 engine_name: 'a' }\n connects { src_engine_id: 2 } }",
            HIAI_GRAPH_ENGINE_NOT_EXIST, "line 2");
    refuses("graphs { engines { id: 1 engine_name: 'a' } connects { src_engine_id: 1 } }",
            HIAI_GRAPH_ENGINE_NOT_EXIST, "no engine 0");
    refuses("graphs { engines { engine_name: 'a' } connects { src_port_id: 16 } }",
            HIAI_PORT_ID_NOT_EXIST, "port is 16");
    refuses_to_read("graphs { engines { engine_name: 'a' } connects { target_graph_id: 9 } }",
                    "only within its graph");
    refuses_to_read("graphs { engines { engine_name: 'a' side: HOST }\n"
                    "connects { target_graph_id: 9 } connects { src_engine_id: 0 } }",
                    "no other target");
}

static void ports_are_looked_at_when_both_sides_are_known(void **state) {
    (void)state;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai(
        hiai_create("graphs { engines { id: 4 engine_name: 'Here' side: HOST }\n"
                    "engines { id: 2 engine_name: 'Worker' }\n"
                    "connects { src_engine_id: 4 target_engine_id: 2 target_port_id: 2 } }"),
        HIAI_PORT_ID_NOT_EXIST);
    assert_hiai(hiai_create("graphs { device_id: '5' }"), HIAI_GRAPH_GET_DEVID_ERROR);
}

static void path_has_its_length(void **state) {
    const char *path = hiai_file("graphs { graph_id: 5 }");
    char longer[300];
    (void)state;
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai(HIAI_CreateGraph(NULL, 5), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_CreateGraph(path, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_CreateGraph(path, 256), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_CreateGraph(path, strlen(path) - 1), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    strcpy(longer, path);
    strcat(longer, "behind");
    assert_hiai_ok(HIAI_CreateGraph(longer, strlen(path)));
    assert_hiai_ok(HIAI_DestroyGraph(5));
    assert_hiai(HIAI_CreateGraph("/nowhere/file", 13), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "/nowhere/file"));
    assert_hiai(HIAIX_CheckGraphText(NULL, 0), HIAI_GRAPH_INVALID_VALUE);
    assert_int_equal(unlink(path), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sample_is_read),
    cmocka_unit_test(all_of_the_notation_is_read),
    cmocka_unit_test(side_is_device_unless_said),
    cmocka_unit_test(unknown_fields_are_skipped),
    cmocka_unit_test(what_is_wrong_is_named_with_its_line),
    cmocka_unit_test(deep_nesting_is_refused),
    cmocka_unit_test(largest_numbers_are_allowed),
    cmocka_unit_test(graphs_and_engines_are_bounded),
    cmocka_unit_test(texts_and_files_are_bounded),
    cmocka_unit_test(string_that_does_not_end_is_refused),
    cmocka_unit_test(what_does_not_fit_together_is_named),
    cmocka_unit_test(ports_are_looked_at_when_both_sides_are_known),
    cmocka_unit_test(path_has_its_length),
};

HIAI_MAIN(tests)
