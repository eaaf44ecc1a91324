// SPDX-License-Identifier: Apache-2.0
// The costs of a program for HiAI's Matrix: allocating and freeing a block, sending a message, and
// sending frames. The host writes every byte of a frame, and the device, a second process of this
// program, reads every byte. For comparison, the same frames are sent from ordinary memory, which
// is copied. Figures are medians. The methods alternate.
//
//     bench_compat_hiai
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>

#include "measure.h"

enum { ROUNDS = 9, PAIRS = 20000, SENDS = 1000, FRAMES = 60, WAIT_MS = 20000 };

static const char graph_text[] =
    "graphs { graph_id: 1\n"
    "  engines { id: 1 engine_name: 'Reader' side: DEVICE queue_size: 4 }\n"
    "  engines { id: 2 engine_name: 'Taker' side: DEVICE queue_size: 4096 } }\n";
static const HIAI_PortID_t reader = {1, 1, 0}, taker = {1, 2, 0};

static void must(HIAI_StatusT status, const char *what) {
    if (status != HIAI_OK) {
        fprintf(stderr, "%s: %s: %s\n", what, HIAIX_StatusStr(status), HIAIX_GetLastErrorText());
        exit(1);
    }
}

// ---- the device

static volatile uint64_t sum; // keeps the compiler from removing the reads

static HIAI_StatusT read_all(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    const HIAIX_RawMessage *raw = (const HIAIX_RawMessage *)msg;
    const uint64_t *words = (const uint64_t *)raw->data;
    uint64_t all = 0;
    (void)self;
    (void)port;
    (void)arg;
    for (uint32_t i = 0; i < raw->dataLen / sizeof *words; i++) all += words[i];
    sum = all;
    return HIAI_OK;
}

static HIAI_StatusT take(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)port;
    (void)msg;
    (void)arg;
    return HIAI_OK;
}

// ---- the host

static void wait_until_taken(void) {
    struct HIAIX_Stats stats = {.size = sizeof stats};
    do {
        must(HIAIX_Stats(1, &stats), "HIAIX_Stats");
    } while (stats.poolBlocks != 0);
}

static double pair_ns(uint32_t bytes) {
    uint64_t before = now_ns();
    for (int i = 0; i < PAIRS; i++) {
        void *block = HIAI_DMalloc(bytes, 0, MEMORY_ATTR_AUTO_FREE);
        must(HIAI_DFree(block), "HIAI_DFree");
    }
    return (double)(now_ns() - before) / PAIRS;
}

// Measures the sends alone. The blocks are allocated before.
static double send_ns(uint32_t bytes) {
    static void *blocks[SENDS];
    for (int i = 0; i < SENDS; i++) blocks[i] = HIAI_DMalloc(bytes, WAIT_MS, MEMORY_ATTR_AUTO_FREE);
    uint64_t before = now_ns();
    for (int i = 0; i < SENDS; i++)
        must(HIAIX_SendRaw(taker, "block", &i, sizeof i, blocks[i], bytes, WAIT_MS), "send");
    uint64_t after = now_ns();
    wait_until_taken();
    return (double)(after - before) / SENDS;
}

struct frame {
    uint8_t *data;
    uint32_t bytes;
};

static HIAI_StatusT serialize(const void *msg, void *ctrl, uint32_t *ctrl_len, uint8_t **data,
                              uint32_t *data_len, void *arg) {
    (void)ctrl;
    (void)arg;
    *ctrl_len = 0;
    *data = ((const struct frame *)msg)->data;
    *data_len = ((const struct frame *)msg)->bytes;
    return HIAI_OK;
}

static void *deserialize(const void *ctrl, uint32_t ctrl_len, uint8_t *data, uint32_t data_len,
                         void *arg) {
    HIAIX_RawMessage *raw = (HIAIX_RawMessage *)calloc(1, sizeof *raw);
    (void)ctrl;
    (void)ctrl_len;
    (void)arg;
    if (raw != NULL) {
        raw->data = data;
        raw->dataLen = data_len;
    }
    return raw;
}

static void destroy(void *msg, void *arg) {
    HIAIX_RawMessage *raw = (HIAIX_RawMessage *)msg;
    (void)arg;
    (void)HIAI_DFree(raw->data);
    free(raw);
}

// Returns GB/s of frames. A `plain` that is not NULL is the memory to send from instead of blocks.
static double stream(uint32_t bytes, uint8_t *plain) {
    uint64_t before = now_ns();
    for (int i = 0; i < FRAMES; i++) {
        struct frame frame = {plain, bytes};
        if (plain == NULL)
            frame.data = (uint8_t *)HIAI_DMalloc(bytes, WAIT_MS, MEMORY_ATTR_AUTO_FREE);
        memset(frame.data, i, bytes);
        must(HIAIX_SendData(reader, "frame", &frame, WAIT_MS), "send");
    }
    wait_until_taken();
    return (double)bytes * FRAMES / (double)(now_ns() - before);
}

// ---- the table

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples) {
    qsort(samples, ROUNDS, sizeof *samples, by_size);
    return samples[ROUNDS / 2];
}

static void bench_calls(void) {
    static const uint32_t sizes[] = {4096, 262144, 3110400};
    double pairs[ROUNDS];
    printf("%-34s", "DMalloc and DFree, ns");
    for (unsigned i = 0; i < 3; i++) {
        for (int round = 0; round < ROUNDS; round++) pairs[round] = pair_ns(sizes[i]);
        printf("  %u B: %.0f", sizes[i], median(pairs));
    }
    for (int round = 0; round < ROUNDS; round++) pairs[round] = send_ns(4096);
    printf("\n%-34s  %.0f\n", "send, ns", median(pairs));
}

static void bench_frames(const char *name, uint32_t bytes, uint8_t *plain) {
    double block[ROUNDS], copied[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        block[round] = stream(bytes, NULL);
        copied[round] = stream(bytes, plain);
    }
    double fast = median(block), slow = median(copied);
    printf("%-34s  %.2f from blocks, %.2f from ordinary memory (%.1f)\n", name, fast, slow,
           fast / slow);
}

static void create(void) {
    char path[] = "/tmp/bench-hiai-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, graph_text, strlen(graph_text)) < 0 || close(fd) != 0) exit(1);
    HIAI_StatusT status = HIAI_CreateGraph(path, strlen(path));
    (void)unlink(path);
    must(status, "HIAI_CreateGraph");
}

int main(int argc, char **argv) {
    const char *config;
    uint32_t graph;
    must(HIAIX_RegisterEngine("Reader", 1, 0, read_all, NULL), "register");
    must(HIAIX_RegisterEngine("Taker", 1, 0, take, NULL), "register");
    must(HIAIX_RegisterSerialize("frame", serialize, deserialize, destroy, NULL), "register");
    if (HIAIX_IsDevice(argc, argv, &config, &graph) != 0)
        return HIAIX_DeviceMain(config, graph) == HIAI_OK ? 0 : 1;
    uint8_t *plain = (uint8_t *)malloc(12441600);
    (void)setenv("TARN_HIAI_POOL", "128M", 0);
    (void)setenv("TARN_HIAI_PREFAULT", "128M", 0);
    must(HIAIX_SetDeviceProgram("/proc/self/exe"), "HIAIX_SetDeviceProgram");
    must(HIAI_Init(0), "HIAI_Init");
    create();
    bench_calls();
    bench_frames("1080p frames, GB/s", 3110400, plain);
    bench_frames("4K frames, GB/s", 12441600, plain);
    must(HIAI_DestroyGraph(1), "HIAI_DestroyGraph");
    free(plain);
    return 0;
}
