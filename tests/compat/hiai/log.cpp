// SPDX-License-Identifier: Apache-2.0
// Records of programs, and the models, whose calls fail with a record.
#include "support/cplusplus.h"

#include <hiaiengine/ai_model_manager.h>
#include <hiaiengine/ai_model_parser.h>

enum { HIAI_IDE_ERROR_CODE = 5, ODD_WARNING_CODE = 0x1FFF, HIGH_INFO_CODE = 1 };
HIAI_DEF_ERROR_CODE(0x0421, HIAI_ERROR, HIAI_IDE_ERROR, "all is lost")
HIAI_DEF_ERROR_CODE(0x7002, HIAI_WARNING, ODD_WARNING, "odd");
HIAI_DEF_ERROR_CODE(0x8001, HIAI_INFO, HIGH_INFO, "high")

class Out : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Out", Out, 1) {
    HIAI_ENGINE_LOG(this, HIAI_IDE_ERROR, "a record of %d", this);
    return SendData(0, "any name", arg0);
}

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
        (void)execl("/proc/self/exe", "log", what, static_cast<char *>(nullptr));
        _exit(127);
    }
    (void)close(ends[1]);
    while ((bytes = read(ends[0], part, sizeof part)) > 0)
        all.append(part, static_cast<size_t>(bytes));
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
    assert_true(some.find("ERROR graph 0 engine 0 log.cpp:") != std::string::npos);
    assert_true(some.find("WARNING graph 3 log.cpp:") != std::string::npos);
    for (const char *wrong : {"yes", ":", "/"}) // no level: nothing, and HIAI_Init() refuses it
        assert_int_equal(logged(wrong, "records").size(), 0);
    assert_int_equal(logged("error", "records").size(), some.size());
    const std::string more = logged("2", "records");
    assert_int_equal(std::count(more.begin(), more.end(), '\n'), 10);
}

static void use_models() {
    hiai::AIModelManager manager;
    hiai::AIModelDescription model;
    if (manager.Init(hiai::AIConfig(), {}) != hiai::FAILED || manager.GetMaxUsedMemory("") != -1 ||
        hiai::getModelInfo("", "", model) != hiai::FAILED)
        _exit(1);
}

static void models_are_named_errors(void **) {
    const std::string said = logged("1", "models");
    assert_int_equal(std::count(said.begin(), said.end(), '\n'), 1);
    assert_true(said.find("models are not supported") != std::string::npos);
    use_models();
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "models are not supported"));
    auto tensor = hiai::AITensorFactory::GetInstance()->CreateTensor(
        hiai::AINeuralNetworkBuffer::GetDescription());
    assert_non_null(tensor.get());
}

static void connect_beyond() {
    if (HIAI_Init(0) != HIAI_OK ||
        create("graphs { engines { id: 1 engine_name: \"Out\" side: HOST }\n"
               "connects { src_engine_id: 1 src_port_id: 3 target_engine_id: 1 } }") != HIAI_OK)
        _exit(1);
}

static void connection_beyond_the_declared_outputs_is_a_warning(void **) {
    const std::string said = logged("error", "beyond");
    assert_true(said.find("warning") != std::string::npos);
    assert_true(said.find("engine 1 declares 1 output ports, and is connected at port 3") !=
                std::string::npos);
    assert_string_equal(logged("", "beyond").c_str(), "");
}

int main(int argc, char **argv) {
    if (argc == 2) {
        (strcmp(argv[1], "records") == 0  ? write_records
         : strcmp(argv[1], "beyond") == 0 ? connect_beyond
                                          : use_models)();
        return 0;
    }
    prepare();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_shows_the_wanted_levels),
        cmocka_unit_test(connection_beyond_the_declared_outputs_is_a_warning),
        cmocka_unit_test(models_are_named_errors),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
