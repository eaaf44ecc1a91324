// SPDX-License-Identifier: Apache-2.0
// The C++ form, as a client of Matrix writes it: blocks, serializers with strings and shared
// pointers, sends, receivers, events. The device process is this program.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>

extern "C" {
#include <cmocka.h>
}

using hiai::Graph;
using hiai::HIAIMemory;

namespace {

// Output 0 of the Sink on the host is where messages come out; Echo is on the device.
const char graph_text[] =
    "graphs { graph_id: 7 device_id: \"0\"\n"
    "  engines { id: 1 engine_name: \"Sink\" side: HOST queue_size: 64 }\n"
    "  engines { id: 2 engine_name: \"Echo\" side: DEVICE queue_size: 64 }\n"
    "  connects { src_engine_id: 2 src_port_id: 0 target_engine_id: 1 target_port_id: 0 }\n"
    "}\n";
const uint32_t GRAPH = 7, SINK = 1, ECHO = 2, PATIENCE = 600000;

#define assert_status(call, want) check_status((call), (want), #call, __FILE__, __LINE__)
#define assert_ok(call)           assert_status(call, HIAI_OK)

void check_status(HIAI_StatusT got, HIAI_StatusT want, const char *text, const char *file,
                  int line) {
    if (got != want) {
        print_error("%s: %s, not %s (%s)\n", text, HIAIX_StatusStr(got), HIAIX_StatusStr(want),
                    HIAIX_GetLastErrorText());
        _fail(file, line);
    }
}

// ---- a kind of message, as clients have them

std::atomic<int> frames_alive, serializations;

struct Frame {
    enum What { PLAIN, REJECT, THROW, NO_MEMORY, QUIT };
    uint32_t what = PLAIN;
    std::string note;
    std::shared_ptr<uint8_t> data;
    uint32_t size = 0;

    Frame() { frames_alive++; }
    ~Frame() { frames_alive--; }
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;
};

void write_frame(void *input, std::string &ctrl, uint8_t *&data, uint32_t &size) {
    const Frame *frame = static_cast<const Frame *>(input);
    serializations++;
    if (frame->what == Frame::THROW) throw std::runtime_error("a serializer that throws");
    if (frame->what == Frame::NO_MEMORY) throw std::bad_alloc();
    ctrl.assign(reinterpret_cast<const char *>(&frame->what), sizeof frame->what);
    ctrl += frame->note;
    data = frame->data.get();
    size = frame->size;
}

std::shared_ptr<void> read_frame(const char *ctrl, const uint32_t &ctrl_size, const uint8_t *data,
                                 const uint32_t &size) {
    auto frame = std::make_shared<Frame>();
    std::memcpy(&frame->what, ctrl, sizeof frame->what);
    frame->note.assign(ctrl + sizeof frame->what, ctrl_size - sizeof frame->what);
    if (frame->what == Frame::REJECT) return std::shared_ptr<void>();
    frame->data.reset(const_cast<uint8_t *>(data), Graph::ReleaseDataBuffer);
    frame->size = size;
    return frame;
}

HIAI_REGISTER_SERIALIZE_FUNC("frame", Frame, write_frame, read_frame)

std::shared_ptr<Frame> make_frame(uint32_t size, uint32_t flag, uint8_t first) {
    auto frame = std::make_shared<Frame>();
    void *block = nullptr;
    assert_ok(HIAIMemory::HIAI_DMalloc(size, block, PATIENCE, flag));
    std::memset(block, first, size);
    frame->size = size;
    if (flag == hiai::HIAI_MEMORY_ATTR_MANUAL_FREE)
        frame->data.reset(static_cast<uint8_t *>(block), HIAIMemory::HIAI_DFree);
    else
        frame->data.reset(static_cast<uint8_t *>(block), [](uint8_t *) {}); // goes with the send
    return frame;
}

// ---- engines

class Sink : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

class Echo : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

} // namespace

HIAI_IMPL_ENGINE_PROCESS("Sink", Sink, 1) { return SendData(0, "frame", arg0); }

HIAI_IMPL_ENGINE_PROCESS("Echo", Echo, 1) {
    auto frame = std::static_pointer_cast<Frame>(arg0);
    if (frame->what == Frame::QUIT) _exit(0);
    auto answer = std::make_shared<Frame>();
    answer->note = frame->note + "!";
    answer->size = frame->size;
    void *block = nullptr;
    if (frame->size != 0 && HIAIMemory::HIAI_DMalloc(frame->size, block) != HIAI_OK)
        return HIAI_ERROR;
    if (block != nullptr) std::memcpy(block, frame->data.get(), frame->size);
    answer->data.reset(static_cast<uint8_t *>(block), [](uint8_t *) {});
    return SendData(0, "frame", answer);
}

namespace {

class Inbox : public hiai::DataRecvInterface {
  public:
    HIAI_StatusT RecvData(const std::shared_ptr<void> &message) override {
        std::lock_guard<std::mutex> guard(lock);
        messages.push_back(std::static_pointer_cast<Frame>(message));
        changed.notify_all();
        return HIAI_OK;
    }

    std::shared_ptr<Frame> next() {
        std::unique_lock<std::mutex> guard(lock);
        bool came = changed.wait_for(guard, std::chrono::milliseconds(PATIENCE),
                                     [this] { return !messages.empty(); });
        assert_true(came);
        auto frame = messages.front();
        messages.pop_front();
        return frame;
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::shared_ptr<Frame>> messages;
};

std::shared_ptr<Inbox> inbox;

// ---- fixtures

HIAI_PortID_t port_of(uint32_t engine) { return {GRAPH, engine, 0}; }

HIAI_StatusT send(uint32_t engine, std::shared_ptr<void> message) {
    return HIAI_SendData(port_of(engine), "frame", message, PATIENCE);
}

int set_up(void **) {
    char path[] = "/tmp/hiai-cpp-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, graph_text, sizeof graph_text - 1), sizeof graph_text - 1);
    assert_int_equal(close(fd), 0);
    assert_ok(HIAI_Init(0));
    assert_ok(Graph::CreateGraph(path));
    (void)unlink(path);
    inbox = std::make_shared<Inbox>();
    assert_ok(Graph::SetDataRecvFunctor({GRAPH, SINK, 0}, inbox));
    return 0;
}

uint64_t blocks() {
    struct HIAIX_Stats stats = {};
    stats.size = sizeof stats;
    assert_ok(HIAIX_Stats(GRAPH, &stats));
    return stats.poolBlocks;
}

template <typename Condition> void wait_until(Condition condition) {
    for (uint32_t ms = 0; !condition() && ms < PATIENCE; ms++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    assert_true(condition());
}

int tear_down(void **) {
    wait_until([] { return blocks() == 0; });
    assert_ok(Graph::DestroyGraph(GRAPH));
    inbox.reset();
    assert_int_equal(frames_alive, 0);
    return 0;
}

// ---- memory

void blocks_come_with_a_status(void **) {
    void *block = &block;
    void *before = block;
    assert_status(HIAIMemory::HIAI_DMalloc(0, block), HIAI_GRAPH_INVALID_VALUE);
    assert_status(HIAIMemory::HIAI_DMalloc(1, block, 0, 1), HIAI_GRAPH_INVALID_VALUE);
    assert_status(HIAIMemory::HIAI_DMalloc((256u << 20) + 1, block), HIAI_GRAPH_MALLOC_LARGER);
    assert_ptr_equal(block, before);
    assert_ok(HIAIMemory::HIAI_DMalloc(5000, block));
    assert_true(HIAIMemory::IsDMalloc(block, 5000));
    assert_true(HIAIMemory::IsDMalloc(static_cast<char *>(block) + 4999, 1));
    assert_false(HIAIMemory::IsDMalloc(block, 5001));
    assert_false(HIAIMemory::IsDMalloc(before, 1));
    assert_status(HIAIMemory::HIAI_DVPP_DFree(block), HIAIX_WRONG_SIDE);
    assert_ok(HIAIMemory::HIAI_DFree(block));
    assert_status(HIAIMemory::HIAI_DFree(block), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_status(HIAIMemory::HIAI_DFree(nullptr), HIAI_GRAPH_INVALID_VALUE);
    assert_status(HIAIMemory::HIAI_DVPP_DMalloc(100, block), HIAIX_WRONG_SIDE);
}

void constants_are_the_vendors(void **) {
    assert_int_equal(hiai::MALLOC_DEFAULT_TIME_OUT, 500);
    assert_int_equal(hiai::SEND_DATA_DEFAULT_TIME_OUT, 500);
    assert_int_equal(hiai::TIME_OUT_VALUE, 500);
    assert_int_equal(hiai::ENGINE_MAX_QUEUE_SIZE, 200);
    assert_int_equal(hiai::HIAI_MEMORY_ATTR_NONE, 0);
    assert_int_equal(hiai::HIAI_MEMORY_ATTR_ATUO_FREE, 2);
    assert_int_equal(hiai::HIAI_MEMORY_ATTR_MANUAL_FREE, 4);
    assert_int_equal(hiai::HIAI_MEMORY_ATTR_MAX, 5);
    assert_int_equal(hiai::HIAI_DEVICE_DISCONNECT_EVENT, 0);
}

// ---- registration

void first_serializer_of_a_name_stays(void **) {
    using namespace hiai::hiaix;
    struct Serializer : TypeRegistrar<FastConverter> {
        Serializer(const char *type, hiai::HIAI_SerializeFuncT s, hiai::HIAI_DeserializeFuncT d)
            : TypeRegistrar<FastConverter>(type, HIAIX_PATH_FAST, FastConverter(s, d)) {}
    };
    {
        Serializer second("frame", write_frame, read_frame);
        assert_status(second.Status(), HIAI_ENGINE_FUNCTOR_EXIST);
        assert_status(Serializer("x", nullptr, read_frame).Status(), HIAI_ENGINE_FUNCTOR_NULL);
        assert_status(Serializer("x", write_frame, nullptr).Status(), HIAI_ENGINE_FUNCTOR_NULL);
        assert_ok(Serializer("x", write_frame, read_frame).Status());
        assert_ok(Serializer("x", write_frame, read_frame).Status()); // the one before is gone
    }
    assert_ok(send(ECHO, std::make_shared<Frame>())); // and the first one is not
    (void)inbox->next();
}

// ---- there and back

void message_goes_to_the_device_and_an_answer_comes_back(void **) {
    auto frame = make_frame(100000, hiai::HIAI_MEMORY_ATTR_ATUO_FREE, 9);
    frame->note = "hello";
    assert_ok(send(ECHO, frame));
    assert_status(HIAIMemory::HIAI_DFree(frame->data.get()), HIAI_GRAPH_NOT_FOND_MEMORY);
    auto answer = inbox->next();
    assert_string_equal(answer->note.c_str(), "hello!");
    assert_int_equal(answer->size, 100000);
    assert_int_equal(answer->data.get()[99999], 9);
    assert_true(HIAIMemory::IsDMalloc(answer->data.get(), 100000));
}

// The stream sources of clients: the last owner goes as soon as the send has returned.
void manual_block_may_go_with_its_last_owner(void **) {
    for (uint8_t i = 0; i < 50; i++) {
        assert_ok(send(ECHO, make_frame(200000, hiai::HIAI_MEMORY_ATTR_MANUAL_FREE, i)));
        auto answer = inbox->next();
        assert_int_equal(answer->data.get()[0], i);
        assert_int_equal(answer->data.get()[199999], i);
    }
}

void long_control_strings_arrive_whole(void **) {
    auto frame = std::make_shared<Frame>();
    frame->note.assign(1 << 20, 'n');
    assert_ok(send(ECHO, frame));
    auto answer = inbox->next();
    assert_int_equal(answer->note.size(), (1 << 20) + 1);
    assert_int_equal(answer->note[1000000], 'n');
    assert_null(answer->data.get());
}

void failed_send_leaves_everything_as_it_was(void **) {
    auto frame = make_frame(5000, hiai::HIAI_MEMORY_ATTR_ATUO_FREE, 3);
    std::shared_ptr<void> nothing;
    assert_status(HIAI_SendData(port_of(ECHO), "frame", nothing), HIAI_ENGINE_NULL_POINTER);
    frame->what = Frame::THROW;
    assert_status(send(ECHO, frame), HIAI_ERROR);
    frame->what = Frame::NO_MEMORY;
    assert_status(send(ECHO, frame), HIAI_MEMORY_EXHAUSTED);
    frame->what = Frame::PLAIN;
    assert_status(send(77, frame), HIAI_GRAPH_ENGINE_NOT_EXIST);
    std::shared_ptr<void> same = frame;
    assert_status(HIAI_SendData(port_of(ECHO), "unknown", same), HIAI_GRAPH_SEARFUNC_IS_NULL);
    assert_int_equal(frame.use_count(), 2); // nobody else has kept it
    assert_ok(send(ECHO, frame));
    assert_int_equal(inbox->next()->data.get()[4999], 3);
}

void rejected_message_gives_its_block_back(void **) {
    auto frame = make_frame(5000, hiai::HIAI_MEMORY_ATTR_ATUO_FREE, 3);
    frame->what = Frame::REJECT;
    assert_ok(send(ECHO, frame)); // the teardown waits for the block
}

// ---- on one side

void message_of_this_side_is_shared_not_serialized(void **) {
    int before = serializations;
    auto frame = std::make_shared<Frame>();
    Frame *address = frame.get();
    std::weak_ptr<Frame> watch = frame;
    assert_ok(send(SINK, frame));
    frame.reset(); // the queue keeps it
    auto got = inbox->next();
    assert_ptr_equal(got.get(), address);
    assert_int_equal(serializations, before);
    got.reset();
    wait_until([&] { return watch.expired(); });
}

void one_message_may_be_sent_to_many(void **) {
    auto frame = std::make_shared<Frame>();
    for (int i = 0; i < 20; i++) assert_ok(send(SINK, frame));
    for (int i = 0; i < 20; i++) assert_ptr_equal(inbox->next().get(), frame.get());
    wait_until([&] { return frame.use_count() == 1; });
}

// ---- graphs

void instances_are_of_graphs_that_are_there(void **) {
    assert_null(Graph::GetInstance(99).get());
    auto graph = Graph::GetInstance(GRAPH);
    assert_non_null(graph.get());
    assert_ok(graph->SendData({GRAPH, ECHO, 0}, "frame", std::make_shared<Frame>()));
    (void)inbox->next();
    assert_status(graph->SendData({GRAPH, 77, 0}, "frame", std::make_shared<Frame>()),
                  HIAI_GRAPH_ENGINE_NOT_EXIST);
    assert_status(Graph::SetDataRecvFunctor({GRAPH, SINK, 0}, nullptr),
                  HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL);
    assert_status(Graph::SetDataRecvFunctor({GRAPH, SINK, 5}, inbox), HIAI_PORT_ID_ERROR);
    assert_status(Graph::CreateGraph(""), HIAI_GRAPH_INVALID_VALUE);
    assert_status(Graph::DestroyGraph(99), HIAI_GRAPH_NOT_EXIST);
}

void end_of_the_device_is_told_once(void **) {
    std::atomic<int> told(0);
    auto graph = Graph::GetInstance(GRAPH);
    assert_ok(graph->RegisterEventHandle(hiai::HIAI_DEVICE_DISCONNECT_EVENT, [&told] {
        told++;
        return static_cast<HIAI_StatusT>(HIAI_OK);
    }));
    auto last = std::make_shared<Frame>();
    last->what = Frame::QUIT;
    assert_ok(send(ECHO, last));
    wait_until([&told] { return told == 1; });
    assert_status(send(ECHO, last), HIAI_HDC_SESSION_DEAD);
    assert_int_equal(told, 1);
}

} // namespace

int main(int argc, char **argv) {
    const char *config = nullptr;
    uint32_t graph = 0;
    if (HIAIX_IsDevice(argc, argv, &config, &graph) != 0) {
        HIAI_StatusT status = HIAIX_DeviceMain(config, graph);
        return status == HIAI_OK || status == HIAI_HDC_SESSION_DEAD ? 0 : 1;
    }
    (void)setenv("TARN_HIAI_POOL", "32M", 1);
    (void)setenv("TARN_HIAI_DEVICE_PROGRAM", "/proc/self/exe", 1);
    (void)unsetenv("TARN_HIAI_MODE");
#define TEST(name)                                                                                 \
    { #name, name, set_up, tear_down, nullptr }
    const struct CMUnitTest tests[] = {
        TEST(blocks_come_with_a_status),
        TEST(constants_are_the_vendors),
        TEST(first_serializer_of_a_name_stays),
        TEST(message_goes_to_the_device_and_an_answer_comes_back),
        TEST(manual_block_may_go_with_its_last_owner),
        TEST(long_control_strings_arrive_whole),
        TEST(failed_send_leaves_everything_as_it_was),
        TEST(rejected_message_gives_its_block_back),
        TEST(message_of_this_side_is_shared_not_serialized),
        TEST(one_message_may_be_sent_to_many),
        TEST(instances_are_of_graphs_that_are_there),
        TEST(end_of_the_device_is_told_once),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
