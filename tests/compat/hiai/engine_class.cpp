// SPDX-License-Identifier: Apache-2.0
// Engines as classes: their life, messages and receivers, on both sides, in two processes and in
// one. The engines of the device are in modules/engines.cpp.
#include "support/cplusplus.h"

#include <set>
#include <stdexcept>

using hiai::Graph;

static std::shared_ptr<Inbox> inbox;
static std::atomic<int> constructed, destroyed, inited, processed;
static std::atomic<bool> hold;

// ---- engines of this process

class Out : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 2)
};

HIAI_IMPL_ENGINE_PROCESS("Out", Out, 1) { return SendData(0, "any name", arg0); }

class Counted : public hiai::Engine {
  public:
    Counted() { constructed++; }
    ~Counted() override { destroyed++; }
    HIAI_StatusT Init(const hiai::AIConfig &config,
                      const std::vector<hiai::AIModelDescription> &) override {
        assert_int_equal(processed, 0);
        inited++;
        assert_ok(SetDataRecvFunctor(0, inbox));
        return config.items_size() != 0 && config.items(0).value() == "refuse" ? 0x04213005u
                                                                               : HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)

  public:
    std::mutex lock;
    std::set<std::thread::id> threads;
};

HIAI_IMPL_ENGINE_PROCESS("Counted", Counted, 1) {
    processed++;
    assert_true(inited != 0);
    {
        std::lock_guard<std::mutex> guard(lock);
        threads.insert(std::this_thread::get_id());
    }
    while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (arg0 && *std::static_pointer_cast<std::string>(arg0) == "reset") {
        arg0.reset();
        return SendData(0, "string", std::make_shared<std::string>("done"));
    }
    return SendData(0, "string", arg0);
}

class Sixteen : public hiai::Engine {
    HIAI_DEFINE_PROCESS(16, 16)
};

HIAI_IMPL_ENGINE_PROCESS("Sixteen", Sixteen, 16) {
    const std::shared_ptr<void> args[] = {arg0, arg1, arg2,  arg3,  arg4,  arg5,  arg6,  arg7,
                                          arg8, arg9, arg10, arg11, arg12, arg13, arg14, arg15};
    uint32_t port = 0;
    while (!args[port]) port++;
    return SendData(port, "string", args[port]);
}

static std::atomic<HIAI_StatusT> source_status;

// Sends from a thread of its own until it is destroyed.
class Source : public hiai::Engine {
  public:
    ~Source() override {
        stop = true;
        thread.join();
    }
    HIAI_StatusT Init(const hiai::AIConfig &,
                      const std::vector<hiai::AIModelDescription> &) override {
        thread = std::thread([this] {
            while (!stop) {
                last = SendData(0, "string", std::make_shared<std::string>("x"), 0);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            last = SendData(0, "string", std::make_shared<std::string>("late"), 0);
            source_status = last.load();
        });
        return HIAI_OK;
    }
    HIAI_DEFINE_PROCESS(1, 1)
    std::atomic<bool> stop{false};
    std::atomic<HIAI_StatusT> last{HIAI_OK};
    std::thread thread;
};

HIAI_IMPL_ENGINE_PROCESS("Source", Source, 1) { return SendData(0, "string", arg0); }

class Unbuildable : public hiai::Engine {
  public:
    Unbuildable() { throw std::runtime_error("from a constructor"); }
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Unbuildable", Unbuildable, 1) { return arg0 ? HIAI_OK : HIAI_ERROR; }

static hiai::Engine *no_engine() { return nullptr; }
static const hiai::HIAIEngineAutoRegister nothing("Nothing", no_engine);
HIAI_REGISTER_ENGINE_UNIQUE("Out by another name", Out, 77)

// ---- help

static std::shared_ptr<std::string> text(const std::string &what) {
    return std::make_shared<std::string>(what);
}

static HIAI_StatusT send(uint32_t engine, uint32_t port, const std::shared_ptr<void> &message,
                         const char *type = "string", uint32_t ms = 500) {
    return Graph::GetInstance(7)->SendData({7, engine, port}, type, message, ms);
}

static std::string host(const std::string &engine, const std::string &more = "") {
    return "graphs { graph_id: 7 engines { id: 2 engine_name: \"" + engine + "\" side: HOST " +
           more + " } }";
}

static void listen(uint32_t engine, uint32_t port) {
    assert_ok(Graph::SetDataRecvFunctor({7, engine, port}, inbox));
}

static std::string answer() { return *inbox->next<std::string>(); }

static int set_up(void **) {
    inbox = std::make_shared<Inbox>();
    constructed = destroyed = inited = processed = 0;
    hold = false;
    return 0;
}

static int tear_down(void **) {
    (void)Graph::DestroyGraph(7);
    inbox.reset();
    assert_int_equal(constructed, destroyed);
    return 0;
}

// ---- life

static void init_sees_the_configuration_of_its_entry(void **) {
    const char *config =
        "ai_config { items { name: \"k\" value: \"1\" } items { name: \"k\" value: "
        "\"2\" } items { name: \"z\" sub_items { name: \"a\" value: \"b\" } } } "
        "ai_model { name: \"m\" path: \"/p\" }";
    for (const char *side : {"HOST", "DEVICE"}) {
        assert_ok(create(graph_of("Life", side, config)));
        listen(1, 0);
        assert_ok(send(2, 0, text("")));
        assert_string_equal(answer().c_str(), "3 1 k=1 k=2 z=(a=b) m@/p");
        assert_ok(Graph::DestroyGraph(7));
        assert_ok(create(graph_of("Life", side)));
        listen(1, 0);
        assert_ok(send(2, 0, text("id")));
        assert_string_equal(answer().c_str(), "0 0 Life");
        assert_ok(Graph::DestroyGraph(7));
    }
}

static void init_that_fails_or_throws_fails_the_graph(void **) {
    for (const char *side : {"HOST", "DEVICE"}) {
        assert_status(
            create(graph_of("Life", side,
                            "ai_config { items { name: \"fail\" value: \"0x04213005\" } }")),
            HIAI_GRAPH_ENGINE_INIT_FAILED);
        assert_non_null(strstr(HIAIX_GetLastErrorText(), "0x04213005"));
        assert_status(
            create(graph_of("Life", side, "ai_config { items { name: \"throw\" value: \"x\" } }")),
            HIAI_GRAPH_ENGINE_INIT_FAILED);
        assert_null(Graph::GetInstance(7).get());
    }
    assert_status(create(host("Counted", "ai_config { items { name: \"a\" value: \"refuse\" } }")),
                  HIAI_GRAPH_ENGINE_INIT_FAILED);
    assert_int_equal(constructed, 1);
    assert_int_equal(destroyed, 1);
    assert_status(create(host("Unbuildable")), HIAI_GRAPH_CREATE_ENGINE_FAILED);
    assert_status(create(host("Nothing")), HIAI_MEMORY_EXHAUSTED);
    assert_status(create(host("Unknown")), HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_status(create(host("Unknown", "so_name: \"/no/such.so\"")), HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "/no/such.so"));
    assert_ok(create(host("Counted")));
}

static void creation_returns_after_the_last_init(void **) {
    const auto begin = std::chrono::steady_clock::now();
    assert_ok(create(
        graph_of("Life", "DEVICE", "ai_config { items { name: \"sleep\" value: \"300\" } }")));
    assert_true(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(300));
}

static void objects_are_fresh_for_each_graph(void **) {
    for (int i = 1; i <= 3; i++) {
        processed = 0;
        assert_ok(create(host("Counted")));
        assert_non_null(Graph::GetInstance(7)->GetEngine(2).get());
        assert_null(Graph::GetInstance(7)->GetEngine(3).get());
        assert_ok(send(2, 0, text("a")));
        assert_string_equal(answer().c_str(), "a"); // the receiver was set by Init
        assert_ok(Graph::DestroyGraph(7));
        assert_int_equal(constructed, i);
        assert_int_equal(destroyed, i);
        assert_int_equal(inited, i);
    }
}

static void threads_of_an_engine_share_its_object(void **) {
    assert_ok(create(host("Counted", "thread_num: 4")));
    hold = true;
    for (int i = 0; i < 4; i++) assert_ok(send(2, 0, text("x")));
    wait_until([] { return processed == 4; }); // all at once
    hold = false;
    for (int i = 0; i < 4; i++) (void)answer();
    assert_int_equal(constructed, 1);
    auto counted = std::static_pointer_cast<Counted>(Graph::GetInstance(7)->GetEngine(2));
    assert_int_equal(counted->threads.size(), 4);
}

static void own_thread_of_an_engine_may_send_until_the_object_is_gone(void **) {
    const char *often = getenv("TARN_TEST_ROUNDS");
    for (int i = 0; i < (often != nullptr ? atoi(often) : 20); i++) {
        assert_ok(create(host("Source")));
        listen(2, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 5));
        assert_ok(Graph::DestroyGraph(7));
        assert_status(source_status, HIAI_QUEUE_STOPPED);
    }
}

// ---- messages

static void pointer_travels_within_a_side(void **) {
    struct Local {
        int number;
    };
    assert_ok(create(host("Out")));
    listen(2, 0);
    auto local = std::make_shared<Local>();
    assert_ok(send(2, 0, local, "never registered"));
    assert_ptr_equal(inbox->next<Local>().get(), local.get());
    assert_ok(send(2, 0, local, "string")); // the name of another type
    assert_ptr_equal(inbox->next<Local>().get(), local.get());
    wait_until([&] { return local.use_count() == 1; });
    assert_ok(Graph::DestroyGraph(7));
    if (!is_board()) {
        assert_ok(create(graph_of("Forward", "DEVICE")));
        assert_status(send(2, 0, local, "never registered"), HIAI_GRAPH_SEARFUNC_IS_NULL);
        assert_int_equal(local.use_count(), 1);
    }
}

static void engine_may_drop_a_message_at_once(void **) {
    assert_ok(create(host("Counted")));
    auto message = text("reset");
    std::weak_ptr<std::string> watch = message;
    assert_ok(send(2, 0, message));
    message.reset();
    assert_string_equal(answer().c_str(), "done");
    assert_true(watch.expired());
}

static void builtin_types_cross_without_registration(void **) {
    assert_ok(create(graph_of("Forward", "DEVICE")));
    listen(1, 0);
    for (size_t size : {size_t(0), size_t(1) << 20, size_t(20) << 20}) {
        auto message = text(std::string(size, 'x'));
        const uint64_t copies = stats_of(7).copies;
        assert_ok(send(2, 0, message));
        assert_true(is_board() || message.use_count() == 1);
        assert_true(*inbox->next<std::string>() == *message);
        assert_int_equal(stats_of(7).copies - copies, size > (16u << 20) && !is_board() ? 1 : 0);
    }
    assert_ok(Graph::DestroyGraph(7));
    assert_ok(create(graph_of("Forward", "DEVICE",
                              "ai_config { items { name: \"type\" value: \"RawDataBuffer\" } }")));
    listen(1, 0);
    for (uint32_t size : {0u, 300000u}) {
        auto raw = std::make_shared<hiai::RawDataBuffer>();
        raw->len_of_byte = size;
        raw->data.reset(new uint8_t[size + 1], std::default_delete<uint8_t[]>());
        memset(raw->data.get(), 7, size);
        assert_ok(send(2, 0, raw, "RawDataBuffer"));
        auto got = inbox->next<hiai::RawDataBuffer>();
        assert_int_equal(got->len_of_byte, size);
        assert_memory_equal(got->data != nullptr ? got->data.get() : raw->data.get(),
                            raw->data.get(), size);
    }
}

static void kept_message_stays_intact(void **) {
    assert_ok(create(graph_of("Keeper", "DEVICE")));
    listen(1, 0);
    auto first = text("first");
    assert_ok(send(2, 0, first));
    first.reset();
    for (int i = 1; i < 1000; i++) assert_ok(send(2, 0, text("more")));
    for (int i = 0; i < 10; i++) assert_string_equal(answer().c_str(), "first");
}

static void failures_of_a_send_are_named(void **) {
    assert_ok(create(host("Counted", "queue_size: 2")));
    assert_status(send(2, 0, nullptr), HIAI_ENGINE_NULL_POINTER);
    assert_status(send(9, 0, text("")), HIAI_GRAPH_ENGINE_NOT_EXIST);
    auto engine = Graph::GetInstance(7)->GetEngine(2);
    assert_status(engine->SendData(1, "string", text("")), HIAI_GRAPH_SRC_PORT_NOT_EXIST);
    hold = true;
    assert_ok(send(2, 0, text("1")));
    wait_until([] { return processed == 1; });
    assert_ok(send(2, 0, text("2"), "string", 0));
    assert_ok(send(2, 0, text("3"), "string", 0));
    assert_int_equal(engine->GetQueueCurrentSize(0), 2);
    assert_int_equal(engine->GetQueueMaxSize(), 2);
    assert_status(send(2, 0, text("4"), "string", 0), HIAI_QUEUE_FULL);
    const auto begin = std::chrono::steady_clock::now();
    assert_status(send(2, 0, text("4"), "string", 5), HIAI_QUEUE_FULL); // 16 attempts
    assert_true(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(80));
    hold = false;
}

static void exception_of_a_process_is_counted_and_the_engine_goes_on(void **) {
    for (const char *side : {"HOST", "DEVICE"}) {
        assert_ok(create(graph_of("Life", side)));
        listen(1, 0);
        assert_ok(send(2, 0, text("throw")));
        assert_ok(send(2, 0, text("")));
        assert_string_equal(answer().c_str(), "0 0");
        assert_ok(Graph::DestroyGraph(7));
    }
}

// ---- receivers

class Thrower : public hiai::DataRecvInterface {
  public:
    HIAI_StatusT RecvData(const std::shared_ptr<void> &) override {
        throw std::runtime_error("from RecvData");
    }
};

static void receivers_are_as_many_as_ports(void **) {
    std::string graph = "graphs { graph_id: 7 ";
    for (int i = 0; i < 40; i++)
        graph += "engines { id: " + std::to_string(i) + " engine_name: \"Sixteen\" side: HOST } ";
    assert_ok(create(graph + "}"));
    std::vector<std::shared_ptr<Inbox>> inboxes;
    for (uint32_t i = 0; i < 640; i++) {
        inboxes.push_back(std::make_shared<Inbox>());
        assert_ok(Graph::SetDataRecvFunctor({7, i / 16, i % 16}, inboxes.back()));
    }
    for (uint32_t i = 0; i < 640; i++) assert_ok(send(i / 16, i % 16, text(std::to_string(i))));
    for (uint32_t i = 0; i < 640; i++)
        assert_string_equal(inboxes[i]->next<std::string>()->c_str(), std::to_string(i).c_str());
    assert_status(Graph::SetDataRecvFunctor({7, 1, 0}, nullptr),
                  HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL);
}

static void exception_of_a_receiver_ends_with_it(void **) {
    assert_ok(create(host("Out")));
    assert_ok(Graph::SetDataRecvFunctor({7, 2, 0}, std::make_shared<Thrower>()));
    assert_ok(send(2, 0, text("x")));
    wait_until([] { return stats_of(7).localSends == 2; });
    listen(2, 0);
    assert_ok(send(2, 0, text("y")));
    assert_string_equal(answer().c_str(), "y");
}

// ---- graphs

static void graph_is_built_in_code(void **) {
    const std::string odd = "\"quoted\" back\\slash new\nline \xc3\xa4 # no comment";
    hiai::GraphConfigList list;
    hiai::GraphConfig *graph = list.add_graphs();
    graph->set_graph_id(7);
    const char *const names[] = {"Out", "Life", "Out by another name"};
    for (uint32_t i = 0; i < 3; i++) {
        hiai::EngineConfig *engine = graph->add_engines();
        engine->set_id(i + 1);
        engine->set_engine_name(names[i]);
        engine->set_side(i == 1 ? hiai::EngineConfig::DEVICE : hiai::EngineConfig::HOST);
        if (i == 1) {
            engine->add_so_name(module_path());
            hiai::AIConfigItem *item = engine->mutable_ai_config()->add_items();
            item->set_name("odd");
            *item->mutable_value() = odd;
        }
    }
    hiai::ConnectConfig *connect = graph->add_connects();
    connect->set_src_engine_id(2);
    connect->set_target_engine_id(1);
    connect->set_target_graph_id(7);
    assert_ok(Graph::CreateGraph(list));
    listen(1, 0);
    assert_ok(send(2, 0, text("")));
    assert_string_equal(answer().c_str(), ("1 0 odd=" + odd).c_str());
    assert_status(Graph::CreateGraph(list), HIAI_GRAPH_ID_EXIST);
}

static void file_is_read_changed_and_created(void **) {
    char path[] = "/tmp/hiai-graph-XXXXXX";
    const int fd = mkstemp(path);
    const std::string graph = "# a comment\n" + graph_of("Life", "HOST");
    assert_int_equal(write(fd, graph.data(), graph.size()), graph.size());
    assert_int_equal(close(fd), 0);
    hiai::GraphConfigList list;
    assert_ok(Graph::ParseConfigFile(path, list));
    assert_int_equal(list.graphs_size(), 1);
    assert_int_equal(list.graphs(0).engines(1).id(), 2);
    list.mutable_graphs(0)->set_graph_id(8);
    list.mutable_graphs(0)->mutable_connects(0)->set_target_graph_id(8);
    std::list<std::shared_ptr<Graph>> made;
    assert_ok(Graph::CreateGraph(path, made));
    assert_ok(Graph::CreateGraph(list));
    assert_int_equal(made.size(), 1);
    assert_int_equal(made.front()->GetGraphId(), 7);
    assert_int_equal(made.front()->GetDeviceID(), 0);
    assert_non_null(Graph::GetInstance(8).get());
    assert_ok(Graph::DestroyGraph(8));
    (void)unlink(path);
    assert_status(Graph::ParseConfigFile(path, list), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_status(Graph::CreateGraph(path), HIAI_GRAPH_PROTO_FILE_PARSE_FAILED);
    assert_ok(HIAI_Init(0)); // again
    assert_status(Graph::DestroyGraph(77), HIAI_GRAPH_NOT_EXIST);
    assert_status(made.front()->ModifyGraph(hiai::GraphUpdateConfig()), HIAI_ERROR);
    assert_status(Graph::SetPublicKeyForSignatureEncryption(""), HIAI_GRAPH_SET_PUBLIC_KEY_FAILED);
}

static void configuration_of_a_running_engine_is_updated(void **) {
    hiai::AIConfig config;
    for (const char *side : {"HOST", "DEVICE"}) {
        config.mutable_items()->Clear();
        config.add_items()->set_value("here");
        assert_ok(create(graph_of("Life", side)));
        listen(1, 0);
        assert_ok(Graph::UpdateEngineConfig(7, 2, config, true));
        assert_ok(send(2, 0, text("")));
        assert_string_equal(answer().c_str(), "updated here");
        config.add_items();
        assert_status(Graph::UpdateEngineConfig(7, 2, config, true),
                      HIAI_GRAPH_UPDATE_CONFIG_FAILED); // it throws
        assert_status(Graph::UpdateEngineConfig(7, 9, config), HIAI_ENGINE_ID_NOT_EXIST);
        config.mutable_items()->Clear();
        config.add_items();
        for (int i = 0; i < 20; i++) { // they run in their order
            config.mutable_items(0)->set_value(i == 0 ? "slowly" : std::to_string(i));
            assert_ok(Graph::UpdateEngineConfig(7, 2, config, i == 19));
        }
        assert_ok(send(2, 0, text("")));
        assert_string_equal(answer().c_str(), "updated 19");
        assert_ok(send(2, 0, text("updates")));
        assert_string_equal(answer().c_str(), "21");
        assert_ok(Graph::DestroyGraph(7));
    }
}

static void dead_device_is_told_and_the_graph_can_be_made_again(void **) {
    std::atomic<int> told(0);
    if (is_board()) return; // the device cannot die alone
    assert_ok(create(graph_of("Life", "DEVICE")));
    assert_ok(Graph::GetInstance(7)->RegisterEventHandle(
        hiai::HIAI_DEVICE_DISCONNECT_EVENT, [&told]() -> HIAI_StatusT {
            told++;
            throw std::runtime_error("of an event");
        }));
    hiai::AIConfig config;
    config.add_items()->set_value("die");
    assert_status(Graph::UpdateEngineConfig(7, 2, config, true), HIAI_HDC_SESSION_DEAD);
    wait_until([&told] { return told == 1; });
    assert_status(send(2, 0, text("")), HIAI_HDC_SESSION_DEAD);
    assert_ok(Graph::DestroyGraph(7));
    assert_ok(create(graph_of("Life", "DEVICE")));
    listen(1, 0);
    assert_ok(send(2, 0, text("")));
    assert_string_equal(answer().c_str(), "0 0");
    assert_int_equal(told, 1);
}

int main(int argc, char **argv) {
    const int on_board = run_board(argc, argv);
    prepare_form(argc, argv);
#define TEST(name)                                                                                 \
    { #name, name, set_up, tear_down, nullptr }
    const struct CMUnitTest tests[] = {
        TEST(init_sees_the_configuration_of_its_entry),
        TEST(init_that_fails_or_throws_fails_the_graph),
        TEST(creation_returns_after_the_last_init),
        TEST(objects_are_fresh_for_each_graph),
        TEST(threads_of_an_engine_share_its_object),
        TEST(own_thread_of_an_engine_may_send_until_the_object_is_gone),
        TEST(pointer_travels_within_a_side),
        TEST(engine_may_drop_a_message_at_once),
        TEST(builtin_types_cross_without_registration),
        TEST(kept_message_stays_intact),
        TEST(failures_of_a_send_are_named),
        TEST(exception_of_a_process_is_counted_and_the_engine_goes_on),
        TEST(receivers_are_as_many_as_ports),
        TEST(exception_of_a_receiver_ends_with_it),
        TEST(graph_is_built_in_code),
        TEST(file_is_read_changed_and_created),
        TEST(configuration_of_a_running_engine_is_updated),
        TEST(dead_device_is_told_and_the_graph_can_be_made_again),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr) + on_board;
}
