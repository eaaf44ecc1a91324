// SPDX-License-Identifier: Apache-2.0
// One of two C files with MSTX in the image of every test: they must link.
#include <mstx/ms_tools_ext.h>

#include "support/images.h"

uint64_t tool_id_in_first(void) {
    uint64_t id = 99;
    mstxGetToolId(&id);
    return id;
}

const void *slots_of_first(void) { return &mstxDetailImage; }
