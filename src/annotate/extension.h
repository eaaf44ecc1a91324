// SPDX-License-Identifier: Apache-2.0
// How notes reach a tool that was injected by MSTX's handshake: a module of our own behind the
// public ones. A client that carries Tarn offers it; a tool asks for it and may be told FAIL, by
// clients of other makers. Its slot takes whole notes, so that names, requested sizes, accesses and
// the order of work are not lost on the way. A tool that fills it gets nothing from this image by
// the public modules beside it.
#ifndef TARN_ANNOTATE_EXTENSION_H
#define TARN_ANNOTATE_EXTENSION_H

#include "annotate/mem_event.h"

enum {
    TN_EXTENSION_MODULE = 0x4D00, // MSTX's table function is asked for this module number
    TN_EXTENSION_EVENT = 1,       // id of the slot: tn_extension_event
    TN_EXTENSION_SIZE = 2         // what the table function tells as the size of the module
};

// Takes a note. May be called from any thread at any time after the store to the slot, also while
// the tool's initialisation still runs. Never calls back into Tarn.
typedef void (*tn_extension_event)(const struct tn_mem_event *event);

#endif
