// SPDX-License-Identifier: Apache-2.0
// The other of two C files with MSTX in the image of every test: they must link.
#include <mstx/ms_tools_ext.h>

#include "support/images.h"

uint64_t tool_id_in_second(void) {
    uint64_t id = 99;
    mstxGetToolId(&id);
    return id;
}

const void *slots_of_second(void) { return &mstxDetailImage; }
