// SPDX-License-Identifier: Apache-2.0
// A second image with MSTX in it, opened by tests.
#include <mstx/ms_tools_ext.h>

__attribute__((visibility("default"))) uint64_t client_tool_id(void);

uint64_t client_tool_id(void) {
    uint64_t id = 99;
    mstxMarkA("from another image", NULL);
    mstxGetToolId(&id);
    return id;
}
