// SPDX-License-Identifier: Apache-2.0
// Arrays in C++: channels by the type of the element, and what may be left out.
#include "support/hip.h"

#include <hip/channel_descriptor.h>

static void assert_channels(hipChannelFormatDesc got, int count, int bits,
                            hipChannelFormatKind kind) {
    assert_int_equal(got.x, count > 0 ? bits : 0);
    assert_int_equal(got.y, count > 1 ? bits : 0);
    assert_int_equal(got.z, count > 2 ? bits : 0);
    assert_int_equal(got.w, count > 3 ? bits : 0);
    assert_int_equal(got.f, kind);
}

template <typename One, typename Two, typename Four>
static void assert_vectors(int bits, hipChannelFormatKind kind) {
    assert_channels(hipCreateChannelDesc<One>(), 1, bits, kind);
    assert_channels(hipCreateChannelDesc<Two>(), 2, bits, kind);
    assert_channels(hipCreateChannelDesc<Four>(), 4, bits, kind);
}

static void types_name_their_channels(void **state) {
    (void)state;
    assert_vectors<char, char2, char4>(8, hipChannelFormatKindSigned);
    assert_vectors<signed char, char2, char4>(8, hipChannelFormatKindSigned);
    assert_vectors<unsigned char, uchar2, uchar4>(8, hipChannelFormatKindUnsigned);
    assert_vectors<short, short2, short4>(16, hipChannelFormatKindSigned);
    assert_vectors<ushort1, ushort2, ushort4>(16, hipChannelFormatKindUnsigned);
    assert_vectors<int, int2, int4>(32, hipChannelFormatKindSigned);
    assert_vectors<unsigned int, uint2, uint4>(32, hipChannelFormatKindUnsigned);
    assert_vectors<float, float2, float4>(32, hipChannelFormatKindFloat);
    assert_channels(hipCreateChannelDesc<void *>(), 0, 0, hipChannelFormatKindNone);
}

static void extents_flags_and_streams_may_be_left_out(void **state) {
    hipChannelFormatDesc pairs = hipCreateChannelDesc<float2>();
    hipArray_t line = NULL;
    hipMipmappedArray_t mipmap = NULL;
    float2 from[4] = {};
    float2 to[4] = {};
    (void)state;
    from[3].y = 5;
    assert_hip_ok(hipMallocArray(&line, &pairs, 4));
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &pairs, make_hipExtent(4, 4, 0), 2));
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(line, 0, 0, from, sizeof from, sizeof from, 1, hipMemcpyDefault));
    assert_hip_ok(
        hipMemcpy2DFromArrayAsync(to, sizeof to, line, 0, 0, sizeof to, 1, hipMemcpyDefault));
    assert_true(to[3].y == 5);
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
    assert_hip_ok(hipFreeArray(line));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_name_their_channels),
        cmocka_unit_test(extents_flags_and_streams_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
