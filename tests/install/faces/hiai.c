// SPDX-License-Identifier: Apache-2.0
// The least program for HiAI's Matrix: headers and library fit together, there are devices, and a
// block can be had. It also finds the device program of the installation: a graph with an engine on
// the device gets an answer of it, that nobody knows the engine.
#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char graph[] = "graphs { graph_id: 1 engines { id: 1 engine_name: \"Nobody\" } }\n";

static HIAI_StatusT create(void) {
    static const char path[] = "hiai-least.prototxt";
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(graph, file) < 0 || fclose(file) != 0) return HIAI_ERROR;
    HIAI_StatusT status = HIAI_CreateGraph(path, strlen(path));
    (void)unlink(path);
    return status;
}

int main(void) {
    uint32_t count = 0;
    if (HIAI_GetDeviceNum(&count) != HIAI_OK || HIAI_Init(0) != HIAI_OK) return 1;
    void *block = HIAI_DMalloc(1000000, 0, MEMORY_ATTR_AUTO_FREE);
    if (block == NULL || HIAI_DFree(block) != HIAI_OK) return 1;
    HIAI_StatusT status = create();
    printf("%u devices; %s: %s\n", (unsigned)count, HIAIX_StatusStr(status),
           HIAIX_GetLastErrorText());
    return status == HIAI_GRAPH_ENGINE_NOT_EXIST &&
                   strstr(HIAIX_GetLastErrorText(), "other side") != NULL
               ? 0
               : 1;
}
