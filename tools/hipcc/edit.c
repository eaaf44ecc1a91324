// SPDX-License-Identifier: Apache-2.0
// See edit.h.
#include "tools/hipcc/edit.h"

#include <stdio.h>

#include "base/grow.h"

void tn_cxx_edit_add(struct tn_cxx_edits *edits, size_t at, size_t removed,
                     enum tn_cxx_place_kind kind, const char *text, size_t bytes) {
    const struct tn_cxx_edit edit = {at, removed, strndup(text, bytes), kind};
    struct tn_cxx_edit *grown =
        edit.text != NULL ? (struct tn_cxx_edit *)tn_append(edits->all, &edits->count, &edits->room,
                                                            &edit, sizeof edit)
                          : NULL;
    edits->is_short = edits->is_short || grown == NULL;
    if (grown != NULL)
        edits->all = grown;
    else
        free(edit.text);
}

void tn_cxx_edits_end(struct tn_cxx_edits *edits) {
    for (size_t i = 0; i < edits->count; i++) free(edits->all[i].text);
    free(edits->all);
}

static int compare(const void *a, const void *b) {
    const struct tn_cxx_edit *x = (const struct tn_cxx_edit *)a, *y = (const struct tn_cxx_edit *)b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (int)y->kind - (int)x->kind;
}

// Begins a new line of the result, which has this number.
static void mark_line(FILE *out, const struct tn_cxx_place *place, uint32_t line) {
    fprintf(out, "\n# %u", line);
    if (place->file != NULL) fprintf(out, " %.*s", (int)place->file_bytes, place->file);
    fputs(place->is_system ? " 3\n" : "\n", out);
}

static void pad(FILE *out, const struct tn_cxx_source *source, const struct tn_cxx_place *place,
                size_t at) {
    for (size_t i = place->line_start; i < at; i++)
        fputc(source->text[i] == '\t' ? '\t' : ' ', out);
}

// Returns true if more of the line follows. A "#" must not become the first of a line.
static bool has_more(const struct tn_cxx_source *source, size_t at) {
    while (at < source->bytes && strchr(" \t\r", source->text[at]) != NULL) at++;
    return at < source->bytes && source->text[at] != '\n' && source->text[at] != '#';
}

// A backslash that is no C++ would join the end of a line behind it.
static bool joins_lines(const struct tn_cxx_source *source, size_t at) {
    while (at > 0 && strchr(" \t\r", source->text[at - 1]) != NULL) at--;
    return at > 0 && source->text[at - 1] == '\\';
}

static void write_edit(FILE *out, const struct tn_cxx_source *source,
                       const struct tn_cxx_edit *edit) {
    size_t end = edit->at + edit->removed;
    struct tn_cxx_place place = tn_cxx_locate(source, end);
    bool may_move = place.file != NULL && has_more(source, end) && !joins_lines(source, edit->at);
    if (edit->kind == TN_CXX_BEFORE && may_move && place.line > 1) {
        // The last byte of the text touches what follows, so that no blank gets into the name of a kernel.
        size_t bytes = strlen(edit->text), touching = place.column > 1;
        mark_line(out, &place, place.line - 1);
        fprintf(out, "%.*s\n", (int)(bytes - touching), edit->text);
        pad(out, source, &place, end - touching);
        fputs(edit->text + bytes - touching, out);
        return;
    }
    fputs(edit->text, out);
    if (edit->kind == TN_CXX_BLANK) fprintf(out, "%*s", (int)edit->removed, "");
    if (edit->kind != TN_CXX_AFTER || !may_move) return;
    mark_line(out, &place, place.line);
    pad(out, source, &place, end);
}

char *tn_cxx_edit_apply(const struct tn_cxx_source *source, struct tn_cxx_edits *edits,
                        size_t *bytes) {
    char *text = NULL;
    FILE *out = edits->is_short ? NULL : open_memstream(&text, bytes);
    size_t at = 0;
    if (out == NULL) return NULL;
    if (edits->count > 0) qsort(edits->all, edits->count, sizeof *edits->all, compare);
    for (size_t i = 0; i < edits->count; i++) {
        const struct tn_cxx_edit *edit = &edits->all[i];
        if (edit->at < at) continue; // no C++: one declaration in another
        (void)fwrite(source->text + at, 1, edit->at - at, out);
        write_edit(out, source, edit);
        at = edit->at + edit->removed;
    }
    (void)fwrite(source->text + at, 1, source->bytes - at, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}
