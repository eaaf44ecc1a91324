// SPDX-License-Identifier: Apache-2.0
// See hiai.h: fixtures, graph files, asking.
#include "support/hiai.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "support/engines.h"

const char hiai_graph_text[] =
    "# the graph of most tests\n"
    "graphs {\n"
    "  graph_id: 100 priority: 0 device_id: \"0\"\n"
    "  engines { id: 1 engine_name: \"Answers\" side: HOST queue_size: 256 }\n"
    "  engines { id: 2 engine_name: \"Worker\" thread_num: 1 queue_size: 64\n"
    "    ai_config { items { name: \"model\" value: \"small\" } items { name: \"n\" value: \"3\" } "
    "} }\n"
    "  engines { id: 3 engine_name: \"Gate\" side: DEVICE queue_size: 4 }\n"
    "  engines { id: 4 engine_name: \"Here\" side: HOST queue_size: 4 }\n"
    "  connects { src_engine_id: 2 src_port_id: 0 target_engine_id: 1 target_port_id: 0 }\n"
    "  connects { src_engine_id: 2 src_port_id: 1 target_engine_id: 1 target_port_id: 1 }\n"
    "}\n";

void hiai_assert(HIAI_StatusT got, HIAI_StatusT want, const char *expression, const char *file,
                 int line) {
    if (got != want) {
        print_error("%s: 0x%08x %s, not 0x%08x %s (%s)\n", expression, got, HIAIX_StatusStr(got),
                    want, HIAIX_StatusStr(want), HIAIX_GetLastErrorText());
        _fail(file, line);
    }
}

// ---- processes

bool hiai_lived_on_device(int argc, char **argv, int *code) {
    const char *config;
    uint32_t graph;
    if (HIAIX_IsDevice(argc, argv, &config, &graph) == 0) return false;
    engines_register();
    HIAI_StatusT status = HIAIX_DeviceMain(config, graph);
    *code = status == HIAI_OK || status == HIAI_HDC_SESSION_DEAD ? 0 : 1;
    return true;
}

void hiai_prepare(void) {
    static const char *const away[] = {"TARN_HIAI_MODE", "TARN_HIAI_PREFAULT", "TARN_HIAI_DEVICES",
                                       "TARN_HIAI_START_TIMEOUT", "TARN_HIAI_DESTROY_TIMEOUT"};
    for (size_t i = 0; i < sizeof away / sizeof *away; i++) (void)unsetenv(away[i]);
    (void)setenv("TARN_HIAI_POOL", "32M", 0);
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "/proc/self/exe", 0);
    engines_register();
}

// ---- graphs

const char *hiai_file(const char *text) {
    static char path[64];
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%.40s/hiai-XXXXXX", folder != NULL ? folder : "/tmp");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    size_t length = strlen(text);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    assert_int_equal(close(fd), 0);
    return path;
}

HIAI_StatusT hiai_create(const char *text) {
    const char *path = hiai_file(text);
    HIAI_StatusT status = HIAI_CreateGraph(path, strlen(path));
    (void)unlink(path);
    return status;
}

HIAI_PortID_t hiai_port(uint32_t engine, uint32_t port) {
    return (HIAI_PortID_t){GRAPH, engine, port};
}

int hiai_setup_alone(void **state) {
    (void)state;
    assert_hiai_ok(HIAI_Init(0));
    return 0;
}

int hiai_teardown_alone(void **state) {
    (void)state;
    assert_int_equal(hiai_objects(), 0);
    return 0;
}

int hiai_setup(void **state) {
    hiai_setup_alone(state);
    engines_forget();
    assert_hiai_ok(hiai_create(hiai_graph_text));
    return 0;
}

int hiai_teardown(void **state) {
    hiai_open_gate_here();
    hiai_wait_for_empty_pool();
    assert_int_equal(hiai_frames_waiting(), 0);
    assert_hiai_ok(HIAI_DestroyGraph(GRAPH));
    return hiai_teardown_alone(state);
}

// ---- messages

void hiai_fill(uint8_t *data, uint32_t bytes, uint32_t seed) {
    for (uint32_t i = 0; i < bytes; i++) data[i] = (uint8_t)(seed + i * 7);
}

uint64_t hiai_sum(const uint8_t *data, uint32_t bytes) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < bytes; i++) sum += data[i] * (uint64_t)(i % 251 + 1);
    return sum;
}

uint8_t *hiai_block(uint32_t bytes, uint32_t flag, uint32_t seed) {
    uint8_t *data = (uint8_t *)HIAI_DMalloc(bytes, LONG_ENOUGH, flag);
    assert_hiai_ok(HIAIX_GetLastError());
    assert_non_null(data);
    hiai_fill(data, bytes, seed);
    return data;
}

HIAI_StatusT hiai_send_to(uint32_t engine, uint32_t port, uint32_t number, uint8_t *data,
                          uint32_t bytes, uint32_t timeout_ms) {
    struct frame frame = {.number = number, .bytes = bytes, .data = data};
    return HIAIX_SendData(hiai_port(engine, port), "frame", &frame, timeout_ms);
}

HIAI_StatusT hiai_send(uint32_t number, uint8_t *data, uint32_t bytes) {
    return hiai_send_to(WORKER, 1, number, data, bytes, LONG_ENOUGH);
}

void hiai_order(enum order_kind kind, uint32_t a, uint32_t b) {
    struct order order = {(uint32_t)kind, a, b};
    assert_hiai_ok(
        HIAIX_SendRaw(hiai_port(WORKER, 0), "order", &order, sizeof order, NULL, 0, LONG_ENOUGH));
}

struct reply hiai_ask(enum order_kind kind, uint32_t a, uint32_t b) {
    hiai_order(kind, a, b);
    return hiai_next_reply();
}

// ---- looking

struct HIAIX_Stats hiai_stats(uint32_t graph) {
    struct HIAIX_Stats stats = {.size = sizeof stats};
    assert_hiai_ok(HIAIX_Stats(graph, &stats));
    return stats;
}

void hiai_wait_for_empty_pool(void) {
    uint64_t until = hiai_now_ms() + LONG_ENOUGH;
    while (hiai_stats(GRAPH).poolBlocks != 0 && hiai_now_ms() < until) hiai_nap_ms(1);
    assert_int_equal(hiai_stats(GRAPH).poolBlocks, 0);
    assert_int_equal(hiai_stats(GRAPH).inFlight, 0);
}

void hiai_nap_ms(uint32_t ms) {
    struct timespec nap = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    (void)nanosleep(&nap, NULL);
}

uint64_t hiai_now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
