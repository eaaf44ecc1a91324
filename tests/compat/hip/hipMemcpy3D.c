// SPDX-License-Identifier: Apache-2.0
// Copies of boxes of three dimensions, by HIP's three descriptions.
#include "support/chunks.h"

// The host's box is tight, the device's has a pitch and one row more in each slice.
#define WIDTH  ((size_t)20)
#define HEIGHT ((size_t)4)
#define DEPTH  ((size_t)3)
#define PITCH  ((size_t)32)
#define ROWS   (HEIGHT + 1)

static unsigned char host[WIDTH * HEIGHT * DEPTH];
static unsigned char back[WIDTH * HEIGHT * DEPTH];
static unsigned char seen[PITCH * ROWS * DEPTH];
static unsigned char *device;

static int setup(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(1 + i);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMalloc((void **)&device, sizeof seen));
    assert_hip_ok(hipMemset(device, 0, sizeof seen));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipFree(device));
    return 0;
}

static unsigned char on_device(size_t x, size_t y, size_t z) {
    assert_hip_ok(hipMemcpy(seen, device, sizeof seen, hipMemcpyDeviceToHost));
    return seen[(z * ROWS + y) * PITCH + x];
}

static unsigned char on_host(size_t x, size_t y, size_t z) {
    return host[(z * HEIGHT + y) * WIDTH + x];
}

static hipMemcpy3DParms upload(void) {
    hipMemcpy3DParms parms = {.srcPtr = make_hipPitchedPtr(host, WIDTH, WIDTH, HEIGHT),
                              .dstPtr = make_hipPitchedPtr(device, PITCH, WIDTH, ROWS),
                              .extent = make_hipExtent(WIDTH, HEIGHT, DEPTH),
                              .kind = hipMemcpyHostToDevice};
    return parms;
}

static void slices_go_where_rows_and_pitch_say(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    assert_hip_ok(hipMemcpy3D(&parms));
    assert_int_equal(on_device(0, 0, 0), on_host(0, 0, 0));
    assert_int_equal(on_device(19, 3, 2), on_host(19, 3, 2));
    assert_int_equal(on_device(20, 3, 2), 0);
    assert_int_equal(on_device(0, 4, 1), 0);
    hipMemcpy3DParms down = {.srcPtr = parms.dstPtr,
                             .dstPtr = make_hipPitchedPtr(back, WIDTH, WIDTH, HEIGHT),
                             .extent = parms.extent,
                             .kind = hipMemcpyDeviceToHost};
    assert_hip_ok(hipMemcpy3DAsync(&down, NULL));
    assert_memory_equal(back, host, sizeof host);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMemcpy3D_spt(&down));
    assert_memory_equal(back, host, sizeof host);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMemcpy3DAsync_spt(&down, NULL));
    assert_memory_equal(back, host, sizeof host);
}

static void positions_are_offsets_into_both(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    parms.srcPos = make_hipPos(3, 1, 1);
    parms.dstPos = make_hipPos(10, 2, 0);
    parms.extent = make_hipExtent(5, 2, 2);
    assert_hip_ok(hipMemcpy3D(&parms));
    assert_int_equal(on_device(10, 2, 0), on_host(3, 1, 1));
    assert_int_equal(on_device(14, 3, 1), on_host(7, 2, 2));
    assert_int_equal(on_device(9, 2, 0), 0);
    assert_int_equal(on_device(10, 2, 2), 0);
}

static void one_slice_needs_no_rows(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    parms.srcPtr.ysize = 0;
    parms.extent.depth = 1;
    assert_hip_ok(hipMemcpy3D(&parms));
    assert_int_equal(on_device(19, 3, 0), on_host(19, 3, 0));
    parms.srcPos.z = 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
}

static void sides_are_one_each(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    parms.srcPtr.ptr = NULL;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "source"));
    parms = upload();
    parms.dstPtr.ptr = NULL;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.dstArray = (hipArray_t)4711;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.srcArray = (hipArray_t)4711;
    assert_hip(hipMemcpy3DAsync(&parms, NULL), hipErrorInvalidValue);
}

static void boxes_that_stick_out_are_refused(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    parms.dstPtr.pitch = WIDTH - 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidPitchValue);
    parms = upload();
    parms.srcPtr.pitch = WIDTH - 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidPitchValue);
    parms = upload();
    parms.srcPos.x = 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.srcPos.y = 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.dstPos.y = 2;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.dstPos.z = 1 << 20;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.dstPos.z = SIZE_MAX;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms = upload();
    parms.extent.depth = (size_t)1 << 62;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    assert_int_equal(on_device(0, 0, 0), 0);
}

static void bad_arguments_are_refused(void **state) {
    hipMemcpy3DParms parms = upload();
    (void)state;
    assert_hip(hipMemcpy3D(NULL), hipErrorInvalidValue);
    assert_hip(hipMemcpy3DAsync(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipMemcpy3DAsync(&parms, (hipStream_t)4711), hipErrorContextIsDestroyed);
    parms.kind = (hipMemcpyKind)6;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidMemcpyDirection);
    parms.kind = hipMemcpyDefault;
    parms.extent.depth = 0;
    assert_hip_ok(hipMemcpy3D(&parms));
    assert_int_equal(on_device(0, 0, 0), 0);
}

// One byte of the last slice's last row in a hole, and a box without rights.
static void memory_is_checked(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), {0, 0, hipMemAccessFlagsProtRead}, CHUNK_HOLE};
    hipMemcpy3DParms parms = upload();
    (void)state;
    struct chunks range = chunks_make(3, each);
    size_t last = (DEPTH - 1) * HEIGHT * WIDTH + (HEIGHT - 1) * WIDTH + WIDTH;
    parms.dstPtr = make_hipPitchedPtr(range.base + CHUNK_BYTES - last, WIDTH, WIDTH, HEIGHT);
    assert_hip_ok(hipMemcpy3D(&parms));
    parms.dstPtr.ptr = range.base + CHUNK_BYTES - last + 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    parms.dstPtr.ptr = device;
    parms.srcPtr.ptr = range.base + 2 * CHUNK_BYTES - last;
    assert_hip_ok(hipMemcpy3D(&parms));
    parms.srcPtr.ptr = range.base + 2 * CHUNK_BYTES - last + 1;
    assert_hip(hipMemcpy3D(&parms), hipErrorInvalidValue);
    chunks_end(&range);
}

// ---- the other descriptions

static HIP_MEMCPY3D drv_upload(void) {
    HIP_MEMCPY3D copy = {.srcMemoryType = hipMemoryTypeHost,
                         .srcHost = host,
                         .srcPitch = WIDTH,
                         .srcHeight = HEIGHT,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstDevice = device,
                         .dstPitch = PITCH,
                         .dstHeight = ROWS,
                         .WidthInBytes = WIDTH,
                         .Height = HEIGHT,
                         .Depth = DEPTH};
    return copy;
}

static void the_drivers_description_says_the_same(void **state) {
    HIP_MEMCPY3D copy = drv_upload();
    hipStream_t stream = NULL;
    (void)state;
    copy.srcPitch = 0; // as large as needed
    copy.srcHeight = 0;
    assert_hip_ok(hipDrvMemcpy3D(&copy));
    assert_int_equal(on_device(19, 3, 2), on_host(19, 3, 2));
    copy = drv_upload();
    copy.srcXInBytes = 1;
    copy.srcY = 1;
    copy.srcZ = 1;
    copy.dstXInBytes = 2;
    copy.dstY = 2;
    copy.dstZ = 2;
    copy.WidthInBytes = copy.Height = copy.Depth = 1;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipDrvMemcpy3DAsync(&copy, stream));
    assert_int_equal(on_device(2, 2, 2), on_host(1, 1, 1));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void bad_descriptions_of_the_driver_are_refused(void **state) {
    HIP_MEMCPY3D copy = drv_upload();
    (void)state;
    assert_hip(hipDrvMemcpy3D(NULL), hipErrorInvalidValue);
    assert_hip(hipDrvMemcpy3DAsync(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvMemcpy3DAsync(&copy, (hipStream_t)4711), hipErrorContextIsDestroyed);
    copy.srcLOD = 1;
    assert_hip(hipDrvMemcpy3D(&copy), hipErrorInvalidValue);
    copy = drv_upload();
    copy.dstHeight = HEIGHT - 1;
    assert_hip(hipDrvMemcpy3D(&copy), hipErrorInvalidValue);
    copy = drv_upload();
    copy.dstPitch = WIDTH - 1;
    assert_hip(hipDrvMemcpy3D(&copy), hipErrorInvalidPitchValue);
    copy = drv_upload();
    copy.srcMemoryType = (hipMemoryType)99;
    assert_hip(hipDrvMemcpy3D(&copy), hipErrorInvalidValue);
    assert_int_equal(on_device(0, 0, 0), 0);
}

// A device that the call names holds the rights.
static void peers_are_named(void **state) {
    static const struct chunk each[] = {{0, 1, hipMemAccessFlagsProtReadWrite}};
    hipMemcpy3DParms parms = upload();
    (void)state;
    struct chunks range = chunks_make(1, each);
    hipMemcpy3DPeerParms peer = {.srcPtr = parms.srcPtr,
                                 .dstPtr = make_hipPitchedPtr(range.base, WIDTH, WIDTH, HEIGHT),
                                 .dstDevice = 1,
                                 .extent = parms.extent};
    assert_hip_ok(hipMemcpy3DPeer(&peer));
    peer.dstDevice = 0;
    assert_hip(hipMemcpy3DPeer(&peer), hipErrorInvalidValue);
    peer.dstDevice = 2;
    assert_hip(hipMemcpy3DPeer(&peer), hipErrorInvalidDevice);
    peer.dstDevice = 1;
    peer.srcDevice = -1;
    peer.srcPtr.ptr = NULL;
    assert_hip(hipMemcpy3DPeerAsync(&peer, NULL), hipErrorInvalidDevice); // before the copy
    assert_hip(hipMemcpy3DPeer(NULL), hipErrorInvalidValue);
    chunks_end(&range);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(slices_go_where_rows_and_pitch_say),
        CLAIM(positions_are_offsets_into_both),
        CLAIM(one_slice_needs_no_rows),
        CLAIM(sides_are_one_each),
        CLAIM(boxes_that_stick_out_are_refused),
        CLAIM(bad_arguments_are_refused),
        CLAIM(memory_is_checked),
        CLAIM(the_drivers_description_says_the_same),
        CLAIM(bad_descriptions_of_the_driver_are_refused),
        CLAIM(peers_are_named),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
