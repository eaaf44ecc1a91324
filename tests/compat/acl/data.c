// SPDX-License-Identifier: Apache-2.0
// Data of operators: sizes of elements, half floats and data buffers.
#include <acl/acl.h>

#include <math.h>

#include "support/acl.h"

static void elements_have_the_size_of_their_type(void **state) {
    (void)state;
    assert_int_equal(aclDataTypeSize(ACL_FLOAT16), 2);
    assert_int_equal(aclDataTypeSize(ACL_COMPLEX128), 16);
    assert_int_equal(aclDataTypeSize(ACL_FLOAT8_E8M0), 1);
    assert_int_equal(aclDataTypeSize(ACL_STRING), 0);
    assert_int_equal(aclDataTypeSize(ACL_INT4), 0);
    assert_int_equal(aclDataTypeSize(ACL_DT_UNDEFINED), 0);
    assert_int_equal(aclDataTypeSize((aclDataType)1000), 0);
}

static void every_finite_half_survives_a_round_trip(void **state) {
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        if ((half & 0x7c00) == 0x7c00) continue;
        assert_int_equal(aclFloatToFloat16(aclFloat16ToFloat((aclFloat16)half)), half);
    }
    assert_true(aclFloat16ToFloat(0x3c00) == 1.0F);
    assert_true(aclFloat16ToFloat(0x0001) == 0x1p-24F);
    assert_true(aclFloat16ToFloat(0xc000) == -2.0F);
}

static void halves_round_to_even_and_saturate(void **state) {
    (void)state;
    assert_int_equal(aclFloatToFloat16(0x1.002p0F), 0x3c00); // between two: the even one
    assert_int_equal(aclFloatToFloat16(0x1.006p0F), 0x3c02);
    assert_int_equal(aclFloatToFloat16(0x1p-25F), 0x0000); // half of the smallest one
    assert_int_equal(aclFloatToFloat16(0x1.8p-25F), 0x0001);
    assert_int_equal(aclFloatToFloat16(0x1.ffcp-15F), 0x0400); // rounds up to a normal half
    assert_int_equal(aclFloatToFloat16(65519.0F), 0x7bff);
    assert_int_equal(aclFloatToFloat16(65520.0F), 0x7bff);
    assert_int_equal(aclFloatToFloat16(-INFINITY), 0xfbff);
    assert_int_equal(aclFloatToFloat16(NAN), 0x7bff);
    assert_true(aclFloat16ToFloat(0x7c00) == 65536.0F);
    assert_true(aclFloat16ToFloat(0x7e00) == 98304.0F);
}

static void a_data_buffer_has_the_address_that_it_was_given(void **state) {
    char bytes[8];
    (void)state;
    aclDataBuffer *buffer = aclCreateDataBuffer(bytes, 5);
    assert_non_null(buffer);
    assert_ptr_equal(aclGetDataBufferAddr(buffer), bytes);
    assert_int_equal(aclGetDataBufferSizeV2(buffer), 5);
    assert_acl_ok(aclUpdateDataBuffer(buffer, bytes + 1, ((size_t)1 << 32) + 7));
    assert_ptr_equal(aclGetDataBufferAddr(buffer), bytes + 1);
    assert_int_equal(aclGetDataBufferSizeV2(buffer), ((size_t)1 << 32) + 7);
    assert_int_equal(aclGetDataBufferSize(buffer), 7); // the older function has 32 bits
    assert_acl_ok(aclDestroyDataBuffer(buffer));
    for (int i = 0; i < 2; i++) {
        assert_acl(aclDestroyDataBuffer(buffer), ACL_ERROR_INVALID_PARAM);
        assert_acl(aclUpdateDataBuffer(buffer, bytes, 1), ACL_ERROR_INVALID_PARAM);
        assert_null(aclGetDataBufferAddr(buffer));
        assert_int_equal(aclGetDataBufferSizeV2(buffer), 0);
        buffer = NULL;
    }
    ACL_APP_LOG(ACL_DEBUG, "%s", "not written while the log is off");
    aclAppLog((aclLogLevel)9, NULL, NULL, 0, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_have_the_size_of_their_type),
        cmocka_unit_test(every_finite_half_survives_a_round_trip),
        cmocka_unit_test(halves_round_to_even_and_saturate),
        cmocka_unit_test(a_data_buffer_has_the_address_that_it_was_given),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
