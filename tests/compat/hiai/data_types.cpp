// SPDX-License-Identifier: Apache-2.0
// The bytes of message types.
#include "support/cplusplus.h"

#include <hiaiengine/data_type.h>

#ifdef HIAIX_HAS_CEREAL
template <typename T> static std::string archive(const char *type, T value) {
    struct HIAIX_Bytes out = {};
    hiai::hiaix::CommonConverter<T> converter;
    (void)type;
    assert_ok(hiai::hiaix::ConverterHooks::write(&value, &out, &converter));
    std::string bytes(static_cast<const char *>(out.ctrl), out.ctrlLen);
    hiai::hiaix::ConverterHooks::release(out.keep);
    return bytes;
}

struct Number {
    uint32_t number = 3;
    HIAI_SERIALIZE(number)
};

struct Mixed {
    hiai::IMAGEFORMAT format = hiai::RGB888;
    bool flag = true;
    HIAI_SERIALIZE(format, flag)
};

static void archives_have_the_bytes_of_the_interface(void **) {
    assert_true(archive("", Number()) == std::string("\1\3\0\0\0", 5));
    assert_true(archive("", Mixed()) == std::string("\1\2\0\0\0\1", 6));
    assert_true(archive("", std::string("hello world")) ==
                std::string("\1\x0b\0\0\0\0\0\0\0hello world", 20));
    assert_int_equal(archive("", std::string()).size(), 9);
    assert_int_equal(archive("", std::vector<uint8_t>{1, 2, 255}).size(), 12);
    const std::string image = archive("", hiai::ImageData<uint8_t>());
    assert_true(image == std::string("\1\x0a", 2) + std::string(31, '\0'));
    hiai::RawDataBuffer raw;
    raw.len_of_byte = 3;
    const std::string bytes = archive("", raw); // of cereal, and of the built-in type
    assert_int_equal(bytes.size(), 8);
    std::string builtin(1, '\1');
    hiai::hiaix::RawDataArchive::write(raw, builtin);
    assert_int_equal(builtin.size(), bytes.size());
}

static void lying_archive_is_rejected(void **) {
    struct HIAIX_Message message = {};
    const std::string lie("\1\0\0\0\0\0\0\0\x80", 9); // 2^63 characters
    const std::string cut("\1\x0b\0\0\0\0\0\0\0hell", 13);
    hiai::hiaix::CommonConverter<std::string> common;
    for (const std::string &bytes : {lie, cut, std::string()}) {
        struct HIAIX_Bytes in = {bytes.data(), bytes.size(), nullptr, 0, nullptr};
        assert_true(hiai::hiaix::ConverterHooks::read(&in, &message, &common) != HIAI_OK);
        assert_true(hiai::hiaix::ConverterHooks::read(
                        &in, &message,
                        const_cast<hiai::hiaix::Converter *>(
                            hiai::hiaix::BuiltinConverter<
                                std::string, hiai::hiaix::ArrayArchive<std::string>>::Get())) !=
                    HIAI_OK);
        assert_null(message.msg);
    }
}

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_have_the_bytes_of_the_interface),
        cmocka_unit_test(lying_archive_is_rejected),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
#else
int main() {
    (void)puts("skipped: needs libcereal-dev");
    return 77;
}
#endif
