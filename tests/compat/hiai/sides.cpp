// SPDX-License-Identifier: Apache-2.0
// The same graphs with host and device in two processes, and with both sides in one, as on a board:
// the program runs itself a second time for that. The engines are in modules/engines.cpp.
#include "support/cplusplus.h"

#include <fcntl.h>
#include <set>

#include "support/picture.h"

using hiai::Graph;

static std::shared_ptr<Inbox> inbox;

class Out : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Out", Out, 1) { return SendData(0, "any name", arg0); }

// ---- help

static std::shared_ptr<std::string> text(const std::string &what) {
    return std::make_shared<std::string>(what);
}

static HIAI_StatusT send(uint32_t engine, uint32_t port, const std::shared_ptr<void> &message,
                         const char *type = "string", uint32_t ms = 500) {
    return Graph::GetInstance(7)->SendData({7, engine, port}, type, message, ms);
}

static std::string answer() { return *inbox->next<std::string>(); }

static std::string ask(uint32_t engine, const std::string &question) {
    assert_ok(send(engine, 0, text(question)));
    return answer();
}

static const char *const both_sides[] = {"HOST", "DEVICE"};

static void start(const std::string &graph) {
    assert_ok(create(graph));
    assert_ok(Graph::SetDataRecvFunctor({7, 1, 0}, inbox));
}

static std::string entry(int id, const std::string &engine, const std::string &side,
                         const std::string &more = "") {
    return "engines { id: " + std::to_string(id) + " engine_name: \"" + engine +
           "\" side: " + side + " so_name: \"" + module_path() + "\" " + more + " } ";
}

static std::string connection(int from, int port, int to, int to_port = 0) {
    return "connects { src_engine_id: " + std::to_string(from) +
           " src_port_id: " + std::to_string(port) + " target_engine_id: " + std::to_string(to) +
           " target_port_id: " + std::to_string(to_port) + " } ";
}

// A graph of two engines of a side, with numbers 2 and 3, that send to the receiver of the Out (1).
static std::string pair_of(const std::string &first, const std::string &second) {
    return "graphs { graph_id: 7 engines { id: 1 engine_name: \"Out\" side: HOST } " + first +
           second + connection(2, 0, 1) + connection(3, 0, 1) + "}";
}

static char diary_path[] = "/tmp/hiai-diary-XXXXXX";

// Returns what the engines have written down, and begins anew.
static std::string diary() {
    char bytes[4096];
    const int fd = open(diary_path, O_RDWR | O_CLOEXEC);
    const ssize_t length = read(fd, bytes, sizeof bytes);
    assert_true(fd >= 0 && length >= 0);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(close(fd), 0);
    return std::string(bytes, static_cast<size_t>(length));
}

static int set_up(void **) {
    inbox = std::make_shared<Inbox>();
    (void)diary();
    return 0;
}

static int tear_down(void **) {
    (void)Graph::DestroyGraph(7);
    inbox.reset();
    return 0;
}

// ---- messages

static void other_side_is_another_process_unless_on_a_board(void **) {
    start(graph_of("Life", "DEVICE"));
    assert_true((ask(2, "pid") == std::to_string(getpid())) == is_board());
}

static void texts_of_any_length_return_unchanged(void **) {
    start(graph_of("Forward", "DEVICE"));
    for (size_t size : {size_t(0), size_t(1), size_t(1) << 20, size_t(20) << 20}) {
        auto message = text(std::string(size, 'x'));
        assert_ok(send(2, 0, message));
        auto got = inbox->next<std::string>();
        assert_true(*got == *message);
        assert_true((got.get() == message.get()) == is_board());
    }
}

static void message_at_a_port_is_the_only_argument(void **) {
    for (const char *side : both_sides) {
        start(graph_of("Two", side));
        assert_ok(send(2, 0, text("a")));
        assert_ok(send(2, 1, text("b")));
        assert_string_equal(answer().c_str(), "ab");
        assert_ok(Graph::DestroyGraph(7));
        start(graph_of("Sixteen", side));
        for (uint32_t port : {15u, 0u, 9u}) {
            assert_ok(send(2, port, text("")));
            assert_string_equal(answer().c_str(), (std::to_string(port) + ";").c_str());
        }
        assert_ok(Graph::DestroyGraph(7));
    }
}

// A group of outputs is one message for the other side, whichever engine of the file has them.
static void engine_sends_beyond_its_declared_outputs(void **) {
    for (const char *side : both_sides) {
        start("graphs { graph_id: 7 engines { id: 1 engine_name: \"Out\" side: HOST } " +
              entry(2, "Beyond", side) + entry(3, "Beyond", side) + connection(2, 0, 1) +
              connection(2, 1, 1) + connection(2, 15, 1) + "}");
        assert_ok(send(2, 0, text("x")));
        assert_string_equal(answer().c_str(), "x");
        assert_string_equal(answer().c_str(), "x");
        assert_string_equal(answer().c_str(), "refused");
        if (is_board() || strcmp(side, "HOST") == 0) {
            // A receiver needs a declared port, or one with a connection.
            assert_ok(Graph::SetDataRecvFunctor({7, 2, 1}, inbox));
            assert_status(Graph::SetDataRecvFunctor({7, 2, 2}, inbox), HIAI_PORT_ID_ERROR);
            assert_status(Graph::SetDataRecvFunctor({7, 3, 1}, inbox), HIAI_PORT_ID_ERROR);
            assert_status(Graph::SetDataRecvFunctor({7, 2, 16}, inbox), HIAI_PORT_ID_ERROR);
        }
        assert_ok(Graph::DestroyGraph(7));
    }
}

static void first_engine_of_a_file_sends_to_the_other_side(void **) {
    start("graphs { graph_id: 7 " + entry(2, "Forward", "HOST") + entry(3, "Forward", "DEVICE") +
          entry(4, "Forward", "DEVICE") + "engines { id: 1 engine_name: \"Out\" side: HOST } " +
          connection(2, 0, 3) + connection(2, 0, 4) + connection(3, 0, 1) + connection(4, 0, 1) +
          "}");
    assert_string_equal(ask(2, "x").c_str(), "x");
    assert_string_equal(answer().c_str(), "x"); // of the second one
}

static void messages_stay_in_order(void **) {
    start(graph_of("Forward", "DEVICE", "thread_num: 1"));
    std::atomic<int> failures(0);
    std::thread sender([&failures] {
        for (int i = 0; i < 1000; i++)
            failures += send(2, 0, text(std::to_string(i)), "string", PATIENCE / 16) != HIAI_OK;
    });
    for (int i = 0; i < 1000; i++) assert_string_equal(answer().c_str(), std::to_string(i).c_str());
    sender.join();
    assert_int_equal(failures, 0);
}

static void kept_message_survives_its_sender(void **) {
    for (const char *side : both_sides) {
        start(graph_of("Keeper", side));
        auto first = text("first");
        std::weak_ptr<std::string> watch = first;
        assert_ok(send(2, 0, first));
        first.reset();
        for (int i = 1; i < 1000; i++) assert_ok(send(2, 0, text("more")));
        for (int i = 0; i < 10; i++) assert_string_equal(answer().c_str(), "first");
        wait_until([] { return inbox->count() == 0; });
        assert_ok(Graph::DestroyGraph(7)); // frees what the engine kept
        assert_true(watch.expired());
    }
}

static void dropped_message_is_freed_at_once(void **) {
    for (const char *side : both_sides) {
        start(graph_of("Dropper", side));
        assert_string_equal(ask(2, "x").c_str(), "gone");
        assert_ok(Graph::DestroyGraph(7));
    }
}

static std::atomic<long> counted_alive;

struct Counted {
    Counted() { counted_alive++; }
    ~Counted() { counted_alive--; }
    int number = 0;
};

// The engine is of a shared object that hides its names and was opened RTLD_LOCAL.
static void many_messages_within_a_side_leave_nothing(void **) {
    const char *sends = getenv("TARN_TEST_SENDS");
    const int count = sends != nullptr ? atoi(sends) : 10000;
    std::atomic<int> failures(0);
    start(graph_of("Forward", is_board() ? "DEVICE" : "HOST"));
    std::thread sender([&failures, count] {
        for (int i = 0; i < count; i++) {
            auto message = std::make_shared<Counted>();
            message->number = i;
            failures += send(2, 0, message, "counted", PATIENCE / 16) != HIAI_OK;
        }
    });
    for (int i = 0; i < count; i++) assert_int_equal(inbox->next<Counted>()->number, i);
    sender.join();
    assert_int_equal(failures, 0);
    wait_until([] { return counted_alive == 0; });
}

// ---- engines

static void entries_of_one_name_are_two_objects(void **) {
    for (const char *side : both_sides) {
        start(pair_of(
            entry(2, "Life", side, "ai_config { items { name: \"a\" value: \"1\" } }"),
            entry(3, "Life", side, "ai_config { items { name: \"b\" } items { name: \"c\" } }")));
        assert_string_equal(ask(2, "").c_str(), "1 0 a=1");
        assert_string_equal(ask(3, "").c_str(), "2 0 b= c=");
        hiai::AIConfig config;
        config.add_items()->set_value("two");
        assert_ok(Graph::UpdateEngineConfig(7, 2, config, true));
        assert_string_equal(ask(2, "").c_str(), "updated two");
        assert_string_equal(ask(3, "").c_str(), "2 0 b= c=");
        assert_ok(Graph::DestroyGraph(7));
    }
}

static void failed_init_leaves_no_object(void **) {
    for (const char *side : both_sides) {
        for (const char *how : {"fail", "throw"}) {
            const std::string config =
                std::string("ai_config { items { name: \"") + how + "\" value: \"x\" } }";
            assert_status(create(pair_of(entry(2, "Diary", side), entry(3, "Diary", side, config))),
                          HIAI_GRAPH_ENGINE_INIT_FAILED);
            assert_null(Graph::GetInstance(7).get());
            assert_string_equal(diary().c_str(), "cciidd");
        }
        start(pair_of(entry(2, "Diary", side), entry(3, "Diary", side)));
        assert_string_equal(diary().c_str(), "ccii"); // before the creation returned
        assert_string_equal(ask(3, "x").c_str(), "1");
        assert_ok(Graph::DestroyGraph(7));
        assert_string_equal(diary().c_str(), "pPdd");
    }
}

static void objects_end_after_their_last_process(void **) {
    for (const char *side : both_sides) {
        for (int round = 0; round < 2; round++) {
            start(graph_of("Diary", side));
            assert_string_equal(ask(2, "x").c_str(), "1"); // a fresh object
            assert_ok(Graph::DestroyGraph(7));             // while Process runs
            assert_string_equal(diary().c_str(), "cipPd");
        }
    }
}

static void threads_of_an_engine_share_its_object(void **) {
    for (const char *side : both_sides) {
        std::set<std::string> objects, threads;
        start(graph_of("Meeting", side, "thread_num: 4"));
        for (int i = 0; i < 4; i++) assert_ok(send(2, 0, text("x")));
        for (int i = 0; i < 4; i++) {
            const std::string said = answer();
            objects.insert(said.substr(0, said.find(' ')));
            threads.insert(said.substr(said.find(' ') + 1));
        }
        assert_int_equal(objects.size(), 1);
        assert_int_equal(threads.size(), 4);
        assert_true(threads.begin()->find("alone") == std::string::npos);
        assert_ok(Graph::DestroyGraph(7));
    }
}

static void own_thread_of_an_engine_may_send_until_the_object_is_gone(void **) {
    const char *often = getenv("TARN_TEST_ROUNDS");
    const int rounds = often != nullptr ? atoi(often) : 20;
    for (int i = 0; i < rounds; i++) {
        start(graph_of("Source", both_sides[i % 2]));
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 5));
        assert_ok(Graph::DestroyGraph(7));
        assert_string_equal(diary().c_str(), "q");
    }
}

static void receivers_hear_their_own_port(void **) {
    auto other = std::make_shared<Inbox>();
    assert_ok(create("graphs { graph_id: 7 " + entry(2, "Splitter", "HOST") + "}"));
    assert_ok(Graph::SetDataRecvFunctor({7, 2, 0}, inbox));
    assert_ok(Graph::SetDataRecvFunctor({7, 2, 1}, other));
    for (int i = 0; i < 100; i++) {
        assert_ok(send(2, 0, text("a" + std::to_string(i))));
        assert_ok(send(2, 1, text("b" + std::to_string(i))));
    }
    for (int i = 0; i < 100; i++) {
        assert_string_equal(answer().c_str(), ("a" + std::to_string(i)).c_str());
        assert_string_equal(other->next<std::string>()->c_str(), ("b" + std::to_string(i)).c_str());
    }
    assert_ok(Graph::DestroyGraph(7));
    assert_int_equal(inbox->count() + other->count(), 0);
}

// ---- types

#ifdef HIAIX_HAS_CEREAL
struct Note { // that of modules/engines.cpp
    std::string text;
    HIAI_SERIALIZE(text)
};
HIAI_REGISTER_DATA_TYPE("note", Note)
HIAI_REGISTER_DATA_TYPE("both", Note)
HIAI_REGISTER_DATA_TYPE("lie", Note)
HIAI_REGISTER_SERIALIZE_FUNC("picture", Picture, write_picture,
                             (read_picture<void, Graph::ReleaseDataBuffer>))

static void write_text(void *input, std::string &ctrl, uint8_t *&, uint32_t &) {
    ctrl = *static_cast<std::string *>(input);
}

static std::shared_ptr<void> read_text(const char *ctrl, const uint32_t &size, const uint8_t *,
                                       const uint32_t &) {
    return text("read " + std::string(ctrl, size));
}
HIAI_REGISTER_SERIALIZE_FUNC("both", std::string, write_text, read_text)
HIAI_REGISTER_SERIALIZE_FUNC("only common here", std::string, write_text, read_text)

static void registered_struct_returns_changed(void **) {
    start(graph_of("Append", "DEVICE"));
    auto note = std::make_shared<Note>();
    note->text = "abc";
    assert_ok(send(2, 0, note, "note"));
    auto got = inbox->next<Note>();
    assert_string_equal(got->text.c_str(), "abc-d");
    assert_string_equal(note->text.c_str(), is_board() ? "abc-d" : "abc");
    got.reset();
    wait_until([&note] { return note.use_count() == 1; });
}

static void fast_path_is_taken_where_both_sides_have_it(void **) {
    start(pair_of(
        entry(2, "Forward", "DEVICE", "ai_config { items { name: \"type\" value: \"both\" } }"),
        entry(3, "Life", "DEVICE")));
    assert_ok(send(2, 0, text("x"), "both"));
    assert_string_equal(answer().c_str(), is_board() ? "x" : "read fast x"); // both readers ran
    assert_int_equal(stats_of(7).copies, 0);
    assert_ok(send(2, 0, text("y"), "only common here"));
    if (is_board()) {
        assert_string_equal(answer().c_str(), "y");
    } else {
        wait_until([] { return ask(3, "rejected") == "1"; });
        assert_int_equal(inbox->count(), 0);
    }
}

static void blocks_with_an_archive_are_freed_by_their_deleters(void **) {
    start(graph_of("Negative", "DEVICE",
                   "ai_config { items { name: \"type\" value: \"picture\" } }", "picture"));
    for (uint32_t i = 0; i < 50; i++) {
        const uint32_t size = 4096 * i + 1;
        auto picture = make_picture(std::to_string(i), size);
        assert_non_null(picture.get());
        memset(picture->data.get(), static_cast<int>(i), size);
        assert_ok(send(2, 0, picture, "picture"));
        auto negative = inbox->next<Picture>();
        assert_string_equal(negative->title.c_str(), (std::to_string(i) + "-n").c_str());
        assert_int_equal(negative->size, size);
        for (uint32_t byte = 0; byte < size; byte++)
            assert_true(negative->data.get()[byte] == static_cast<uint8_t>(~i));
    }
    assert_int_equal(stats_of(7).copies, 0);
    wait_until([] { return stats_of(7).poolBlocks == 0; });
}

static void lying_archive_of_the_device_is_rejected(void **) {
    if (is_board()) return; // nothing is serialized
    start(pair_of(entry(2, "Liar", "DEVICE"), entry(3, "Life", "DEVICE")));
    const std::string note("\1\4\0\0\0\0\0\0\0true", 13);
    const std::string lies[] = {std::string("\1\0\0\0\0\0\0\0\x80", 9), note.substr(0, 12),
                                note.substr(0, 1), std::string(), std::string("\7") + note};
    uint64_t rejected = 0;
    for (const std::string &lie : lies) {
        assert_ok(send(2, 0, text(lie)));
        rejected++;
        wait_until([&] { return stats_of(7).rejected >= rejected; });
        assert_int_equal(inbox->count(), 0);
        assert_string_equal(ask(3, "").c_str(), "0 0"); // the host goes on
    }
    assert_ok(send(2, 0, text(note)));
    assert_string_equal(inbox->next<Note>()->text.c_str(), "true");
    assert_int_equal(stats_of(7).rejected, rejected);
}
#endif

int main(int argc, char **argv) {
    if (argc == 1) {
        const int fd = mkstemp(diary_path);
        if (fd < 0 || close(fd) != 0 || setenv("HIAI_TEST_DIARY", diary_path, 1) != 0) return 1;
    } else {
        (void)snprintf(diary_path, sizeof diary_path, "%s", getenv("HIAI_TEST_DIARY"));
    }
    const int on_board = run_board(argc, argv);
    prepare_form(argc, argv);
#define TEST(name)                                                                                 \
    { #name, name, set_up, tear_down, nullptr }
    const struct CMUnitTest tests[] = {
        TEST(other_side_is_another_process_unless_on_a_board),
        TEST(texts_of_any_length_return_unchanged),
        TEST(message_at_a_port_is_the_only_argument),
        TEST(engine_sends_beyond_its_declared_outputs),
        TEST(first_engine_of_a_file_sends_to_the_other_side),
        TEST(messages_stay_in_order),
        TEST(kept_message_survives_its_sender),
        TEST(dropped_message_is_freed_at_once),
        TEST(many_messages_within_a_side_leave_nothing),
        TEST(entries_of_one_name_are_two_objects),
        TEST(failed_init_leaves_no_object),
        TEST(objects_end_after_their_last_process),
        TEST(threads_of_an_engine_share_its_object),
        TEST(own_thread_of_an_engine_may_send_until_the_object_is_gone),
        TEST(receivers_hear_their_own_port),
#ifdef HIAIX_HAS_CEREAL
        TEST(registered_struct_returns_changed),
        TEST(fast_path_is_taken_where_both_sides_have_it),
        TEST(blocks_with_an_archive_are_freed_by_their_deleters),
        TEST(lying_archive_of_the_device_is_rejected),
#endif
    };
    const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
    if (argc == 1) (void)unlink(diary_path);
    return failed + on_board;
}
