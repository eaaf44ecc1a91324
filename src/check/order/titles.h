// SPDX-License-Identifier: Apache-2.0
// How the program knows its streams: by its own handles, which the library that made a stream states, or
// by a name such as "the default stream". Part of check/order/order.c, which serialises every call. A title
// stays when its stream has ended, because later reports may show it.
#pragma once

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/table.h"
#include "stack/stack.h"

enum { TN_CHECK_TITLE_BYTES = 48 };

struct tn_check_title {
    char text[TN_CHECK_TITLE_BYTES];
    tn_stack_id stack; // where the program made the stream; 0 if it did not make it itself
    uint32_t thread;
};

// Zeroed is empty.
struct tn_check_titles {
    struct tn_check_handle_map index; // by image and stream
    struct tn_check_table table;
};

void tn_check_titles_fini(struct tn_check_titles *titles);

// Applies TN_MEM_STREAM_BEGIN or TN_MEM_STREAM_NAME. If memory runs out, the handle of Tarn is shown.
void tn_check_titles_event(struct tn_check_titles *titles, const struct tn_mem_event *event);

// Writes the title of a stream; without a stream, that of the host.
void tn_check_titles_find(const struct tn_check_titles *titles, uint32_t image, uint64_t stream,
                          struct tn_check_title *title);
