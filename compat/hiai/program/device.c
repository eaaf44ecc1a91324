// SPDX-License-Identifier: Apache-2.0
// tarn-hiai-device: the device process that HIAI_CreateGraph() starts by default. Its engines come
// from the shared objects that the graph file names.
#include <stdio.h>

#include <hiaiengine/hiaix.h>

int main(int argc, char **argv) {
    const char *config;
    uint32_t graph;
    if (HIAIX_IsDevice(argc, argv, &config, &graph) == 0) {
        fprintf(stderr, "usage: %s --hiaix-device SOCKET CONFIG GRAPH\n", argv[0]);
        return 2;
    }
    HIAI_StatusT status = HIAIX_DeviceMain(config, graph);
    if (status != HIAI_OK && status != HIAI_HDC_SESSION_DEAD) {
        fprintf(stderr, "%s: %s: %s\n", argv[0], HIAIX_StatusStr(status), HIAIX_GetLastErrorText());
        return 1;
    }
    return 0;
}
