// SPDX-License-Identifier: Apache-2.0
// Random boxes between linear memory and arrays, beside loops over bytes.
#include "support/hip.h"

// Every place is a block of bytes in the model: DEPTH slices of ROWS rows of PITCH bytes.
#define PITCH ((size_t)48)
#define ROWS  ((size_t)9)
#define DEPTH ((size_t)4)
#define BYTES (PITCH * ROWS * DEPTH)
#define TRIES 1000

enum { HOST, PINNED, DEVICE, ARRAY, PLACES };

struct place {
    unsigned char *linear; // NULL: an array
    hipArray_t array;
    unsigned char model[BYTES];
};

static unsigned char host[BYTES];
static uint64_t seed = 1;

static size_t below(size_t limit) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % limit;
}

static hipMemcpy3DParms side(const struct place *from, const struct place *to) {
    hipMemcpy3DParms parms = {.kind = hipMemcpyDefault};
    if (from->linear != NULL)
        parms.srcPtr = make_hipPitchedPtr(from->linear, PITCH, PITCH, ROWS);
    else
        parms.srcArray = from->array;
    if (to->linear != NULL)
        parms.dstPtr = make_hipPitchedPtr(to->linear, PITCH, PITCH, ROWS);
    else
        parms.dstArray = to->array;
    return parms;
}

static void make(struct place *places) {
    hipChannelFormatDesc pairs = {8, 8, 0, 0, hipChannelFormatKindUnsigned};
    hipExtent extent = make_hipExtent(PITCH / 2, ROWS, DEPTH);
    places[HOST].linear = host;
    assert_hip_ok(hipHostMalloc((void **)&places[PINNED].linear, BYTES, 0));
    assert_hip_ok(hipMalloc((void **)&places[DEVICE].linear, BYTES));
    assert_hip_ok(hipMalloc3DArray(&places[ARRAY].array, &pairs, extent, 0));
    for (int i = 0; i < PLACES; i++) {
        struct place random = {.linear = places[i].model};
        for (size_t b = 0; b < BYTES; b++) places[i].model[b] = (unsigned char)below(256);
        hipMemcpy3DParms fill = side(&random, &places[i]);
        fill.extent = extent;
        fill.extent.width *= places[i].linear != NULL ? 2 : 1;
        assert_hip_ok(hipMemcpy3D(&fill));
    }
}

static void assert_as_in_the_model(const struct place *place) {
    static unsigned char seen[BYTES];
    struct place back = {.linear = seen};
    hipMemcpy3DParms down = side(place, &back);
    down.extent = make_hipExtent(place->linear != NULL ? PITCH : PITCH / 2, ROWS, DEPTH);
    assert_hip_ok(hipMemcpy3D(&down));
    assert_memory_equal(seen, place->model, BYTES);
}

static void move_in_the_model(const struct place *from, struct place *to, const size_t *src,
                              const size_t *dst, const size_t *extent) {
    for (size_t z = 0; z < extent[2]; z++) {
        for (size_t y = 0; y < extent[1]; y++) {
            memcpy(to->model + ((dst[2] + z) * ROWS + dst[1] + y) * PITCH + dst[0],
                   from->model + ((src[2] + z) * ROWS + src[1] + y) * PITCH + src[0], extent[0]);
        }
    }
}

// Positions and extent of a box that fits both; x counts bytes, two to an element.
static void choose(size_t *src, size_t *dst, size_t *extent) {
    static const size_t limits[] = {PITCH / 2, ROWS, DEPTH};
    for (int i = 0; i < 3; i++) {
        extent[i] = 1 + below(limits[i]);
        src[i] = below(limits[i] - extent[i] + 1);
        dst[i] = below(limits[i] - extent[i] + 1);
    }
    extent[0] *= 2;
    src[0] *= 2;
    dst[0] *= 2;
}

static void copy_3d(const struct place *from, const struct place *to, const size_t *src,
                    const size_t *dst, const size_t *extent) {
    hipMemcpy3DParms parms = side(from, to);
    size_t unit = from->linear != NULL && to->linear != NULL ? 1 : 2;
    parms.srcPos = make_hipPos(from->linear != NULL ? src[0] : src[0] / 2, src[1], src[2]);
    parms.dstPos = make_hipPos(to->linear != NULL ? dst[0] : dst[0] / 2, dst[1], dst[2]);
    parms.extent = make_hipExtent(extent[0] / unit, extent[1], extent[2]);
    assert_hip_ok(hipMemcpy3D(&parms));
}

static void copy_drv(const struct place *from, const struct place *to, const size_t *src,
                     const size_t *dst, const size_t *extent) {
    HIP_MEMCPY3D copy = {
        .srcXInBytes = src[0],
        .srcY = src[1],
        .srcZ = src[2],
        .srcMemoryType = from->linear != NULL ? hipMemoryTypeUnified : hipMemoryTypeArray,
        .srcDevice = from->linear,
        .srcArray = from->array,
        .srcPitch = PITCH,
        .srcHeight = ROWS,
        .dstXInBytes = dst[0],
        .dstY = dst[1],
        .dstZ = dst[2],
        .dstMemoryType = to->linear != NULL ? hipMemoryTypeUnified : hipMemoryTypeArray,
        .dstDevice = to->linear,
        .dstArray = to->array,
        .dstPitch = PITCH,
        .dstHeight = ROWS,
        .WidthInBytes = extent[0],
        .Height = extent[1],
        .Depth = extent[2]};
    assert_hip_ok(hipDrvMemcpy3DAsync(&copy, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
}

static void boxes_go_where_loops_put_them(void **state) {
    static struct place places[PLACES];
    (void)state;
    make(places);
    for (int i = 0; i < TRIES; i++) {
        size_t src[3];
        size_t dst[3];
        size_t extent[3];
        size_t from = below(PLACES);
        size_t to = (from + 1 + below(PLACES - 1)) % PLACES; // elsewhere: overlap is refused
        choose(src, dst, extent);
        (i % 2 == 0 ? copy_3d : copy_drv)(&places[from], &places[to], src, dst, extent);
        move_in_the_model(&places[from], &places[to], src, dst, extent);
        assert_as_in_the_model(&places[to]);
    }
    for (int i = 0; i < PLACES; i++) assert_as_in_the_model(&places[i]);
    assert_hip_ok(hipHostFree(places[PINNED].linear));
    assert_hip_ok(hipFree(places[DEVICE].linear));
    assert_hip_ok(hipFreeArray(places[ARRAY].array));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_go_where_loops_put_them),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
