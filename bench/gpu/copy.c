// SPDX-License-Identifier: Apache-2.0
// Copies to, from and within the device, with pinned and pageable memory, in GB/s: by Tarn, and by
// the driver's own calls on the same GPU for comparison. Within the device, each byte is read and
// written and counts once.
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "measure.h"

enum way { TO_DEVICE, FROM_DEVICE, WITHIN, WAYS };
static const char *const way_names[WAYS] = {"to the device", "from the device", "within"};

struct place {
    const struct run *run;
    tarn_stream stream;
    tarn_addr device;
    tarn_addr other; // also device memory
    void *host;
    uint64_t bytes;
    enum way way;
};

static void copy_by_tarn(const struct place *p) {
    tarn_addr host = TARN_ADDR(p->host);
    tarn_addr dst = p->way == FROM_DEVICE ? host : p->device;
    tarn_addr src = p->way == TO_DEVICE ? host : p->way == WITHIN ? p->other : p->device;
    check(tarn_copy(NULL, dst, src, p->bytes, p->stream), "copy");
    check(tarn_stream_synchronize(p->stream, TARN_FOREVER), "copy");
}

static void copy_by_driver(const struct place *p) {
    const struct driver *d = &p->run->driver;
    int bad = p->way == TO_DEVICE     ? d->to_device(p->device, p->host, p->bytes, d->stream)
              : p->way == FROM_DEVICE ? d->to_host(p->host, p->device, p->bytes, d->stream)
                                      : d->within(p->device, p->other, p->bytes, d->stream);
    bad |= d->stream_synchronize(d->stream);
    if (bad != 0) {
        (void)fprintf(stderr, "the driver's copy failed: %d\n", bad);
        exit(1);
    }
}

static double copy_rate(const struct place *p, void (*copy)(const struct place *)) {
    double took[ROUNDS_MOST];
    int rounds = rounds_of(p->run, p->bytes >= 256u << 20 ? 9 : 21);
    copy(p);
    for (int i = 0; i < rounds; i++) {
        uint64_t start = now_ns();
        copy(p);
        took[i] = (double)(now_ns() - start);
    }
    return (double)p->bytes / median(took, rounds);
}

static void report_rates(struct place *p, const char *memory) {
    char column[64];
    const struct driver *d = &p->run->driver;
    const char *between = p->way == WITHIN ? "" : ", ";
    const char *kind = p->way == WITHIN ? "" : memory;
    (void)snprintf(column, sizeof column, "Tarn, %s%s%s", way_names[p->way], between, kind);
    result(p->run, "copy", size_name(p->bytes), column, copy_rate(p, copy_by_tarn), "GB/s");
    if (d->there && d->to_device != NULL && d->to_host != NULL && d->within != NULL) {
        (void)snprintf(column, sizeof column, "driver, %s%s%s", way_names[p->way], between, kind);
        result(p->run, "copy", size_name(p->bytes), column, copy_rate(p, copy_by_driver), "GB/s");
    }
}

static void measure_size(struct place *p, uint64_t bytes) {
    void *pageable = malloc(bytes);
    void *pinned = NULL;
    p->bytes = bytes;
    check(tarn_memory_alloc(p->run->device, bytes, &p->device), "memory");
    check(tarn_memory_alloc(p->run->device, bytes, &p->other), "memory");
    check(tarn_host_alloc(p->run->device, bytes, 0, &pinned), "pinned memory");
    check(pageable != NULL ? TARN_OK : TARN_NO_HOST_MEMORY, "pageable memory");
    memset(pageable, 1, bytes);
    memset(pinned, 2, bytes);
    for (p->way = TO_DEVICE; p->way < WAYS; p->way++) {
        p->host = pinned;
        report_rates(p, "pinned");
        p->host = pageable;
        if (p->way != WITHIN) report_rates(p, "pageable");
    }
    free(pageable);
    check(tarn_host_free(pinned), "pinned memory");
    check(tarn_memory_free(p->other, 0), "memory");
    check(tarn_memory_free(p->device, 0), "memory");
}

void measure_copies(const struct run *run) {
    struct place p = {.run = run};
    check(tarn_stream_create(run->device, &p.stream), "stream");
    for (uint64_t mib = 1; mib <= (run->quick ? 4u : 1024u); mib *= 4) measure_size(&p, mib << 20);
    check(tarn_stream_destroy(p.stream), "stream");
}
