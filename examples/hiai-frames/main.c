// SPDX-License-Identifier: Apache-2.0
// Frames from a host process to a device process and their sums back, in HiAI's Matrix. No frame is
// copied: the receiver of a message owns its block. Both sides are this program.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>

enum { FRAMES = 20, WAIT_MS = 5000 };
static const uint32_t frame_bytes = 1920 * 1080 * 3 / 2;

static const char graph_text[] =
    "graphs { graph_id: 1\n"
    "  engines { id: 1 engine_name: 'Sum' side: DEVICE queue_size: 4 }\n"
    "  engines { id: 2 engine_name: 'Show' side: HOST }\n"
    "  connects { src_engine_id: 1 target_engine_id: 2 } }\n";

struct sum {
    uint32_t number;
    uint64_t value;
};

// ---- on the device: the block is freed with the message

static HIAI_StatusT sum_up(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    const HIAIX_RawMessage *frame = (const HIAIX_RawMessage *)msg;
    HIAI_PortID_t show = {HIAIX_GetEngineId(self).graph_id, 2, port};
    struct sum sum = {*(const uint32_t *)frame->ctrl, 0};
    (void)arg;
    for (uint32_t i = 0; i < frame->dataLen; i++) sum.value += ((const uint8_t *)frame->data)[i];
    return HIAIX_SendRaw(show, "sum", &sum, sizeof sum, NULL, 0, WAIT_MS);
}

// ---- on the host

static atomic_int right;

static HIAI_StatusT show(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    const struct sum *sum = (const struct sum *)((const HIAIX_RawMessage *)msg)->ctrl;
    (void)self;
    (void)port;
    (void)arg;
    (void)atomic_fetch_add(&right, sum->value == (uint64_t)sum->number * frame_bytes);
    return HIAI_OK;
}

static HIAI_StatusT send_frame(uint32_t number) {
    HIAI_PortID_t to = {1, 1, 0};
    void *block = HIAI_DMalloc(frame_bytes, WAIT_MS, MEMORY_ATTR_AUTO_FREE);
    if (block == NULL) return HIAIX_GetLastError();
    memset(block, (int)number, frame_bytes);
    HIAI_StatusT status =
        HIAIX_SendRaw(to, "frame", &number, sizeof number, block, frame_bytes, WAIT_MS);
    if (status != HIAI_OK) // this side still owns it
        (void)HIAI_DFree(block);
    return status;
}

static HIAI_StatusT create(void) {
    char path[] = "/tmp/hiai-frames-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, graph_text, strlen(graph_text)) < 0 || close(fd) != 0)
        return HIAI_ERROR;
    HIAI_StatusT status = HIAI_CreateGraph(path, strlen(path));
    (void)unlink(path);
    return status;
}

// Ends when no sum has come for some time: the device may have failed to send one.
static void wait_for_sums(void) {
    for (int idle = 0, seen = 0; seen < FRAMES && idle < WAIT_MS; idle++) {
        (void)usleep(1000);
        int now = atomic_load(&right);
        if (now != seen) idle = 0;
        seen = now;
    }
}

int main(int argc, char **argv) {
    const char *config;
    uint32_t graph;
    (void)HIAIX_RegisterEngine("Sum", 1, 1, sum_up, NULL);
    (void)HIAIX_RegisterEngine("Show", 1, 0, show, NULL);
    if (HIAIX_IsDevice(argc, argv, &config, &graph) != 0)
        return HIAIX_DeviceMain(config, graph) == HIAI_OK ? 0 : 1;
    (void)HIAIX_SetDeviceProgram("/proc/self/exe");
    HIAI_StatusT status = HIAI_Init(0);
    status = status == HIAI_OK ? create() : status;
    for (uint32_t i = 0; i < FRAMES && status == HIAI_OK; i++) status = send_frame(i);
    if (status == HIAI_OK) wait_for_sums();
    printf("%d of %d frames right, %s\n", atomic_load(&right), FRAMES, HIAIX_StatusStr(status));
    return HIAI_DestroyGraph(1) == HIAI_OK && atomic_load(&right) == FRAMES ? 0 : 1;
}
