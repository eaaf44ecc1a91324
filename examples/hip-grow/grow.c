// SPDX-License-Identifier: Apache-2.0
// A vector on the device that grows in place. Its address stays and its data is never copied:
// addresses are reserved for its largest size, and memory is mapped when it is needed. The program
// uses HIP only, so it also runs on AMD's runtime.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

struct vector {
    float *data; // on the device
    size_t count;
    size_t mapped, reserved, granule; // bytes
    hipMemAllocationProp prop;
};

static void check(hipError_t error, const char *what) {
    if (error != hipSuccess) {
        (void)fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
        exit(1);
    }
}

static void vector_open(struct vector *v, int device, size_t most) {
    void *base = NULL;
    memset(v, 0, sizeof *v);
    v->prop.type = hipMemAllocationTypePinned;
    v->prop.location.type = hipMemLocationTypeDevice;
    v->prop.location.id = device;
    check(hipMemGetAllocationGranularity(&v->granule, &v->prop,
                                         hipMemAllocationGranularityRecommended),
          "granularity");
    v->reserved = (most * sizeof(float) + v->granule - 1) / v->granule * v->granule;
    check(hipMemAddressReserve(&base, v->reserved, v->granule, NULL, 0), "reserve");
    v->data = (float *)base;
}

static void map_more(struct vector *v, size_t bytes) {
    hipMemGenericAllocationHandle_t memory;
    hipMemAccessDesc access = {v->prop.location, hipMemAccessFlagsProtReadWrite};
    char *end = (char *)v->data + v->mapped;
    check(hipMemCreate(&memory, bytes, &v->prop, 0), "create");
    hipError_t mapped = hipMemMap(end, bytes, 0, memory, 0);
    check(hipMemRelease(memory), "release"); // a mapping keeps it
    check(mapped, "map");
    v->mapped += bytes;
    check(hipMemSetAccess(end, bytes, &access, 1), "access");
}

static void vector_append(struct vector *v, const float *values, size_t count) {
    size_t need = (v->count + count) * sizeof(float);
    if (need > v->mapped)
        map_more(v, (need - v->mapped + v->granule - 1) / v->granule * v->granule);
    check(hipMemcpy(v->data + v->count, values, count * sizeof(float), hipMemcpyHostToDevice),
          "copy");
    v->count += count;
}

static struct vector v;

// At every end of the program, also after a failure.
static void close_vector(void) {
    if (v.mapped > 0) (void)hipMemUnmap(v.data, v.mapped); // all its pieces in one call
    (void)hipMemAddressFree(v.data, v.reserved);
}

int main(void) {
    enum { BATCH = 100000, BATCHES = 50 };
    static float batch[BATCH];
    float first = -1;
    float last = -1;
    vector_open(&v, 0, (size_t)1 << 30); // 4 GiB of addresses cost nothing
    (void)atexit(close_vector);
    const float *where = v.data;
    for (int i = 0; i < BATCHES; i++) {
        for (int k = 0; k < BATCH; k++) batch[k] = (float)i;
        vector_append(&v, batch, BATCH);
    }
    check(hipMemcpy(&first, v.data, sizeof first, hipMemcpyDeviceToHost), "copy");
    check(hipMemcpy(&last, v.data + v.count - 1, sizeof last, hipMemcpyDeviceToHost), "copy");
    printf("%zu numbers in %zu MiB at %p, first %g, last %g\n", v.count, v.mapped >> 20,
           (void *)v.data, (double)first, (double)last);
    bool good = v.data == where && first == 0 && last == BATCHES - 1;
    return good ? 0 : 1;
}
