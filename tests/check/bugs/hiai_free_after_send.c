// SPDX-License-Identifier: Apache-2.0
// A reader sends a block that the send hands over, and frees it as well.
// EXPECT: WARN free-after-send: region R1 [0x...,+...) given to HIAI_DFree after it was sent: the receiver owns it
// EXPECT:     ... main .../hiai_free_after_send.c:32
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_free_after_send.c:30

#include "check/support/hiai.h"

#include <hiaiengine/hiaix_hooks.h>

static HIAI_StatusT drop(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    (void)self;
    (void)port;
    (void)arg;
    return msg != NULL ? HIAI_OK : HIAI_ERROR;
}
HIAIX_REGISTER_ENGINE("Drop", 1, 1, drop)

int main(int argc, char **argv) {
    const char text[] = "graphs { graph_id: 1 engines { id: 1 engine_name: 'Drop' } }";
    const HIAI_PortID_t port = {1, 1, 0};
    const char *config;
    uint32_t graph;
    if (HIAIX_IsDevice(argc, argv, &config, &graph))
        return HIAIX_DeviceMain(config, graph) != HIAI_OK;
    begin();
    must(HIAIX_SetDeviceProgram("/proc/self/exe"));
    must(HIAIX_CreateGraphText(text, sizeof text - 1));
    void *block = HIAI_DMalloc(8192, 1000, MEMORY_ATTR_AUTO_FREE);
    must(HIAIX_SendRaw(port, "frame", NULL, 0, block, 8192, 1000));
    if (HIAI_DFree(block) == HIAI_OK) return 2;
    must(HIAI_DestroyGraph(1));
    return 0;
}
