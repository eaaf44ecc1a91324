// SPDX-License-Identifier: Apache-2.0
// See titles.h.
#include "check/order/titles.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/report/text.h"

enum { TITLES_MAX = 4096 }; // streams with a title; later ones show the handle of Tarn

static struct tn_check_title *title_at(const struct tn_check_titles *titles, uint32_t place) {
    return (struct tn_check_title *)titles->table.records + place;
}

void tn_check_titles_fini(struct tn_check_titles *titles) {
    tn_check_handle_map_fini(&titles->index);
    tn_check_table_fini(&titles->table);
}

// Returns NULL if there is no room.
static struct tn_check_title *find_or_add(struct tn_check_titles *titles, uint32_t image,
                                          uint64_t stream) {
    uint32_t place;
    if (tn_check_handle_map_find(&titles->index, image, stream, &place))
        return title_at(titles, place);
    if (titles->table.count == TITLES_MAX ||
        !tn_check_table_add(&titles->table, sizeof(struct tn_check_title), &place))
        return NULL;
    if (!tn_check_handle_map_set(&titles->index, image, stream, place)) {
        tn_check_table_remove(&titles->table, place);
        return NULL;
    }
    return title_at(titles, place);
}

static void write_handle(struct tn_check_title *title, uint64_t handle) {
    (void)snprintf(title->text, sizeof title->text, "stream 0x%" PRIx64, handle);
}

void tn_check_titles_event(struct tn_check_titles *titles, const struct tn_mem_event *event) {
    struct tn_check_title *title = find_or_add(titles, event->image, event->stream);
    if (title == NULL) return;
    title->thread = tn_stack_thread();
    title->stack = tn_stack_capture();
    if (event->kind == TN_MEM_STREAM_BEGIN || event->name == NULL) {
        write_handle(title, event->kind == TN_MEM_STREAM_BEGIN ? event->stream : event->object);
        return;
    }
    struct tn_check_text text = TN_CHECK_TEXT(title->text);
    tn_check_text_add(&text, "%s", event->name);
    if (event->object == 0) title->stack = 0; // it began with its first use
}

void tn_check_titles_find(const struct tn_check_titles *titles, uint32_t image, uint64_t stream,
                          struct tn_check_title *title) {
    uint32_t place;
    *title = (struct tn_check_title){.text = "the host"};
    if (stream == 0) return;
    if (tn_check_handle_map_find(&titles->index, image, stream, &place))
        *title = *title_at(titles, place);
    else
        write_handle(title, stream);
}
