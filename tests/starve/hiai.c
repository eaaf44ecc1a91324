// SPDX-License-Identifier: Apache-2.0
// HiAI on the host: a graph from a file, and blocks of its memory pool.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hiaiengine/c_api.h>
#include <hiaiengine/hiaix.h>

#include "starve/support/round.h"

#define GRAPH 7

static char path[64]; // of a file in memory

__attribute__((constructor)) static void write_graph(void) {
    static const char text[] = "graphs { graph_id: 7 }\n";
    int fd = memfd_create("graph", 0);
    (void)!write(fd, text, sizeof text - 1);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

static bool is_shortage(HIAI_StatusT status) {
    return status == HIAI_MEMORY_EXHAUSTED || status == HIAI_GRAPH_NO_MEMORY;
}

#define TRY(step)                                                                                  \
    do {                                                                                           \
        HIAI_StatusT status_of_step = (step);                                                      \
        if (status_of_step != HIAI_OK)                                                             \
            return starve_classify(is_shortage(status_of_step), #step,                             \
                                   HIAIX_StatusStr(status_of_step));                               \
    } while (0)

static enum starve_kind use_block(void) {
    void *block = HIAI_DMalloc(100000, 1000, MEMORY_ATTR_MANUAL_FREE);
    if (block == NULL) {
        TRY(HIAIX_GetLastError());
        return starve_classify(false, "HIAI_DMalloc()", "no error");
    }
    memset(block, 1, 100000);
    TRY(HIAI_DFree(block));
    return STARVE_DONE;
}

void starve_provoke(void) { (void)HIAI_DestroyGraph(GRAPH + 1); }

enum starve_kind starve_round(void) {
    TRY(HIAI_Init(0));
    TRY(HIAI_CreateGraph(path, strlen(path)));
    enum starve_kind kind = use_block();
    HIAI_StatusT status = HIAI_DestroyGraph(GRAPH);
    return status == HIAI_OK
               ? kind
               : starve_classify(false, "HIAI_DestroyGraph()", HIAIX_StatusStr(status));
}
