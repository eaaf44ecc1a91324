// SPDX-License-Identifier: Apache-2.0
// The interface of the test tool (modules/tool.c): its counts, and the settings of its behaviour.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tool_mode {
    TOOL_WILLING, // fills every slot
    TOOL_FAILS,   // fills none and fails
    TOOL_PARTIAL, // fills some and fails
    TOOL_FEW,     // fills GET_TOOL_ID and DOMAIN_CREATE_A alone
    TOOL_NESTED,  // calls the client that TOOL_HOOK leads to, then fills
    TOOL_SLOW,    // takes a while, then fills
    TOOL_FORKS,   // makes a child in the middle, which calls TOOL_HOOK and ends; then fills
    TOOL_EXITS,   // ends the program in the middle
    TOOL_MODE_COUNT
};

// The number of the mode, and of a function void (*)(void), in decimal.
#define TOOL_MODE "MSTX_TEST_MODE"
#define TOOL_HOOK "MSTX_TEST_HOOK"

struct tool_log {
    int inits;
    int child_status; // of TOOL_FORKS, as waitpid() tells it
    int marks, starts, ends, domains, destroyed, domain_marks, domain_starts, domain_ends;
    int heaps, heaps_ended, regions, regions_ended, permissions;
    unsigned sizes[4]; // of modules 1 to 3, from the last client; 0: it has none
    uint64_t heap_bytes, region_bytes;
    const void *region;
};

// Exported by the tool; the same for all clients.
struct tool_log *tool_told(void);

enum { TOOL_ID = 0x7e57 };

// Where the tool, or another module of these tests, lies.
const char *module_path(const char *name);

// The log of the tool at that path, which is loaded if it is not yet.
struct tool_log *log_of_tool(void);

#ifdef __cplusplus
}
#endif
