// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table in CSV: the readers refuse them or build a sound trace. The cells of a table
// are compared with those of a naive parser. The first byte selects a description of columns.
#include "trace/parse/csv.h"
#include "unit/trace/sound.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const descriptions[] = {
    NULL,
    "time=Time,action=Action,address=Pointer,size=Size,stream=Stream",
    "time=Start_Timestamp,action=Operation,address=Address,size=Allocation_Size,device=Agent_Id",
    "time=Timestamp(ns),action=Event,address=Ptr,size=ID,device=Device Id,stack=Call "
    "Stack(Python)",
};

// The cells of the next row, one behind the other with a NUL after each.
struct model {
    const uint8_t *at;
    const uint8_t *end;
    char bytes[1 << 16];
    size_t used;
    size_t cells;
    bool strange; // quotes where RFC 4180 has none
};

static void model_end_cell(struct model *model, size_t from) {
    while (model->used > from && strchr(" \t", model->bytes[model->used - 1]) != NULL)
        model->used--;
    model->bytes[model->used++] = '\0';
    model->cells++;
}

static void model_quoted(struct model *model) {
    for (model->at++; model->at < model->end; model->at++) {
        if (*model->at == '"' && (++model->at == model->end || *model->at != '"')) return;
        model->bytes[model->used++] = (char)*model->at;
    }
    model->strange = true;
}

// A blank at the ends of a cell is none of it, nor is a return before the end of a cell.
static void model_cell(struct model *model) {
    size_t from = model->used;
    while (model->at < model->end && (*model->at == ' ' || *model->at == '\t')) model->at++;
    if (model->at < model->end && *model->at == '"') {
        model_quoted(model);
        while (model->at < model->end && strchr(" \t\r", *model->at) != NULL && *model->at != 0)
            model->at++;
        while (model->used > from && strchr(" \t", model->bytes[from]) != NULL)
            memmove(model->bytes + from, model->bytes + from + 1, --model->used - from);
    } else {
        for (; model->at < model->end && *model->at != ',' && *model->at != '\n'; model->at++) {
            model->strange |= *model->at == '"';
            model->bytes[model->used++] = (char)*model->at;
        }
        while (model->used > from && model->bytes[model->used - 1] == '\r') model->used--;
    }
    model->strange |= model->at < model->end && *model->at != ',' && *model->at != '\n';
    model_end_cell(model, from);
}

static void model_row(struct model *model) {
    model->used = model->cells = 0;
    do {
        model_cell(model);
    } while (!model->strange && model->at < model->end && *model->at++ == ',');
}

// Compares while the bytes are a table without quotes in strange places.
static void compare(const uint8_t *data, size_t size) {
    static struct model model;
    struct tn_source *source = NULL;
    struct tn_builder builder;
    struct tn_trace trace = {.note_count = 0};
    struct tn_csv *csv = NULL;
    bool more = true;
    if (size < 4 || size > sizeof model.bytes / 2 || memchr(data, '\0', size) != NULL ||
        data[0] == 0xef || data[0] == 0x1f || data[0] == 0x28 || data[0] == 0xfd)
        return;
    model = (struct model){.at = data, .end = data + size};
    SOUND_DEMAND(tn_source_open_memory("fuzz", data, size, &source) == TARN_OK);
    SOUND_DEMAND(tn_builder_begin(&builder, "fuzz", TN_TRACE_CSV, NULL) == TARN_OK);
    if (tn_csv_open(source, &builder, &csv) == TARN_OK) {
        model_row(&model);
        size_t columns = model.cells;
        while (!model.strange && tn_csv_next(csv, &more) == TARN_OK && more) {
            do // rows without a byte, or with a return alone, are none
                model_row(&model);
            while (!model.strange && model.at < model.end && model.cells == 1 && model.used == 1 &&
                   (model.at[-2] == '\n' || (model.at[-2] == '\r' && model.at[-3] == '\n')));
            if (model.strange) break;
            SOUND_DEMAND(model.cells == columns);
            const char *cell = model.bytes;
            for (size_t i = 0; i < columns; i++, cell += strlen(cell) + 1)
                SOUND_DEMAND(tn_cell_is(tn_csv_cell(csv, i), cell));
        }
        tn_csv_close(csv);
    }
    (void)tn_builder_end(&builder, TARN_CORRUPT, &trace);
    tn_source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    if (size == 0) return 0;
    if (data[0] < sizeof descriptions / sizeof *descriptions) {
        limits.columns = descriptions[data[0]];
        data++;
        size--;
    }
    if (tn_trace_read_memory("fuzz", data, size, &limits, &trace) == TARN_OK) {
        sound_trace(&trace);
        tn_trace_release(&trace);
    } else {
        tarn_error error;
        (void)tarn_last_error(&error);
        SOUND_DEMAND(error.message[0] != '\0');
    }
    compare(data, size);
    return 0;
}
