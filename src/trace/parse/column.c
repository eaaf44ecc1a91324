// SPDX-License-Identifier: Apache-2.0
// Reads the cells of declared columns; see column.h.
#include "trace/parse/column.h"

#include <inttypes.h>

#include "base/error.h"

bool tn_column_number(const struct tn_column *column, struct tn_cell cell, void *field) {
    (void)column;
    return tn_cell_unsigned(cell, (uint64_t *)field);
}

bool tn_column_scaled(const struct tn_column *column, struct tn_cell cell, void *field) {
    return tn_cell_scaled(cell, column->scale, (uint64_t *)field);
}

bool tn_column_time(const struct tn_column *column, struct tn_cell cell, void *field) {
    (void)column;
    return tn_cell_time_of_day(cell, (uint64_t *)field);
}

bool tn_choice_find(const struct tn_choice *choices, struct tn_cell cell, uint32_t *value) {
    while (choices->name != NULL && !tn_cell_is(cell, choices->name)) choices++;
    if (choices->name != NULL) *value = choices->value;
    return choices->name != NULL;
}

bool tn_column_choice(const struct tn_column *column, struct tn_cell cell, void *field) {
    return tn_choice_find(column->choices, cell, (uint32_t *)field);
}

tarn_status tn_column_fields(const struct tn_column *columns, size_t count,
                             const struct tn_cell *cells, const char *file, uint64_t where,
                             void *row) {
    for (size_t i = 0; i < count; i++) {
        const struct tn_column *column = &columns[i];
        if (column->parse == NULL ||
            ((column->flags & TN_OPTIONAL) != 0 && !tn_cell_has_value(cells[i])))
            continue;
        if (!column->parse(column, cells[i], (char *)row + column->field))
            return tn_column_fail(column, cells[i], file, where, column->expected);
    }
    return TARN_OK;
}

tarn_status tn_column_fail(const struct tn_column *column, struct tn_cell cell, const char *file,
                           uint64_t where, const char *expected) {
    char shown[TN_CELL_SHOWN];
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s: expected %s, found \"%s\"", file, where,
                   column->name, expected, tn_cell_quote(cell, shown));
}
