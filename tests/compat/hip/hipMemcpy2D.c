// SPDX-License-Identifier: Apache-2.0
// Copies of rows with a pitch: hipMemcpy2D(), and the same from a description.
#include "support/chunks.h"

#define WIDTH  ((size_t)100)
#define HEIGHT ((size_t)7)
#define PITCH  ((size_t)128)

static unsigned char host[WIDTH * HEIGHT];
static unsigned char back[WIDTH * HEIGHT];
static unsigned char *device; // HEIGHT rows of PITCH bytes

static int setup(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(1 + i % 251);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMalloc((void **)&device, PITCH * HEIGHT));
    assert_hip_ok(hipMemset(device, 0, PITCH * HEIGHT));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipFree(device));
    return 0;
}

static unsigned char at(size_t row, size_t column) {
    unsigned char byte = 0;
    assert_hip_ok(hipMemcpy(&byte, device + row * PITCH + column, 1, hipMemcpyDeviceToHost));
    return byte;
}

static void rows_go_where_the_pitch_says(void **state) {
    (void)state;
    assert_hip_ok(hipMemcpy2D(device, PITCH, host, WIDTH, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    assert_int_equal(at(3, 5), host[3 * WIDTH + 5]);
    assert_int_equal(at(3, WIDTH), 0);
    assert_hip_ok(hipMemcpy2D(back, WIDTH, device, PITCH, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    assert_memory_equal(back, host, sizeof host);
}

static void streams_keep_the_order(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(
        hipMemcpy2DAsync(device, PITCH, host, WIDTH, WIDTH, HEIGHT, hipMemcpyDefault, stream));
    assert_hip_ok(
        hipMemcpy2DAsync_spt(back, WIDTH, device, PITCH, WIDTH, HEIGHT, hipMemcpyDefault, stream));
    assert_memory_equal(back, host, sizeof host); // ordinary memory: waited for
    memset(back, 0, sizeof back);
    assert_hip_ok(hipMemcpy2D_spt(back, WIDTH, device, PITCH, WIDTH, 1, hipMemcpyDefault));
    assert_memory_equal(back, host, WIDTH);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void pitches_below_the_width_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemcpy2D(device, WIDTH - 1, host, WIDTH, WIDTH, HEIGHT, hipMemcpyDefault),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2D(device, PITCH, host, WIDTH - 1, WIDTH, HEIGHT, hipMemcpyDefault),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2D(device, 0, host, WIDTH, WIDTH, 1, hipMemcpyDefault),
               hipErrorInvalidPitchValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "rows have 100 bytes"));
    assert_int_equal(at(0, 0), 0);
}

static void bad_arguments_are_refused(void **state) {
    hipStream_t bad = (hipStream_t)4711;
    (void)state;
    assert_hip(hipMemcpy2D(NULL, PITCH, host, WIDTH, WIDTH, 1, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2D(device, PITCH, NULL, WIDTH, WIDTH, 1, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2D(device, PITCH, host, WIDTH, WIDTH, 1, (hipMemcpyKind)9),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy2DAsync(device, PITCH, host, WIDTH, WIDTH, 1, (hipMemcpyKind)-1, NULL),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy2DAsync(device, PITCH, host, WIDTH, WIDTH, 1, hipMemcpyDefault, bad),
               hipErrorContextIsDestroyed);
    // The last row leaves the memory; SIZE_MAX wraps.
    assert_hip(hipMemcpy2D(device, (size_t)1 << 30, host, WIDTH, WIDTH, 2, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2D(device, SIZE_MAX, host, WIDTH, WIDTH, 3, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2D(device, PITCH, device + 8, PITCH, WIDTH, 2, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_int_equal(at(0, 0), 0);
}

static void nothing_to_copy_succeeds(void **state) {
    (void)state;
    assert_hip_ok(hipMemcpy2D(NULL, 0, NULL, 0, 0, HEIGHT, hipMemcpyDefault));
    assert_hip_ok(hipMemcpy2D(NULL, 0, NULL, 0, WIDTH, 0, hipMemcpyDefault));
    assert_hip(hipMemcpy2DAsync(NULL, 0, NULL, 0, 0, 0, hipMemcpyDefault, (hipStream_t)4711),
               hipErrorContextIsDestroyed);
}

// Only bytes of rows count, not those between them.
static void rows_may_lie_around_a_hole(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), CHUNK_HOLE, CHUNK_OF(1)};
    (void)state;
    struct chunks range = chunks_make(3, each);
    assert_hip_ok(
        hipMemcpy2D(range.base, 2 * CHUNK_BYTES, host, WIDTH, WIDTH, 2, hipMemcpyDefault));
    assert_hip_ok(
        hipMemcpy2D(back, WIDTH, range.base, 2 * CHUNK_BYTES, WIDTH, 2, hipMemcpyDefault));
    assert_memory_equal(back, host, 2 * WIDTH);
    assert_hip(hipMemcpy2D(range.base, CHUNK_BYTES, host, WIDTH, WIDTH, 2, hipMemcpyDefault),
               hipErrorInvalidValue);
    chunks_end(&range);
}

// ---- from a description

static hip_Memcpy2D upload(void) {
    hip_Memcpy2D copy = {.srcMemoryType = hipMemoryTypeHost,
                         .srcHost = host,
                         .srcPitch = WIDTH,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstDevice = device,
                         .dstPitch = PITCH,
                         .WidthInBytes = WIDTH,
                         .Height = HEIGHT};
    return copy;
}

static void a_description_says_the_same(void **state) {
    hip_Memcpy2D copy = upload();
    (void)state;
    copy.srcXInBytes = 10;
    copy.srcY = 2;
    copy.dstXInBytes = 20;
    copy.dstY = 1;
    copy.WidthInBytes = 30;
    copy.Height = 4;
    assert_hip_ok(hipMemcpyParam2D(&copy));
    assert_int_equal(at(1, 20), host[2 * WIDTH + 10]);
    assert_int_equal(at(4, 49), host[5 * WIDTH + 39]);
    assert_int_equal(at(4, 50), 0);
    assert_int_equal(at(0, 20), 0);
    assert_int_equal(at(5, 20), 0);
}

static void every_linear_memory_type_is_understood(void **state) {
    static const hipMemoryType types[] = {hipMemoryTypeDevice, hipMemoryTypeManaged,
                                          hipMemoryTypeUnified};
    hip_Memcpy2D copy = upload();
    (void)state;
    copy.srcMemoryType = hipMemoryTypeUnregistered;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assert_hip_ok(hipMemset(device, 0, PITCH * HEIGHT));
        copy.dstMemoryType = types[i];
        assert_hip_ok(hipDrvMemcpy2DUnaligned(&copy));
        assert_int_equal(at(6, 99), host[sizeof host - 1]);
    }
    copy.dstMemoryType = (hipMemoryType)5;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "memory type 5 is unknown"));
}

// HIP 5: host 0, device 1, array 2, unified 3, managed 4.
// The other members of a side may be set, and are not read.
static void the_memory_type_alone_selects_the_member(void **state) {
    hip_Memcpy2D copy = upload();
    (void)state;
    copy.srcDevice = copy.dstDevice;
    copy.srcHost = NULL;
    for (int type = hipMemoryTypeUnregistered; type <= hipMemoryTypeHost; type++) {
        copy.srcMemoryType = (hipMemoryType)type;
        assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
        assert_string_equal(hipExtGetLastErrorText(), "the source is NULL");
        assert_hip(hipMemcpyParam2DAsync(&copy, NULL), hipErrorInvalidValue);
    }
    copy = upload();
    copy.dstHost = copy.dstDevice;
    copy.dstArray = (hipArray_t)&copy;
    copy.dstDevice = NULL;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy.dstMemoryType = (hipMemoryType)4;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    assert_int_equal(at(0, 0), 0);
}

static void only_an_unaligned_copy_calls_no_array_a_bad_value(void **state) {
    hip_Memcpy2D copy = upload();
    (void)state;
    copy.srcMemoryType = hipMemoryTypeArray;
    assert_hip(hipDrvMemcpy2DUnaligned(&copy), hipErrorInvalidValue);
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidHandle);
    copy = upload();
    copy.dstMemoryType = hipMemoryTypeArray;
    assert_hip(hipDrvMemcpy2DUnaligned(&copy), hipErrorInvalidValue);
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidHandle);
    copy.dstArray = (hipArray_t)&copy;
    assert_hip(hipDrvMemcpy2DUnaligned(&copy), hipErrorInvalidHandle);
}

static void a_pitch_left_open_is_as_large_as_needed(void **state) {
    hip_Memcpy2D copy = upload();
    (void)state;
    copy.srcPitch = 0;
    assert_hip_ok(hipMemcpyParam2DAsync(&copy, NULL));
    assert_int_equal(at(6, 99), host[sizeof host - 1]);
}

static void bad_descriptions_are_refused(void **state) {
    hip_Memcpy2D copy = upload();
    (void)state;
    assert_hip(hipMemcpyParam2D(NULL), hipErrorInvalidValue);
    assert_hip(hipMemcpyParam2DAsync(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipDrvMemcpy2DUnaligned(NULL), hipErrorInvalidValue);
    assert_hip(hipMemcpyParam2DAsync(&copy, (hipStream_t)4711), hipErrorContextIsDestroyed);
    copy.dstDevice = NULL;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy = upload();
    copy.srcHost = NULL;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy = upload();
    copy.dstPitch = WIDTH - 1;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidPitchValue);
    copy = upload();
    copy.srcXInBytes = 1; // sticks out of its row
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy = upload();
    copy.dstXInBytes = SIZE_MAX - 4; // wraps
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy = upload();
    copy.dstY = SIZE_MAX - 4;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    copy.dstY = SIZE_MAX / 2;
    assert_hip(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
    assert_int_equal(at(0, 0), 0);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(rows_go_where_the_pitch_says),
        CLAIM(streams_keep_the_order),
        CLAIM(pitches_below_the_width_are_refused),
        CLAIM(bad_arguments_are_refused),
        CLAIM(nothing_to_copy_succeeds),
        CLAIM(rows_may_lie_around_a_hole),
        CLAIM(a_description_says_the_same),
        CLAIM(every_linear_memory_type_is_understood),
        CLAIM(the_memory_type_alone_selects_the_member),
        CLAIM(only_an_unaligned_copy_calls_no_array_a_bad_value),
        CLAIM(a_pitch_left_open_is_as_large_as_needed),
        CLAIM(bad_descriptions_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
