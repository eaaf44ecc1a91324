// SPDX-License-Identifier: Apache-2.0
// Message types with the copying and the zero-copy path, their bytes, and the headers that need no
// graph: queues, securec.h, statuses, logs, models.
#include <hiaiengine/api.h>
#include <hiaiengine/data_type.h>

#include "support/cplusplus.h"

#include <sys/wait.h>

#include <hiaiengine/ai_model_manager.h>
#include <hiaiengine/ai_model_parser.h>
#include <hiaiengine/multitype_queue.h>

using hiai::Graph;
using hiai::HIAIMemory;

enum { HIAI_IDE_ERROR_CODE = 5, ODD_WARNING_CODE = 0x1FFF, HIGH_INFO_CODE = 1 };
HIAI_DEF_ERROR_CODE(0x0421, HIAI_ERROR, HIAI_IDE_ERROR, "all is lost")
HIAI_DEF_ERROR_CODE(0x7002, HIAI_WARNING, ODD_WARNING, "odd");
HIAI_DEF_ERROR_CODE(0x8001, HIAI_INFO, HIGH_INFO, "high")

static std::shared_ptr<Inbox> inbox;

class Out : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Out", Out, 1) {
    HIAI_ENGINE_LOG(this, HIAI_IDE_ERROR, "a record of %d", this);
    return SendData(0, "any name", arg0);
}

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
#endif

// ---- statuses, queues, securec.h

static int of_status(HIAI_StatusT status) {
    switch (status) {
    case HIAI_IDE_ERROR:
        return 1;
    case HIAI_OK:
        return 2;
    default:
        return 3;
    }
}

static void statuses_of_programs_are_constants_with_texts(void **) {
    static_assert(HIAI_IDE_ERROR == 0x04213005u && ODD_WARNING == 0x70022FFFu &&
                      HIGH_INFO == 0x80011001u,
                  "numbers of the interface");
    assert_int_equal(of_status(HIAI_IDE_ERROR), 1);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIAI_IDE_ERROR), 3);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(ODD_WARNING), 2);
    assert_int_equal(HIAI_GET_ERROR_LEVEL(HIGH_INFO), 1);
    const std::integral_constant<HIAI_StatusT, HIGH_INFO> argument{};
    assert_int_equal(argument.value, 0x80011001u);
    assert_string_equal(HIAI_GET_ERROR_STR(HIAI_IDE_ERROR).c_str(), "all is lost");
    assert_string_equal(HIAI_GET_ERROR_STR(HIGH_INFO).c_str(), "high");
}

static void enumerators_and_lists_are_those_of_protobuf(void **) {
    static_assert(hiai::EngineConfig_RunSide_DEVICE == 0 && hiai::EngineConfig_RunSide_HOST == 1,
                  "numbers of the interface");
    hiai::GraphConfigList list, copy;
    assert_int_equal(hiai::EngineConfig().side(), hiai::EngineConfig::DEVICE);
    list.add_graphs()->set_graph_id(3);
    list.mutable_graphs(0)->add_engines()->set_engine_name("e");
    copy.CopyFrom(list);
    list.clear_graphs();
    assert_int_equal(list.graphs_size(), 0);
    assert_int_equal(copy.graphs_size(), 1);
    list.add_graphs()->CopyFrom(copy.graphs(0));
    assert_string_equal(list.graphs(0).engines(0).engine_name().c_str(), "e");
    assert_false(list.graphs(0).engines(0).has_ai_config());
}

static void queues_of_several_types_give_all_or_nothing(void **) {
    hiai::MultiTypeQueue queue(2, 3);
    std::shared_ptr<void> any = std::make_shared<int>(1), got;
    std::shared_ptr<int> a, b, c;
    for (int i = 0; i < 4; i++) {
        assert_true(queue.PushData(0, any) == (i < 3));
    }
    assert_false(queue.PushData(2, any));
    assert_false(queue.PushData(0, nullptr));
    assert_true(queue.FrontData(0, got) && queue.FrontData(0, got));
    assert_false(queue.PopAllData(a, b));
    assert_true(queue.PushData(1, std::make_shared<int>(2)));
    assert_false(queue.PopAllData(a, b, c));
    assert_true(queue.PopAllData(a, b) && *a == 1 && *b == 2);
    hiai::MultiTypeQueue aging(1, 3, 50);
    assert_true(aging.PushData(0, any));
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    assert_true(aging.FrontData(0, got));
    assert_false(aging.PopData(0, got));
}

static void bounded_functions_clear_what_they_refuse(void **) {
    char d[8] = "zzzzzzz";
    assert_int_equal(memcpy_s(d, 4, "12345", 5), 162);
    assert_memory_equal(d, "\0\0\0\0zzz", 7);
    assert_int_equal(strcpy_s(d, 3, "abc"), 162);
    assert_int_equal(d[0], 0);
    assert_int_equal(strcpy_s(nullptr, 3, "abc"), 22);
    assert_int_equal(memcpy_s(d, 8, d + 1, 4), 182);
    assert_int_equal(memcpy_s(d, 4, "1234", 4), 0);
    assert_int_equal(memset_s(d, 8, 0, 9), 162);
    assert_int_equal(strcpy_s(d, 8, "ab") + strcat_s(d, 8, "cd") + strncat_s(d, 8, "efgh", 1), 0);
    assert_string_equal(d, "abcde");
    assert_int_equal(sprintf_s(d, 8, "%d", 12345678), -1);
    assert_int_equal(snprintf_truncated_s(d, 8, "%d", 12345678), 7);
    assert_string_equal(d, "1234567");
    char *rest = nullptr;
    assert_string_equal(strtok_s(d, "4", &rest), "123");
    assert_string_equal(strtok_s(nullptr, "4", &rest), "567");
    assert_null(strtok_s(nullptr, "4", &rest));
}

// ---- logs and models

// Returns what this program with that argument and setting writes to standard error.
static std::string logged(const char *setting, const char *what) {
    int ends[2];
    std::string all;
    char part[4096];
    ssize_t bytes;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)setenv("TARN_HIAI_LOG", setting, 1);
        (void)execl("/proc/self/exe", "data_types", what, static_cast<char *>(nullptr));
        _exit(127);
    }
    (void)close(ends[1]);
    while ((bytes = read(ends[0], part, sizeof part)) > 0) {
        all.append(part, static_cast<size_t>(bytes));
    }
    (void)close(ends[0]);
    (void)waitpid(child, nullptr, 0);
    return all;
}

static void write_records() {
    const int32_t MODID_MINE = 0x421;
    Out engine;
    hiai::Graph graph(3);
    const size_t size = 5;
    HIAI_ENGINE_LOG("plain %s", "text");
    HIAI_ENGINE_LOG(HIAI_IDE_ERROR, "status %d", size); // a wrong format, as clients have
    HIAI_ENGINE_LOG(&engine, HIAI_IDE_ERROR, "engine\n");
    HIAI_ENGINE_LOG(&graph, ODD_WARNING, "graph");
    HIAI_ENGINE_LOG(MODID_MINE, "module %d", 1);
    HIAI_ENGINE_LOG(MODID_MINE, HIAI_IDE_ERROR, "module and status");
    HIAI_ENGINE_LOG(MODID_MINE, &engine, HIAI_IDE_ERROR, "module and engine");
    HIAI_ENGINE_LOG(MODID_MINE, &graph, HIGH_INFO, "module and graph");
    HIAI_ENGINE_LOG(HIAI_ERROR, "a level");
    HIAI_ENGINE_LOG(HIAI_IDE_ERROR, "%s", std::string(10000, 'x').c_str());
}

static void log_shows_the_wanted_levels(void **) {
    assert_string_equal(logged("", "records").c_str(), "");
    const std::string some = logged("1", "records");
    assert_int_equal(std::count(some.begin(), some.end(), '\n'), 7);
    assert_int_equal(std::count(some.begin(), some.end(), 'x'), 8192);
    assert_true(some.find("ERROR graph 0 engine 0 data_types.cpp:") != std::string::npos);
    assert_true(some.find("WARNING graph 3 data_types.cpp:") != std::string::npos);
    for (const char *other : {"yes", ":", "/"}) { // no number: 1
        assert_int_equal(logged(other, "records").size(), some.size());
    }
    const std::string more = logged("2", "records");
    assert_int_equal(std::count(more.begin(), more.end(), '\n'), 10);
}

static void use_models() {
    hiai::AIModelManager manager;
    hiai::AIModelDescription model;
    if (manager.Init(hiai::AIConfig(), {}) != hiai::FAILED || manager.GetMaxUsedMemory("") != -1 ||
        hiai::getModelInfo("", "", model) != hiai::FAILED) {
        _exit(1);
    }
}

static void models_are_named_errors(void **) {
    const std::string said = logged("1", "models");
    assert_int_equal(std::count(said.begin(), said.end(), '\n'), 1);
    assert_true(said.find("models are not here") != std::string::npos);
    use_models();
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "models are not here"));
    auto tensor = hiai::AITensorFactory::GetInstance()->CreateTensor(
        hiai::AINeuralNetworkBuffer::GetDescription());
    assert_non_null(tensor.get());
}

int main(int argc, char **argv) {
    if (argc == 2) {
        (strcmp(argv[1], "records") == 0 ? write_records : use_models)();
        return 0;
    }
    prepare();
#define TEST(name)                                                                                 \
    { #name, name, nullptr, tear_down, nullptr }
    const struct CMUnitTest tests[] = {
        TEST(block_goes_there_and_back_without_a_copy),
#ifdef HIAIX_HAS_CEREAL
        TEST(registered_struct_is_copied_there_and_back),
        TEST(name_with_both_paths_takes_the_fast_one),
        TEST(archives_have_the_bytes_of_the_interface),
        TEST(lying_archive_is_rejected),
#endif
        TEST(statuses_of_programs_are_constants_with_texts),
        TEST(enumerators_and_lists_are_those_of_protobuf),
        TEST(queues_of_several_types_give_all_or_nothing),
        TEST(bounded_functions_clear_what_they_refuse),
        TEST(log_shows_the_wanted_levels),
        TEST(models_are_named_errors),
    };
    const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
#ifndef HIAIX_HAS_CEREAL
    (void)puts("skipped: needs libcereal-dev");
    return failed != 0 ? failed : 77;
#else
    return failed;
#endif
}
