// SPDX-License-Identifier: Apache-2.0
// The bytes of the types of data_type.h: those of the interface, and of cereal's portable archive.
// Bytes that lie are rejected.
#include "support/cplusplus.h"

#include <hiaiengine/data_type.h>

using hiai::hiaix::Archived;
using hiai::hiaix::Converter;
using hiai::hiaix::ConverterHooks;

static void *argument_of(const Converter *converter) { return const_cast<Converter *>(converter); }

static std::string written(const Converter *converter, const void *value) {
    struct HIAIX_Bytes out = {};
    assert_ok(ConverterHooks::write(value, &out, argument_of(converter)));
    std::string bytes(static_cast<const char *>(out.ctrl), out.ctrlLen);
    ConverterHooks::release(out.keep);
    return bytes;
}

// Returns the message, or an empty pointer if the bytes are rejected.
static std::shared_ptr<void> read(const Converter *converter, const std::string &bytes) {
    struct HIAIX_Message message = {};
    struct HIAIX_Bytes in = {bytes.data(), bytes.size(), nullptr, 0, nullptr};
    if (ConverterHooks::read(&in, &message, argument_of(converter)) != HIAI_OK) {
        assert_null(message.msg);
        return nullptr;
    }
    return hiai::hiaix::Take(message);
}

static hiai::IDTreeNode tree(unsigned depth) {
    hiai::IDTreeNode node;
    node.nodeID = depth;
    node.is_leaf = {depth == 0, true, false};
    if (depth > 0) node.node = {tree(0), tree(depth - 1)};
    return node;
}

// A node that has one node in its list, and so on.
static std::string deep(size_t levels) {
    std::string bytes(1, '\1');
    for (size_t i = 0; i <= levels; i++) {
        bytes.append(12, '\0'); // nodeID, and no is_leaf
        bytes.append(1, i < levels ? '\1' : '\0').append(7, '\0');
    }
    return bytes;
}

static void lists_may_not_nest_without_end(void **) {
    const Converter *const trees = Archived<hiai::IDTreeNode>::Get();
    assert_non_null(read(trees, deep(500)).get());
    assert_null(read(trees, deep(100000)).get());
    const hiai::IDTreeNode some = tree(5);
    const auto copy =
        std::static_pointer_cast<hiai::IDTreeNode>(read(trees, written(trees, &some)));
    assert_int_equal(copy->node[1].node[1].node[0].is_leaf[0], true);
    assert_int_equal(copy->node[1].node[1].nodeID, 3);
}

static void numbers_in_a_vector_have_no_padding(void **) {
    const std::vector<uint8_t> three{1, 2, 255};
    const std::string none, hello = "hello world";
    assert_true(written(Archived<std::string>::Get(), &hello) ==
                std::string("\1\x0b\0\0\0\0\0\0\0hello world", 20));
    assert_int_equal(written(Archived<std::string>::Get(), &none).size(), 9);
    assert_int_equal(written(Archived<std::vector<uint8_t>>::Get(), &three).size(), 12);
    const hiai::ImageData<uint8_t> image;
    assert_true(written(Archived<hiai::ImageData<uint8_t>>::Get(), &image) ==
                std::string("\1\x0a", 2) + std::string(31, '\0'));
}

static void missing_memory_is_allocated_by_the_sender(void **) {
    hiai::RawDataBuffer raw;
    raw.len_of_byte = 3;
    assert_true(written(Archived<hiai::RawDataBuffer>::Get(), &raw) ==
                std::string("\1\3\0\0\0\0\0\0", 8));
    assert_non_null(raw.data.get());
}

// Memory for what a message only claims to have would be the attacker's to choose.
static void lying_archive_is_rejected(void **) {
    const std::string lie("\1\0\0\0\0\0\0\0\x80", 9); // 2^63 characters
    const std::string cut("\1\x0b\0\0\0\0\0\0\0hell", 13);
    const std::string other_order("\0\0\0\0\0\0\0\0\0", 9);
    for (const std::string &bytes : {lie, cut, other_order, std::string()}) {
        assert_null(read(Archived<std::string>::Get(), bytes).get());
        assert_null(read(Archived<std::vector<float>>::Get(), bytes).get());
        assert_null(read(Archived<hiai::AttributeTopN<float>>::Get(), bytes).get());
        assert_null(read(Archived<hiai::FeatureVec<float>>::Get(), bytes).get());
#ifdef HIAIX_HAS_CEREAL
        const hiai::hiaix::CommonConverter<std::string> common{};
        assert_null(read(&common, bytes).get());
#endif
    }
    std::string image = std::string("\1\x0a", 2) + std::string(31, '\0');
    image[29] = '\1'; // of its four bytes of size
    assert_null(read(Archived<hiai::ImageData<uint8_t>>::Get(), image).get());
    const std::string mask("\1\xff\xff\xff\xff\xff\xff\xff\xff", 9); // columns times rows
    assert_null(read(Archived<hiai::MaskMatrix<float>>::Get(), mask).get());
}

#ifdef HIAIX_HAS_CEREAL
// Both archives write the same bytes, and each reads those of the other.
template <typename T> static void same_bytes(const T &value) {
    const hiai::hiaix::CommonConverter<T> cereal{};
    const Converter *const own = Archived<T>::Get();
    const std::string bytes = written(&cereal, &value);
    assert_true(bytes == written(own, &value));
    assert_true(written(own, read(&cereal, bytes).get()) == bytes);
    assert_true(written(&cereal, read(own, bytes).get()) == bytes);
    for (size_t length = 0; length < bytes.size(); length++)
        assert_null(read(own, bytes.substr(0, length)).get());
}

template <typename T> static std::shared_ptr<T> array(std::initializer_list<T> values) {
    std::shared_ptr<T> data(new T[values.size()], std::default_delete<T[]>());
    std::copy(values.begin(), values.end(), data.get());
    return data;
}

static void types_have_the_bytes_of_cereal(void **) {
    hiai::BatchImagePara<uint8_t> images;
    images.b_info.is_last = true;
    images.b_info.frame_ID = {1, 2};
    images.b_info.timestamp = {UINT64_MAX};
    images.v_img.resize(2);
    images.v_img[1].format = hiai::H264;
    images.v_img[1].size = 3;
    images.v_img[1].data = array<uint8_t>({7, 8, 9});
    same_bytes(images);

    hiai::AttributeTopN<float> attributes;
    attributes.obj_ID = 4;
    attributes.attr_map["colour"].resize(2);
    attributes.attr_map["colour"][1].attr_value = "red";
    attributes.attr_map["colour"][1].score = 0.5f;
    attributes.attr_map["none"];
    same_bytes(attributes);

    hiai::BatchDetectedObjectPara<hiai::Rectangle<hiai::Point2D>, int32_t> objects;
    objects.v_location.resize(1);
    objects.v_location[0].range.resize(1);
    objects.v_location[0].range[0].anchor_rb.y = -3;
    objects.v_location[0].angle.resize(2);
    same_bytes(objects);

    hiai::MaskMatrix<float> mask;
    mask.cols = 1;
    mask.rows = 2;
    mask.data = array<float>({1.5f, 2.5f});
    same_bytes(mask);

    same_bytes(tree(3));
}

struct Number {
    uint32_t number = 3;
    HIAI_SERIALIZE(number)
};

struct Mixed { // a type of a program, with one of Matrix in it
    hiai::IMAGEFORMAT format = hiai::RGB888;
    bool flag = true;
    hiai::RawDataBuffer raw;
    hiai::NNTensorList tensors;
    HIAI_SERIALIZE(format, flag, raw, tensors)
};

static void own_types_may_contain_those_of_the_interface(void **) {
    const hiai::hiaix::CommonConverter<Number> numbers{};
    const hiai::hiaix::CommonConverter<Mixed> mixtures{};
    const Number number;
    Mixed mixed;
    assert_true(written(&numbers, &number) == std::string("\1\3\0\0\0", 5));
    assert_true(written(&mixtures, &mixed) == std::string("\1\2\0\0\0\1\0\0\0\0", 10));
    mixed.raw.len_of_byte = 2;
    mixed.raw.data = array<uint8_t>({5, 6});
    const auto copy = std::static_pointer_cast<Mixed>(read(&mixtures, written(&mixtures, &mixed)));
    assert_int_equal(copy->raw.data.get()[1], 6);
}
#endif

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_may_not_nest_without_end),
        cmocka_unit_test(numbers_in_a_vector_have_no_padding),
        cmocka_unit_test(missing_memory_is_allocated_by_the_sender),
        cmocka_unit_test(lying_archive_is_rejected),
#ifdef HIAIX_HAS_CEREAL
        cmocka_unit_test(types_have_the_bytes_of_cereal),
        cmocka_unit_test(own_types_may_contain_those_of_the_interface),
#endif
    };
    const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
#ifndef HIAIX_HAS_CEREAL
    (void)puts("skipped: needs libcereal-dev");
    return failed != 0 ? failed : 77;
#else
    return failed;
#endif
}
