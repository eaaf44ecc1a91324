// SPDX-License-Identifier: Apache-2.0
// The benchmark of a GPU, the parts in C: properties of the device, virtual memory, pools and
// copies. run.sh builds and calls it.
//
//     gpu_bench DEVICE RESULTS PLUGIN [quick]
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "measure.h"

// Omits the characters of a text that JSON would have to escape.
static void write_fact(const struct run *run, const char *name, const char *text) {
    (void)fprintf(run->out, "{\"table\": \"facts\", \"row\": \"%s\", \"text\": \"", name);
    for (; *text != '\0'; text++)
        if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ')
            (void)fputc(*text, run->out);
    (void)fputs("\"}\n", run->out);
}

static void write_facts(const struct run *run) {
    char text[128];
    int version = 0;
    write_fact(run, "device", run->info.name);
    write_fact(run, "backend", run->info.backend);
    (void)snprintf(text, sizeof text, "%llu MiB",
                   (unsigned long long)(run->info.memory_bytes >> 20));
    write_fact(run, "memory", text);
    write_fact(run, "granularity", size_name(run->info.granularity_minimum));
    (void)snprintf(text, sizeof text, "0x%x", run->info.features);
    write_fact(run, "features", text);
    if (run->driver.there && run->driver.version != NULL && run->driver.version(&version) == 0) {
        (void)snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
        write_fact(run, "CUDA of the driver", text);
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
    if (strcmp(run.info.backend, "cuda") == 0) driver_open(&run.driver, run.info.ordinal);
    write_facts(&run);
    measure_vmm(&run);
    measure_pools(&run);
    measure_copies(&run);
    check(tarn_device_close(run.device), "close");
    return fclose(run.out) == 0 ? 0 : 1;
}
