// SPDX-License-Identifier: Apache-2.0
// The channels of an element by its C++ type.
#include <hip/channel_descriptor.h>

#include "support/hip.h"

namespace {

template <typename T> void has(int x, int y, int z, int w, hipChannelFormatKind kind) {
    hipChannelFormatDesc desc = hipCreateChannelDesc<T>();
    assert_int_equal(desc.x, x);
    assert_int_equal(desc.y, y);
    assert_int_equal(desc.z, z);
    assert_int_equal(desc.w, w);
    assert_int_equal(desc.f, kind);
}

void types_have_their_channels(void **state) {
    (void)state;
    has<char>(8, 0, 0, 0, hipChannelFormatKindSigned);
    has<unsigned char>(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    has<short2>(16, 16, 0, 0, hipChannelFormatKindSigned);
    has<uint4>(32, 32, 32, 32, hipChannelFormatKindUnsigned);
    has<float>(32, 0, 0, 0, hipChannelFormatKindFloat);
    has<float1>(32, 0, 0, 0, hipChannelFormatKindFloat);
    has<float4>(32, 32, 32, 32, hipChannelFormatKindFloat);
    has<void *>(0, 0, 0, 0, hipChannelFormatKindNone);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_their_channels),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
