// SPDX-License-Identifier: Apache-2.0
// The parts of the benchmark of a GPU share this: the run, and the output of results, one JSON
// object on each line. report.py makes tables of them.
#pragma once

#include <stdio.h>

#include <tarn/tarn.h>

#include "driver.h"

struct run {
    tarn_device *device;
    tarn_device_info info;
    struct driver driver; // of the same GPU; absent on software devices
    const char *plugin;   // path of libtarn-torch.so
    bool quick;
    FILE *out;
};

enum { ROUNDS_MOST = 201 };

static inline int rounds_of(const struct run *run, int rounds) { return run->quick ? 3 : rounds; }

// Writes one cell of a table.
void result(const struct run *run, const char *table, const char *row, const char *column,
            double value, const char *unit);

double median(double *values, int count);

// "2 MiB"
const char *size_name(uint64_t bytes);

void measure_vmm(const struct run *run);
void measure_pools(const struct run *run);
void measure_copies(const struct run *run);
