// SPDX-License-Identifier: Apache-2.0
// The comparison of `tarn diff`: the holders of memory at both peaks and the peaks of the phases,
// matched by their texts. One thread.
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grow.h"
#include "tools/diff/diff.h"
#include "trace/study/name.h"

// ---- rows

static int by_text(const void *left, const void *right) {
    return strcmp(((const struct tn_diff_row *)left)->text,
                  ((const struct tn_diff_row *)right)->text);
}

// Adds a row of one side; merge_rows() unites equal texts.
static tarn_status add_row(struct tn_diff_rows *rows, int side, const char *text,
                           struct tn_diff_sum sum) {
    void *grown = tn_grow(rows->list, &rows->room, rows->count + 1, sizeof *rows->list);
    if (grown == NULL) return TARN_NO_HOST_MEMORY;
    rows->list = (struct tn_diff_row *)grown;
    size_t length = strlen(text);
    struct tn_diff_row row = {.text = (char *)malloc(length + 1)};
    if (row.text == NULL) return TARN_NO_HOST_MEMORY;
    (void)tn_name_text(text, row.text, length + 1);
    row.side[side] = sum;
    rows->list[rows->count++] = row;
    return TARN_OK;
}

static uint64_t change_of(const struct tn_diff_row *row) {
    uint64_t a = row->side[0].bytes, b = row->side[1].bytes;
    return a > b ? a - b : b - a;
}

static int by_change(const void *left, const void *right) {
    const struct tn_diff_row *a = (const struct tn_diff_row *)left;
    const struct tn_diff_row *b = (const struct tn_diff_row *)right;
    if (change_of(a) != change_of(b)) return change_of(a) > change_of(b) ? -1 : 1;
    return strcmp(a->text, b->text);
}

// Unites rows of one text: their highest bytes, or the sum. Sorts by the change.
static void merge_rows(struct tn_diff_rows *rows, bool highest) {
    size_t kept = 0;
    if (rows->count == 0) return; // qsort() takes no NULL
    qsort(rows->list, rows->count, sizeof *rows->list, by_text);
    for (size_t i = 0; i < rows->count; i++) {
        struct tn_diff_row *row = &rows->list[i];
        if (kept == 0 || strcmp(rows->list[kept - 1].text, row->text) != 0) {
            rows->list[kept++] = *row;
            continue;
        }
        for (int side = 0; side < 2; side++) {
            struct tn_diff_sum *sum = &rows->list[kept - 1].side[side];
            uint64_t bytes = row->side[side].bytes;
            sum->bytes = !highest ? sum->bytes + bytes : bytes > sum->bytes ? bytes : sum->bytes;
            sum->count += row->side[side].count;
        }
        free(row->text);
    }
    rows->count = kept;
    qsort(rows->list, rows->count, sizeof *rows->list, by_change);
}

static void release_rows(struct tn_diff_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) free(rows->list[i].text);
    free(rows->list);
    *rows = (struct tn_diff_rows){.list = NULL};
}

// ---- holders

// Gives both sides the longer form of a name if either needs it, so that equal holders have equal
// texts. Folders above the files may differ.
static void share_detail(const struct tn_diff_side *from, struct tn_diff_side *to) {
    const struct tn_trace *trace = &from->trace, *other = &to->trace;
    for (size_t i = 0; i < trace->text_count; i++)
        for (size_t k = 0; from->owners.detail[i] != 0 && k < other->text_count; k++)
            if (to->owners.detail[k] < from->owners.detail[i] &&
                strcmp(tn_name_base(trace->texts[i]), tn_name_base(other->texts[k])) == 0)
                to->owners.detail[k] = from->owners.detail[i];
}

// The text by which a holder is found on the other side. Lines move when a file is edited, so
// functions are the default.
static void name_holder(const struct tn_diff_side *side, enum tn_holder_kind kind,
                        const struct tn_holder *holder, char *text, size_t room) {
    const struct tn_trace *trace = &side->trace;
    char name[TN_NAME_CALL];
    switch (kind) {
    case TN_HOLD_BY_FUNCTION:
    case TN_HOLD_BY_LINE:
        (void)snprintf(text, room, "%s",
                       holder->key == 0 ? "(no stack)"
                                        : tn_name_call(trace, side->owners.detail, holder->key,
                                                       kind == TN_HOLD_BY_LINE, name));
        return;
    case TN_HOLD_BY_TAG:
    case TN_HOLD_BY_PHASE:
        (void)snprintf(text, room, "%s", holder->key == 0 ? "(none)" : trace->texts[holder->key]);
        return;
    default: (void)snprintf(text, room, "blocks of %" PRIu64 " bytes", holder->key); return;
    }
}

static tarn_status add_holders(struct tn_diff *diff, int index) {
    const struct tn_diff_side *side = &diff->side[index];
    struct tn_tables keys = {.trace = &side->trace,
                             .lives = side->lives,
                             .owners = &side->owners,
                             .phases = &side->phases};
    struct tn_holders holders;
    char text[512];
    TN_TRY(tn_holders_make(&keys, diff->options->kind, side->peak.blocks, side->peak.block_count,
                           &holders));
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < holders.count && status == TARN_OK; i++) {
        const struct tn_holder *holder = &holders.list[i];
        name_holder(side, diff->options->kind, holder, text, sizeof text);
        status = add_row(&diff->holders, index, text,
                         (struct tn_diff_sum){holder->bytes, holder->count});
    }
    tn_holders_release(&holders);
    return status;
}

// ---- phases

// Returns the highest live bytes within each phase, those inside it included. NULL: out of memory.
static uint64_t *measure_phases(const struct tn_diff_side *side) {
    const struct tn_phases *phases = &side->phases;
    uint64_t *peaks = (uint64_t *)calloc(phases->count + 1, sizeof *peaks);
    if (peaks == NULL) return NULL;
    for (size_t at = 0; at < side->levels.count; at++) {
        uint32_t inner = phases->at[at];
        if (inner != 0 && side->levels.live[at] > peaks[inner - 1])
            peaks[inner - 1] = side->levels.live[at];
    }
    for (size_t i = phases->count; i-- > 0;) {
        uint32_t parent = phases->spans[i].parent;
        if (parent != 0 && peaks[i] > peaks[parent - 1]) peaks[parent - 1] = peaks[i];
    }
    return peaks;
}

// Phases of one name are one row, with the highest of their peaks.
static tarn_status add_phases(struct tn_diff *diff, int index) {
    const struct tn_diff_side *side = &diff->side[index];
    const struct tn_phases *phases = &side->phases;
    tarn_status status = TARN_OK;
    uint64_t *peaks = measure_phases(side);
    if (peaks == NULL) return TARN_NO_HOST_MEMORY;
    for (size_t i = 0; i < phases->count && status == TARN_OK; i++)
        status = add_row(&diff->phases, index, side->trace.texts[phases->spans[i].name],
                         (struct tn_diff_sum){peaks[i], 1});
    free(peaks);
    return status;
}

// ---- all

tarn_status tn_diff_compare(struct tn_diff *diff) {
    share_detail(&diff->side[0], &diff->side[1]);
    share_detail(&diff->side[1], &diff->side[0]);
    for (int side = 0; side < 2; side++) {
        TN_TRY(add_holders(diff, side));
        TN_TRY(add_phases(diff, side));
    }
    merge_rows(&diff->holders, false);
    merge_rows(&diff->phases, true);
    return TARN_OK;
}

void tn_diff_release(struct tn_diff *diff) {
    release_rows(&diff->holders);
    release_rows(&diff->phases);
}
