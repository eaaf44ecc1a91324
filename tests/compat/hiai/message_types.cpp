// SPDX-License-Identifier: Apache-2.0
// Messages of a program's own types, to the device and back: by the zero-copy path, by the copying
// path, and by a name with both.
#include "support/cplusplus.h"

#include <hiaiengine/data_type_reg.h>

using hiai::Graph;
using hiai::HIAIMemory;

static std::shared_ptr<Inbox> inbox;

class Out : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Out", Out, 1) { return SendData(0, "any name", arg0); }

// ---- the types of modules/engines.cpp

struct Block {
    uint32_t size = 0;
    std::shared_ptr<uint8_t> data;
};

static void write_block(void *input, std::string &ctrl, uint8_t *&data, uint32_t &size) {
    const Block *block = static_cast<Block *>(input);
    ctrl.assign(reinterpret_cast<const char *>(&block->size), sizeof block->size);
    data = block->data.get();
    size = block->size;
}

static std::shared_ptr<void> read_block(const char *, const uint32_t &, const unsigned char *data,
                                        const uint32_t &size) {
    auto block = std::make_shared<Block>();
    block->size = size;
    block->data.reset(const_cast<uint8_t *>(data), Graph::ReleaseDataBuffer);
    return block;
}
HIAI_REGISTER_SERIALIZE_FUNC("block", Block, write_block, read_block);

static void write_text(void *input, std::string &ctrl, uint8_t *&, uint32_t &) {
    ctrl = *static_cast<std::string *>(input);
}

static std::shared_ptr<void> read_text(const char *ctrl, const uint32_t &size, const uint8_t *,
                                       const uint32_t &) {
    return std::make_shared<std::string>(ctrl, size);
}

static HIAI_StatusT send(const std::shared_ptr<void> &message, const std::string &type) {
    return Graph::GetInstance(7)->SendData({7, 2, 0}, type, message);
}

static void start(const std::string &engine, const std::string &type) {
    inbox = std::make_shared<Inbox>();
    assert_ok(create(graph_of(engine, "DEVICE",
                              "ai_config { items { name: \"type\" value: \"" + type + "\" } }")));
    assert_ok(Graph::SetDataRecvFunctor({7, 1, 0}, inbox));
}

static int tear_down(void **) {
    (void)Graph::DestroyGraph(7);
    inbox.reset();
    return 0;
}

static void block_goes_there_and_back_without_a_copy(void **) {
    start("Forward", "block");
    for (int i = 0; i < 20; i++) {
        auto block = std::make_shared<Block>();
        void *data = nullptr;
        block->size = 3840 * 2160 * 3 / 2;
        assert_ok(HIAIMemory::HIAI_DMalloc(block->size, data, PATIENCE));
        memset(data, i, block->size);
        block->data.reset(static_cast<uint8_t *>(data), [](uint8_t *) {});
        assert_ok(send(block, "block"));
        auto got = inbox->next<Block>();
        assert_int_equal(got->size, block->size);
        assert_int_equal(got->data.get()[0], i);
        assert_int_equal(got->data.get()[got->size - 1], i);
    }
    assert_int_equal(stats_of(7).copies, 0);
    wait_until([] { return stats_of(7).poolBlocks == 0; });
}

#ifdef HIAIX_HAS_CEREAL
namespace own {
struct Note { // that of the device, with a qualified name
    std::string text;
    HIAI_SERIALIZE(text)
};
} // namespace own
HIAI_REGISTER_DATA_TYPE("note", own::Note)
HIAI_REGISTER_DATA_TYPE("note", own::Note); // the first one stays
HIAI_REGISTER_DATA_TYPE("both", own::Note)
HIAI_REGISTER_TEMPLATE_DATA_TYPE("pair", std::map, int, std::string)

static void registered_struct_is_copied_there_and_back(void **) {
    start("Append", "note");
    auto note = std::make_shared<own::Note>();
    note->text = "abc";
    assert_ok(send(note, "note"));
    assert_int_equal(note.use_count(), 1);
    assert_string_equal(inbox->next<own::Note>()->text.c_str(), "abc-d");
    assert_int_equal(stats_of(7).copies, 0); // all of it is control
}

static void name_with_both_paths_takes_the_fast_one(void **) {
    using namespace hiai::hiaix;
    start("Forward", "both");
    {
        TypeRegistrar<FastConverter> fast("both", HIAIX_PATH_FAST,
                                          FastConverter(write_text, read_text));
        assert_ok(fast.Status());
        assert_ok(send(std::make_shared<std::string>("x"), "both"));
        assert_string_equal(inbox->next<std::string>()->c_str(), "fast x"); // its writer ran there
    }
    {
        TypeRegistrar<FastConverter> only_here("note", HIAIX_PATH_FAST,
                                               FastConverter(write_text, read_text));
        assert_ok(send(std::make_shared<std::string>("x"), "note")); // the device has no reader
    }
    assert_ok(send(std::make_shared<own::Note>(), "note"));
    // The rejection on the device is seen in its own statistics only; this side goes on.
}
#endif

int main() {
    prepare();
#define TEST(name)                                                                                 \
    { #name, name, nullptr, tear_down, nullptr }
    const struct CMUnitTest tests[] = {
        TEST(block_goes_there_and_back_without_a_copy),
#ifdef HIAIX_HAS_CEREAL
        TEST(registered_struct_is_copied_there_and_back),
        TEST(name_with_both_paths_takes_the_fast_one),
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
