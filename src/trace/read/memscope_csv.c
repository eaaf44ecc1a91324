// SPDX-License-Identifier: Apache-2.0
// The reader of msMemScope's dumps in CSV: passes the rows to memscope.c. One thread at a time.
#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/memscope.h"
#include "trace/read/read.h"

bool tn_memscope_csv_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, tn_memscope_columns, TN_MEMSCOPE_NAME + 1);
}

static tarn_status read_row(struct tn_csv *csv, void *reader) {
    struct tn_memscope_row row = {.where = tn_csv_line(csv)};
    for (size_t i = 0; i < TN_MEMSCOPE_COLUMNS; i++) row.cells[i] = tn_csv_cell(csv, i);
    return tn_memscope_add((struct tn_memscope *)reader, &row);
}

tarn_status tn_memscope_csv_read(struct tn_source *source, struct tn_builder *builder) {
    struct tn_memscope *memscope = NULL;
    TN_TRY(tn_memscope_begin(builder, "line", &memscope));
    return tn_memscope_end(memscope, tn_csv_read(source, builder, tn_memscope_columns,
                                                 TN_MEMSCOPE_COLUMNS, NULL, read_row, memscope));
}
