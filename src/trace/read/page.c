// SPDX-License-Identifier: Apache-2.0
// The reader of web pages of PyTorch's memory viewer (_memory_viz.py). They hold a pickled snapshot
// in base64, in the list `local_files` of their script. Pages that were saved from the viewer's web
// site hold none.
#include <inttypes.h>
#include <strings.h>

#include "base/error.h"
#include "trace/base64.h"
#include "trace/parse/json.h"
#include "trace/parse/pickle.h"
#include "trace/read/read.h"
#include "trace/read/snapshot.h"

static const char list_name[] = "local_files = ";

bool tn_page_detect(const uint8_t *bytes, size_t size) {
    static const char *const begins[] = {"<!doctype html", "<html"};
    size_t at = 0;
    while (at < size && memchr(" \t\r\n\xef\xbb\xbf", bytes[at], 7) != NULL) at++;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t length = strlen(begins[i]);
        if (size - at >= length && strncasecmp((const char *)bytes + at, begins[i], length) == 0)
            return true;
    }
    return false;
}

// Finds the base64 of the first file in the list. *more is true if there are others.
static bool find_file(const struct tn_values *values, tn_value list, tn_value *file, bool *more) {
    tn_value entry;
    struct tn_items items = tn_items_of(values, list);
    if (tn_value_kind(values, list) != TN_VALUE_LIST || !tn_items_next(&items, &entry))
        return false;
    *more = tn_items_next(&items, &(tn_value){0});
    return tn_value_get(values, entry, "base64", file) &&
           tn_value_kind(values, *file) == TN_VALUE_TEXT;
}

static tarn_status read_pickle_of(struct tn_values *values, tn_value file,
                                  struct tn_builder *builder) {
    const struct tn_node *node = &values->nodes[file];
    char *text = values->bytes + node->as.bits;
    struct tn_source *inner = NULL;
    size_t size = 0;
    TN_REFUSE(!tn_base64_decode(text, node->count, &size), TARN_CORRUPT,
              "%s: the snapshot in the page is no base64", builder->name);
    TN_TRY(tn_source_open_memory(builder->name, text, size, &inner));
    tarn_status status = tn_snapshot_convert(inner, builder, tn_pickle_read);
    tn_source_close(inner);
    return status;
}

// Reads the list, whose name was passed.
static tarn_status read_list_of(struct tn_source *source, uint64_t line,
                                struct tn_builder *builder) {
    struct tn_values values;
    struct tn_json json;
    tn_value list = 0, file = 0;
    bool more = false;
    tn_values_begin(&values, builder->name, builder->memory);
    tn_json_begin(&json, source, &values);
    json.line = line;
    tarn_status status = tn_json_read(&json, &list);
    tn_json_end(&json);
    if (status == TARN_OK && !find_file(&values, list, &file, &more))
        status = tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": the page's list of files holds no data",
                         builder->name, line);
    if (status == TARN_OK && more)
        status = tn_builder_note(builder, "the page holds several snapshots; the first is read");
    if (status == TARN_OK) status = read_pickle_of(&values, file, builder);
    tn_values_release(&values);
    return status;
}

// Passes over the page up to the list's value. The name may lie across two windows.
tarn_status tn_page_read(struct tn_source *source, struct tn_builder *builder) {
    static const char image[] = "data:image/png;base64,";
    uint64_t line = 1;
    bool picture = false;
    for (;;) {
        const uint8_t *bytes = NULL;
        size_t size = 0;
        TN_TRY(tn_source_look(source, TN_DETECT_BYTES, &bytes, &size));
        TN_REFUSE(size == 0, TARN_CORRUPT, "%s: a web page without a recording in it: %s",
                  builder->name,
                  picture ? "it shows a picture of a memory timeline, export that as JSON"
                          : "save the snapshot that it was opened with");
        const uint8_t *found = (const uint8_t *)memmem(bytes, size, list_name, strlen(list_name));
        picture |= memmem(bytes, size, image, strlen(image)) != NULL;
        // The last bytes may be the beginning of a name, unless the page ends with them.
        size_t used = found != NULL              ? (size_t)(found - bytes) + strlen(list_name)
                      : size > strlen(image) * 2 ? size - strlen(image)
                                                 : size;
        for (size_t i = 0; i < used; i++) line += bytes[i] == '\n';
        tn_source_take(source, used);
        if (found != NULL) return read_list_of(source, line, builder);
    }
}
