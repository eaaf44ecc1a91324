// SPDX-License-Identifier: Apache-2.0
// The card's benchmark, the parts in C: what the device is, virtual memory management, pools, and
// copies. run.sh builds and calls it.
//
//     gpu_bench DEVICE RESULTS PLUGIN [quick]
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "measure.h"

void result(const struct run *run, const char *table, const char *row, const char *column,
            double value, const char *unit) {
    (void)fprintf(run->out,
                  "{\"table\": \"%s\", \"row\": \"%s\", \"column\": \"%s\", \"value\": %.6g, "
                  "\"unit\": \"%s\"}\n",
                  table, row, column, value, unit);
    (void)fflush(run->out);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof values[0], compare);
    return values[count / 2];
}

const char *size_name(uint64_t bytes) {
    static char text[32];
    const char *unit = bytes >= 1u << 20 ? "MiB" : bytes >= 1024 ? "KiB" : "B";
    unsigned shift = bytes >= 1u << 20 ? 20 : bytes >= 1024 ? 10 : 0;
    (void)snprintf(text, sizeof text, "%llu %s", (unsigned long long)(bytes >> shift), unit);
    return text;
}

// Names hold no quotes, but who knows.
static void fact(const struct run *run, const char *name, const char *text) {
    (void)fprintf(run->out, "{\"table\": \"facts\", \"row\": \"%s\", \"text\": \"", name);
    for (; *text != '\0'; text++) {
        if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ') {
            (void)fputc(*text, run->out);
        }
    }
    (void)fputs("\"}\n", run->out);
}

static void facts(const struct run *run) {
    char text[128];
    int version = 0;
    fact(run, "device", run->info.name);
    fact(run, "backend", run->info.backend);
    (void)snprintf(text, sizeof text, "%llu MiB",
                   (unsigned long long)(run->info.memory_bytes >> 20));
    fact(run, "memory", text);
    fact(run, "granularity", size_name(run->info.granularity_minimum));
    (void)snprintf(text, sizeof text, "0x%x", run->info.features);
    fact(run, "features", text);
    if (run->driver.there && run->driver.version != NULL && run->driver.version(&version) == 0) {
        (void)snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
        fact(run, "CUDA of the driver", text);
    }
}

int main(int argc, char **argv) {
    struct run run = {.info = TARN_INIT(tarn_device_info)};
    if (argc < 4) {
        (void)fprintf(stderr, "usage: %s DEVICE RESULTS PLUGIN [quick]\n", argv[0]);
        return 2;
    }
    run.plugin = argv[3];
    run.quick = argc > 4 && strcmp(argv[4], "quick") == 0;
    run.out = fopen(argv[2], "ae");
    if (run.out == NULL) {
        perror(argv[2]);
        return 1;
    }
    check(tarn_device_open(argv[1], &run.device), argv[1]);
    check(tarn_device_query(run.device, &run.info), "query");
    if (strcmp(run.info.backend, "cuda") == 0) {
        driver_open(&run.driver, run.info.ordinal);
    }
    facts(&run);
    measure_vmm(&run);
    measure_pools(&run);
    measure_copies(&run);
    check(tarn_device_close(run.device), "close");
    return fclose(run.out) == 0 ? 0 : 1;
}
