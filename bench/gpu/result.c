// SPDX-License-Identifier: Apache-2.0
// The output of results, and medians. See gpu.h.
#include <stdio.h>
#include <stdlib.h>

#include "gpu.h"

void result(const struct run *run, const char *table, const char *row, const char *column,
            double value, const char *unit) {
    (void)fprintf(run->out,
                  "{\"table\": \"%s\", \"row\": \"%s\", \"column\": \"%s\", \"value\": %.6g, "
                  "\"unit\": \"%s\"}\n",
                  table, row, column, value, unit);
    (void)fflush(run->out);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    return values[count / 2];
}

const char *size_name(uint64_t bytes) {
    static char text[32];
    const char *unit = bytes >= 1u << 20 ? "MiB" : bytes >= 1024 ? "KiB" : "B";
    unsigned shift = bytes >= 1u << 20 ? 20 : bytes >= 1024 ? 10 : 0;
    (void)snprintf(text, sizeof text, "%llu %s", (unsigned long long)(bytes >> shift), unit);
    return text;
}
