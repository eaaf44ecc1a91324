// SPDX-License-Identifier: Apache-2.0
// The device side: its limits, media memory, and what it has not.
#include <unistd.h>

#include "support/child.h"
#include "support/hiai.h"

static void device_refuses(enum order_kind kind, uint32_t a, uint32_t b, HIAI_StatusT status) {
    struct reply reply = hiai_ask(kind, a, b);
    assert_hiai(reply.status, status);
}

// Conformance test 2.
static void dmalloc_takes_96_bytes_less_on_the_device(void **state) {
    (void)state;
    device_refuses(DO_DMALLOC, 0, 2, HIAI_GRAPH_INVALID_VALUE);
    device_refuses(DO_DMALLOC, 1, 2, HIAI_OK);
    device_refuses(DO_DMALLOC, 256 * KIB - 96, 2, HIAI_OK);
    device_refuses(DO_DMALLOC, 256 * MIB - 96, 2, HIAI_OK);
    device_refuses(DO_DMALLOC, 256 * MIB - 95, 2, HIAI_GRAPH_MALLOC_LARGER);
    device_refuses(DO_DMALLOC, 1, 3, HIAI_GRAPH_INVALID_VALUE);
}

static void dvpp_dmalloc_takes_what_dmalloc_does(void **state) {
    (void)state;
    device_refuses(DO_DVPP_DMALLOC, 0, 0, HIAI_GRAPH_INVALID_VALUE);
    struct reply reply = hiai_ask(DO_DVPP_DMALLOC, 1000, 0);
    assert_hiai_ok(reply.status);
    assert_int_equal(reply.value, 1); // aligned
    device_refuses(DO_DVPP_DMALLOC, 256 * MIB - 96, 0, HIAI_OK);
    device_refuses(DO_DVPP_DMALLOC, 256 * MIB - 95, 0, HIAI_GRAPH_MALLOC_LARGER);
}

// Conformance test 7.
static void media_memory_has_a_free_of_its_own(void **state) {
    (void)state;
    device_refuses(DO_FREE_MIXED, 0, 0, HIAI_GRAPH_WRONG_MEMORY_TYPE);
    device_refuses(DO_FREE_MIXED, 1, 0, HIAI_GRAPH_WRONG_MEMORY_TYPE);
    device_refuses(DO_FREE_MIXED, 2, 0, HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_int_equal(hiai_ask(DO_STATS, 0, 0).value, 0);
}

static void device_creates_no_graphs(void **state) {
    struct reply reply = hiai_ask(DO_CREATE_GRAPH, 0, 0);
    (void)state;
    assert_hiai(reply.status, HIAIX_WRONG_SIDE);
    assert_hiai((HIAI_StatusT)reply.value, HIAIX_WRONG_SIDE);
}

static void engine_reads_its_configuration(void **state) {
    (void)state;
    assert_int_equal(hiai_ask(DO_CONFIG, 0, 0).value, 1);
    assert_null(HIAIX_GetConfig(NULL, "model"));
    assert_int_equal(HIAIX_GetEngineId(NULL).engine_id, 0);
}

static void device_sends_to_engines_of_its_graph(void **state) {
    (void)state;
    device_refuses(DO_SEND_TO_GRAPH, ANSWERS, 1, HIAI_OK);
    assert_null(hiai_next_frame().data);
    device_refuses(DO_SEND_TO_GRAPH, ANSWERS, 2, HIAI_PORT_ID_NOT_EXIST);
    device_refuses(DO_SEND_TO_GRAPH, 9, 0, HIAI_GRAPH_ENGINE_NOT_EXIST);
}

static void host_is_no_device(void **state) {
    const char *config;
    uint32_t graph = 7;
    char *const good[] = {"p", "--hiaix-device", "@s", "file", "12", NULL};
    char *const bad[] = {"p", "--hiaix-device", "@s", "file", "12x", NULL};
    (void)state;
    assert_hiai(HIAIX_DeviceMain("any", GRAPH), HIAIX_WRONG_SIDE);
    assert_hiai(HIAIX_DeviceMain(NULL, GRAPH), HIAI_GRAPH_INVALID_VALUE);
    assert_int_equal(HIAIX_IsDevice(1, good, &config, &graph), 0);
    assert_int_equal(HIAIX_IsDevice(5, bad, &config, &graph), 0);
    assert_int_equal(HIAIX_IsDevice(5, good, &config, &graph), 1);
    assert_string_equal(config, "file");
    assert_int_equal(graph, 12);
}

static const char *own_path;

static void without_that_graph(void *arg) {
    (void)arg;
    assert_hiai(HIAIX_DeviceMain(own_path, 99), HIAI_GRAPH_NOT_EXIST);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "no graph 99"));
}

static void without_a_host(void *arg) {
    (void)arg;
    assert_hiai(HIAIX_DeviceMain(own_path, GRAPH), HIAI_GRAPH_START_TIMEOUT);
}

static void on_a_board(void *arg) {
    (void)arg;
    assert_hiai(HIAIX_DeviceMain(own_path, GRAPH), HIAIX_WRONG_SIDE);
}

static void in_child(void (*body)(void *arg), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static void device_process_that_cannot_live_says_why(void **state) {
    (void)state;
    own_path = hiai_file(hiai_graph_text);
    in_child(without_that_graph, (const char *)NULL);
    in_child(without_a_host, "TARN_HIAI_START_TIMEOUT", "50", (const char *)NULL);
    in_child(on_a_board, "TARN_HIAI_MODE", "RC", (const char *)NULL);
    assert_int_equal(unlink(own_path), 0);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, hiai_setup, hiai_teardown)

static const struct CMUnitTest tests[] = {
    WITH_GRAPH(dmalloc_takes_96_bytes_less_on_the_device),
    WITH_GRAPH(dvpp_dmalloc_takes_what_dmalloc_does),
    WITH_GRAPH(media_memory_has_a_free_of_its_own),
    WITH_GRAPH(device_creates_no_graphs),
    WITH_GRAPH(engine_reads_its_configuration),
    WITH_GRAPH(device_sends_to_engines_of_its_graph),
    WITH_GRAPH(host_is_no_device),
    cmocka_unit_test(device_process_that_cannot_live_says_why),
};

int main(int argc, char **argv) {
    int code;
    if (hiai_lived_on_device(argc, argv, &code)) return code;
    (void)setenv("TARN_HIAI_POOL", "512M", 1); // for the largest blocks
    hiai_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
