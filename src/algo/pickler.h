// SPDX-License-Identifier: Apache-2.0
// A pickler: writes plain Python values as a pickle of protocol 4, with the opcodes that PyTorch's
// viewer knows. A dict is begun, gets keys and values in turn, and is ended. A list gets its items
// in batches of 1,000, because the viewer passes each batch as arguments of a call. One thread at a
// time.
#pragma once

#include <tarn/base.h>

struct tn_pickler {
    void (*put)(void *sink, const void *bytes, size_t size); // takes the bytes of the pickle
    void *sink;
    uint32_t memo; // values remembered so far
};

void tn_pickler_begin(struct tn_pickler *pickler,
                      void (*put)(void *sink, const void *bytes, size_t size), void *sink);
void tn_pickler_end(struct tn_pickler *pickler);

void tn_pickler_number(struct tn_pickler *pickler, uint64_t number);
void tn_pickler_signed(struct tn_pickler *pickler, int64_t number);
void tn_pickler_bool(struct tn_pickler *pickler, bool value);
// Bytes that are no UTF-8 become U+FFFD.
void tn_pickler_text(struct tn_pickler *pickler, const char *text);
void tn_pickler_pair(struct tn_pickler *pickler, uint32_t first, uint32_t second);

void tn_pickler_open_dict(struct tn_pickler *pickler);
void tn_pickler_close_dict(struct tn_pickler *pickler);

// *count is the number of items so far: 0 at first, and counted by each tn_pickler_item(), which
// precedes an item.
void tn_pickler_open_list(struct tn_pickler *pickler, size_t *count);
void tn_pickler_item(struct tn_pickler *pickler, size_t *count);
void tn_pickler_close_list(struct tn_pickler *pickler, size_t count);

// Remembers the value that was just written, or the list or dict that was just opened. Returns a
// number for tn_pickler_again(), never 0.
uint32_t tn_pickler_remember(struct tn_pickler *pickler);
void tn_pickler_again(struct tn_pickler *pickler, uint32_t remembered);
