// SPDX-License-Identifier: Apache-2.0
// Copies to and from arrays, by every description that takes one.
#include "support/chunks.h"
#include "support/work.h"

// Elements are floats; WIDTH and the like count them.
#define WIDTH  ((size_t)24)
#define HEIGHT ((size_t)6)
#define DEPTH  ((size_t)3)
#define ROW    (WIDTH * sizeof(float))
#define SLICE  (ROW * HEIGHT)

static const hipChannelFormatDesc FLOATS = {32, 0, 0, 0, hipChannelFormatKindFloat};

static float host[DEPTH][HEIGHT][WIDTH];
static float back[DEPTH][HEIGHT][WIDTH];
static hipArray_t flat;  // HEIGHT rows
static hipArray_t solid; // DEPTH slices
static float *device;    // as large as solid

static int setup(void **state) {
    float *next = &host[0][0][0];
    (void)state;
    for (size_t i = 0; i < DEPTH * HEIGHT * WIDTH; i++) next[i] = (float)(i + 1);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMallocArray(&flat, &FLOATS, WIDTH, HEIGHT, 0));
    assert_hip_ok(hipMalloc3DArray(&solid, &FLOATS, make_hipExtent(WIDTH, HEIGHT, DEPTH), 0));
    assert_hip_ok(hipMalloc((void **)&device, sizeof host));
    assert_hip_ok(hipMemset(device, 0, sizeof host));
    assert_hip_ok(hipMemcpy2DToArray(flat, 0, 0, back, ROW, ROW, HEIGHT, hipMemcpyHostToDevice));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipFreeArray(flat));
    assert_hip_ok(hipFreeArray(solid));
    assert_hip_ok(hipFree(device));
    return 0;
}

static void read_flat(void) {
    memset(back, 0xff, sizeof back);
    assert_hip_ok(hipMemcpy2DFromArray(back, ROW, flat, 0, 0, ROW, HEIGHT, hipMemcpyDefault));
}

static void boxes_come_back(void **state) {
    (void)state;
    assert_hip_ok(hipMemcpy2DToArray(flat, 0, 0, host, ROW, ROW, HEIGHT, hipMemcpyHostToDevice));
    read_flat();
    assert_memory_equal(back, host, SLICE);
}

static void offsets_are_bytes_and_rows(void **state) {
    (void)state;
    assert_hip_ok(hipMemcpy2DToArray(flat, 8, 2, host, ROW, 12, 3, hipMemcpyHostToDevice));
    read_flat();
    assert_true(back[0][2][1] == 0);
    assert_true(back[0][2][2] == host[0][0][0]);
    assert_true(back[0][4][4] == host[0][2][2]);
    assert_true(back[0][4][5] == 0);
    assert_true(back[0][5][2] == 0);
    assert_hip_ok(hipMemcpy2DFromArray(device, 16, flat, 12, 3, 8, 2, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy(back, device, 24, hipMemcpyDefault));
    assert_true(back[0][0][1] == host[0][1][2]);
    assert_true(back[0][0][4] == host[0][2][1]);
}

static void streams_keep_the_order(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(flat, 0, 0, host, ROW, ROW, HEIGHT, hipMemcpyDefault, stream));
    assert_hip_ok(
        hipMemcpy2DFromArrayAsync(device, ROW, flat, 0, 0, ROW, HEIGHT, hipMemcpyDefault, stream));
    assert_hip_ok(hipMemcpyAsync(back, device, SLICE, hipMemcpyDefault, stream));
    assert_memory_equal(back, host, SLICE);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMemcpy2DToArray_spt(flat, 0, 0, host[1], ROW, ROW, 1, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy2DFromArray_spt(back, ROW, flat, 0, 0, ROW, 2, hipMemcpyDefault));
    assert_memory_equal(back[0][0], host[1][0], ROW);
    assert_memory_equal(back[0][1], host[0][1], ROW);
    assert_hip_ok(
        hipMemcpy2DToArrayAsync_spt(flat, 0, 0, host[2], ROW, ROW, 1, hipMemcpyDefault, NULL));
    assert_hip_ok(
        hipMemcpy2DFromArrayAsync_spt(back, ROW, flat, 0, 0, ROW, 1, hipMemcpyDefault, NULL));
    assert_memory_equal(back[0][0], host[2][0], ROW);
    assert_hip_ok(hipMemcpyFromArray_spt(back, flat, 0, 1, ROW, hipMemcpyDefault));
    assert_memory_equal(back[0][0], host[0][1], ROW);
    assert_hip_ok(hipStreamDestroy(stream));
}

// Deadlocks if it is not so.
static void device_memory_does_not_hold_the_caller(void **state) {
    hipStream_t stream = NULL;
    struct gate gate = {0};
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipMemcpy(device, host, SLICE, hipMemcpyDefault));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(flat, 0, 0, device, ROW, ROW, HEIGHT, hipMemcpyDefault, stream));
    read_flat();
    assert_true(back[0][0][0] == 0);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    read_flat();
    assert_memory_equal(back, host, SLICE);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void arrays_go_to_arrays(void **state) {
    hipArray_t other = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMallocArray(&other, &FLOATS, WIDTH, HEIGHT, 0));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemcpy2DToArray(other, 0, 0, host, ROW, ROW, HEIGHT, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy2DArrayToArray(flat, 4, 1, other, 8, 2, 12, 2, hipMemcpyDefault));
    read_flat();
    assert_true(back[0][1][1] == host[0][2][2]);
    assert_true(back[0][2][3] == host[0][3][4]);
    assert_true(back[0][2][4] == 0);
    assert_hip(hipMemcpy2DArrayToArray(flat, 0, 0, flat, 4, 0, 12, 2, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip_ok(hipFreeArray(other));
    assert_hip(hipMemcpy2DArrayToArray(flat, 0, 0, other, 0, 0, 12, 2, hipMemcpyDefault),
               hipErrorInvalidHandle);
}

static void bad_arguments_are_refused(void **state) {
    hipStream_t bad = (hipStream_t)4711;
    const hipMemcpyKind kind = hipMemcpyDefault;
    (void)state;
    assert_hip(hipMemcpy2DToArray(NULL, 0, 0, host, ROW, ROW, 1, kind), hipErrorInvalidHandle);
    assert_hip(hipMemcpy2DToArray((hipArray_t)8, 0, 0, host, ROW, ROW, 1, kind),
               hipErrorInvalidHandle);
    assert_hip(hipMemcpy2DFromArray(back, ROW, NULL, 0, 0, ROW, 1, kind), hipErrorInvalidHandle);
    assert_hip(hipMemcpy2DToArray(flat, 0, 0, NULL, ROW, ROW, 1, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DFromArray(NULL, ROW, flat, 0, 0, ROW, 1, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, 0, 0, host, ROW - 4, ROW, 1, kind),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2DFromArray(back, ROW - 4, flat, 0, 0, ROW, 1, kind),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2DToArray(flat, 0, 0, host, ROW, ROW, 1, (hipMemcpyKind)5),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy2DToArray(flat, 2, 0, host, ROW, 4, 1, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, 0, 0, host, ROW, 6, 1, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, 4, 0, host, ROW, ROW, 1, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, 0, 1, host, ROW, ROW, HEIGHT, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, SIZE_MAX - 3, 0, host, ROW, 8, 1, kind),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArrayAsync(flat, 0, 0, host, ROW, ROW, 1, kind, bad),
               hipErrorContextIsDestroyed);
    assert_hip(hipMemcpy2DFromArrayAsync(back, ROW, flat, 0, 0, ROW, 1, kind, bad),
               hipErrorContextIsDestroyed);
    assert_hip_ok(hipMemcpy2DToArray(flat, 0, 0, NULL, 0, 0, 1, kind));
    read_flat();
    assert_true(back[0][0][0] == 0);
}

// Mappings and rights are checked on the linear side.
static void linear_memory_is_checked(void **state) {
    static const struct chunk each[] = {{0, 0, hipMemAccessFlagsProtRead}, CHUNK_HOLE};
    const hipMemcpyKind kind = hipMemcpyDefault;
    (void)state;
    struct chunks range = chunks_make(2, each);
    assert_hip_ok(hipMemcpy2DToArray(flat, 0, 0, range.base, ROW, ROW, HEIGHT, kind));
    assert_hip(hipMemcpy2DFromArray(range.base, ROW, flat, 0, 0, ROW, 1, kind),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(flat, 0, 0, range.base + CHUNK_BYTES - ROW, ROW, ROW, 2, kind),
               hipErrorInvalidValue);
    chunks_end(&range);
}

// ---- runs of elements

static void runs_go_on_in_the_next_row(void **state) {
    size_t count = ROW * 2 + 40;
    (void)state;
    assert_hip_ok(hipMemcpyToArray(flat, 80, 1, host, count, hipMemcpyHostToDevice));
    read_flat();
    assert_true(back[0][1][19] == 0);
    assert_memory_equal(&back[0][1][20], host, count);
    assert_true((&back[0][1][20])[count / 4] == 0);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMemcpyFromArray(back, flat, 80, 1, count, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, count);
    assert_hip_ok(hipMemcpyToArray(flat, 0, 0, host, SLICE, hipMemcpyHostToDevice));
    read_flat();
    assert_memory_equal(back, host, SLICE);
}

static void runs_stay_in_their_array(void **state) {
    const hipMemcpyKind kind = hipMemcpyDefault;
    (void)state;
    assert_hip(hipMemcpyToArray(flat, 4, 0, host, SLICE, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, 0, HEIGHT, host, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, ROW, 0, host, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, 0, SIZE_MAX, host, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, 2, 0, host, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, 0, 0, host, 6, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyToArray(flat, 0, 0, NULL, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyFromArray(NULL, flat, 0, 0, 4, kind), hipErrorInvalidValue);
    assert_hip(hipMemcpyFromArray(back, NULL, 0, 0, 4, kind), hipErrorInvalidHandle);
    assert_hip(hipMemcpyFromArray(back, flat, 0, 0, 4, (hipMemcpyKind)5),
               hipErrorInvalidMemcpyDirection);
    assert_hip_ok(hipMemcpyFromArray(NULL, flat, 0, 0, 0, kind));
    read_flat();
    assert_true(back[0][0][0] == 0);
}

static void one_row_by_name(void **state) {
    hipArray_t line = NULL;
    (void)state;
    assert_hip_ok(hipMallocArray(&line, &FLOATS, WIDTH, 0, 0));
    assert_hip_ok(hipMemcpyHtoA(line, 0, host, ROW));
    assert_hip_ok(hipMemcpyAtoA(flat, 0, line, 8, 20));
    assert_hip_ok(hipMemcpyAtoD(device, flat, 4, 16));
    assert_hip_ok(hipMemcpyDtoA(line, ROW - 16, device, 16));
    assert_hip_ok(hipMemcpyAtoH(back, line, ROW - 20, 20));
    assert_true(back[0][0][0] == host[0][0][WIDTH - 5]);
    assert_memory_equal(&back[0][0][1], &host[0][0][3], 16);
    assert_hip_ok(hipMemcpyHtoAAsync(line, 0, host[1], 8, NULL));
    assert_hip_ok(hipMemcpyAtoHAsync(back, line, 4, 4, NULL));
    assert_true(back[0][0][0] == host[1][0][1]);
    assert_hip(hipMemcpyHtoA(line, 4, host, ROW), hipErrorInvalidValue);
    assert_hip(hipMemcpyAtoH(back, line, 0, ROW + 4), hipErrorInvalidValue);
    assert_hip(hipMemcpyAtoA(line, 0, NULL, 0, 4), hipErrorInvalidHandle);
    assert_hip(hipMemcpyAtoD(NULL, line, 0, 4), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoA(line, 0, NULL, 4), hipErrorInvalidValue);
    assert_hip(hipMemcpyHtoAAsync(line, 0, host, 4, (hipStream_t)8), hipErrorContextIsDestroyed);
    assert_hip(hipMemcpyAtoHAsync(back, NULL, 0, 4, NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipFreeArray(line));
}

// ---- descriptions

static void three_dimensions_count_elements(void **state) {
    hipMemcpy3DParms up = {.srcPtr = make_hipPitchedPtr(host, ROW, WIDTH, HEIGHT),
                           .dstArray = solid,
                           .extent = make_hipExtent(WIDTH, HEIGHT, DEPTH),
                           .kind = hipMemcpyHostToDevice};
    hipMemcpy3DParms down = {.srcArray = solid,
                             .srcPos = make_hipPos(3, 1, 1),
                             .dstPtr = make_hipPitchedPtr(back, ROW, WIDTH, HEIGHT),
                             .dstPos = make_hipPos(8, 0, 0), // bytes, in linear memory
                             .extent = make_hipExtent(5, 2, 2),
                             .kind = hipMemcpyDeviceToHost};
    (void)state;
    assert_hip_ok(hipMemcpy3D(&up));
    assert_hip_ok(hipMemcpy3DAsync(&down, NULL));
    assert_true(back[0][0][1] == 0);
    assert_true(back[0][0][2] == host[1][1][3]);
    assert_true(back[1][1][6] == host[2][2][7]);
    assert_true(back[1][1][7] == 0);
    hipMemcpy3DParms across = {.srcArray = solid,
                               .srcPos = make_hipPos(0, 0, 2),
                               .dstArray = flat,
                               .extent = make_hipExtent(WIDTH, HEIGHT, 1)};
    assert_hip_ok(hipMemcpy3D(&across));
    read_flat();
    assert_memory_equal(back, host[2], SLICE);
    across.srcPos.z = 3;
    assert_hip(hipMemcpy3D(&across), hipErrorInvalidValue);
    across.srcPos = make_hipPos(SIZE_MAX / 2, 0, 0);
    assert_hip(hipMemcpy3D(&across), hipErrorInvalidValue);
    across.srcArray = (hipArray_t)4711;
    assert_hip(hipMemcpy3D(&across), hipErrorInvalidHandle);
}

static void layers_are_slices(void **state) {
    hipArray_t layered = NULL;
    (void)state;
    assert_hip_ok(
        hipMalloc3DArray(&layered, &FLOATS, make_hipExtent(WIDTH, HEIGHT, DEPTH), hipArrayLayered));
    hipMemcpy3DPeerParms up = {.srcPtr = make_hipPitchedPtr(host, ROW, WIDTH, HEIGHT),
                               .dstArray = layered,
                               .extent = make_hipExtent(WIDTH, HEIGHT, DEPTH)};
    hipMemcpy3DParms down = {.srcArray = layered,
                             .srcPos = make_hipPos(0, 0, 1),
                             .dstPtr = make_hipPitchedPtr(back, ROW, WIDTH, HEIGHT),
                             .extent = make_hipExtent(WIDTH, HEIGHT, 1)};
    assert_hip_ok(hipMemcpy3DPeer(&up));
    assert_hip_ok(hipMemcpy3D(&down));
    assert_memory_equal(back, host[1], SLICE);
    assert_hip_ok(hipFreeArray(layered));
}

static void the_drivers_descriptions_count_bytes(void **state) {
    hip_Memcpy2D up = {.srcMemoryType = hipMemoryTypeHost,
                       .srcHost = host,
                       .srcPitch = ROW,
                       .dstMemoryType = hipMemoryTypeArray,
                       .dstArray = flat,
                       .dstXInBytes = 4,
                       .dstY = 1,
                       .WidthInBytes = 8,
                       .Height = 2};
    HIP_MEMCPY3D across = {.srcMemoryType = hipMemoryTypeArray,
                           .srcArray = flat,
                           .srcXInBytes = 4,
                           .srcY = 1,
                           .dstMemoryType = hipMemoryTypeArray,
                           .dstArray = solid,
                           .dstZ = 2,
                           .WidthInBytes = 8,
                           .Height = 2,
                           .Depth = 1};
    (void)state;
    assert_hip_ok(hipMemcpyParam2D(&up));
    assert_hip_ok(hipDrvMemcpy3D(&across));
    hipMemcpy3DParms down = {.srcArray = solid,
                             .srcPos = make_hipPos(0, 0, 2),
                             .dstPtr = make_hipPitchedPtr(back, ROW, WIDTH, HEIGHT),
                             .extent = make_hipExtent(2, 2, 1)};
    assert_hip_ok(hipMemcpy3D(&down));
    assert_true(back[0][0][1] == host[0][0][1]);
    assert_true(back[0][1][1] == host[0][1][1]);
    up.dstArray = NULL;
    assert_hip(hipMemcpyParam2D(&up), hipErrorInvalidHandle);
    up.dstArray = flat;
    up.dstXInBytes = 3;
    assert_hip(hipMemcpyParam2D(&up), hipErrorInvalidValue);
    across.srcArray = (hipArray_t)16;
    assert_hip(hipDrvMemcpy3DAsync(&across, NULL), hipErrorInvalidHandle);
}

static void levels_are_places_of_their_own(void **state) {
    hipMipmappedArray_t mipmap = NULL;
    hipArray_t levels[2] = {NULL, NULL};
    const hipMemcpyKind kind = hipMemcpyDefault;
    (void)state;
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &FLOATS, make_hipExtent(8, 8, 0), 2, 0));
    for (unsigned i = 0; i < 2; i++) {
        assert_hip_ok(hipGetMipmappedArrayLevel(&levels[i], mipmap, i));
        assert_hip_ok(hipMemcpy2DToArray(levels[i], 0, 0, host[i], ROW, 32 >> i, 8 >> i, kind));
    }
    assert_hip(hipMemcpy2DToArray(levels[1], 0, 0, host, ROW, 32, 4, kind), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpy2DFromArray(back, ROW, levels[0], 4, 0, 4, 8, kind));
    assert_true(back[0][7 - 2][0] == host[0][5][1]);
    assert_hip_ok(hipMemcpy2DFromArray(back, ROW, levels[1], 12, 3, 4, 1, kind));
    assert_true(back[0][0][0] == host[1][3][3]);
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    assert_hip(hipMemcpy2DFromArray(back, ROW, levels[1], 0, 0, 4, 1, kind), hipErrorInvalidHandle);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(boxes_come_back),
        CLAIM(offsets_are_bytes_and_rows),
        CLAIM(streams_keep_the_order),
        CLAIM(device_memory_does_not_hold_the_caller),
        CLAIM(arrays_go_to_arrays),
        CLAIM(bad_arguments_are_refused),
        CLAIM(linear_memory_is_checked),
        CLAIM(runs_go_on_in_the_next_row),
        CLAIM(runs_stay_in_their_array),
        CLAIM(one_row_by_name),
        CLAIM(three_dimensions_count_elements),
        CLAIM(layers_are_slices),
        CLAIM(the_drivers_descriptions_count_bytes),
        CLAIM(levels_are_places_of_their_own),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
