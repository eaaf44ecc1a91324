// SPDX-License-Identifier: Apache-2.0
// Tarn's own module in the MSTX handshake, beside the public modules. A client that contains Tarn
// offers it; other clients answer FAIL. Its one slot receives complete events, so names, requested
// sizes, accesses and the order of work reach the tool. A tool that fills the slot receives nothing
// from this image through the public modules.
#pragma once

#include "annotate/mem_event.h"

enum {
    TN_EXTENSION_MODULE = 0x4D00, // the module number that the tool passes to the table function
    TN_EXTENSION_EVENT = 1,       // id of the slot, of type tn_extension_event
    TN_EXTENSION_SIZE = 2         // the size that the table function returns for the module
};

// Receives an event. Tarn may call it from any thread as soon as the slot is filled, even while the
// tool still initialises. It must not call Tarn.
typedef void (*tn_extension_event)(const struct tn_mem_event *event);
