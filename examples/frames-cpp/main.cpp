// SPDX-License-Identifier: Apache-2.0
// The host: a source makes 4K frames, the worker on the device sums them up, a sink collects the
// sums. With TARN_HIAI_MODE=RC the same graph runs in this process alone.
// Usage: frames-cpp WORKER.so
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>

#include "frames.h"

enum { FRAMES = 30, WIDTH = 3840, HEIGHT = 2160, SIZE = WIDTH * HEIGHT * 3 / 2 };
static uint64_t expected[FRAMES];

class Source : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Source", Source, 1) {
    for (uint32_t i = 0; arg0 && i < FRAMES; i++) {
        void *block = nullptr;
        auto frame = std::make_shared<Frame>();
        // The deleter frees the block on both sides of a channel, and within one process.
        const HIAI_StatusT got =
            hiai::HIAIMemory::HIAI_DMalloc(SIZE, block, 10000, hiai::HIAI_MEMORY_ATTR_MANUAL_FREE);
        if (got != HIAI_OK) return got;
        std::memset(block, static_cast<int>(16 + i), SIZE);
        static_cast<uint8_t *>(block)[i] = 235;
        frame->number = i;
        frame->size = SIZE;
        frame->pixels.reset(static_cast<uint8_t *>(block), hiai::HIAIMemory::HIAI_DFree);
        expected[i] = sum_of(frame->pixels.get(), SIZE);
        HIAI_StatusT status = SendData(0, "frame", frame);
        if (status != HIAI_OK) {
            HIAI_ENGINE_LOG(this, status, "frame %u: %s", i, HIAIX_GetLastErrorText());
            return status;
        }
    }
    return HIAI_OK;
}

class Sink : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Sink", Sink, 1) {
    return SendData(0, "string", arg0); // to the receiver
}

class Receiver : public hiai::DataRecvInterface {
  public:
    HIAI_StatusT RecvData(const std::shared_ptr<void> &message) override {
        const char *answer = static_cast<std::string *>(message.get())->c_str();
        char *sum = nullptr;
        const unsigned long number = std::strtoul(answer, &sum, 10);
        std::lock_guard<std::mutex> guard(lock);
        right += number < FRAMES && std::strtoull(sum, nullptr, 10) == expected[number];
        answers++;
        arrived.notify_one();
        return HIAI_OK;
    }
    std::mutex lock;
    std::condition_variable arrived;
    int answers = 0, right = 0;
};

int main(int argc, char **argv) {
    const std::string text = R"(graphs { graph_id: 1
        engines { id: 1 engine_name: "Source" side: HOST }
        engines { id: 2 engine_name: "Worker" side: DEVICE queue_size: 4 so_name: ")" +
                             std::string(argc > 1 ? argv[1] : "./worker.so") + R"(" }
        engines { id: 3 engine_name: "Sink" side: HOST }
        connects { src_engine_id: 1 target_engine_id: 2 }
        connects { src_engine_id: 2 target_engine_id: 3 } })";
    hiai::GraphConfigList list;
    struct HIAIX_Stats stats = {};
    stats.size = sizeof stats;
    auto receiver = std::make_shared<Receiver>();
    if (HIAI_Init(0) != HIAI_OK || !hiai::hiaix::Parse(text, list) ||
        hiai::Graph::CreateGraph(list) != HIAI_OK ||
        hiai::Graph::SetDataRecvFunctor({1, 3, 0}, receiver) != HIAI_OK ||
        hiai::Graph::GetInstance(1)->SendData({1, 1, 0}, "string",
                                              std::make_shared<std::string>("go")) != HIAI_OK)
        return std::fprintf(stderr, "%s\n", HIAIX_GetLastErrorText()), 1;
    std::unique_lock<std::mutex> guard(receiver->lock);
    // A frame may be lost: gives up when no answer arrives for 5 seconds.
    for (int seen = -1; receiver->answers < FRAMES && receiver->answers != seen;) {
        seen = receiver->answers;
        receiver->arrived.wait_for(guard, std::chrono::seconds(5),
                                   [&] { return receiver->answers != seen; });
    }
    guard.unlock();
    (void)HIAIX_Stats(1, &stats);
    std::printf("%d of %d frames right, %llu messages to the device, %llu copies\n",
                receiver->right, int(FRAMES), static_cast<unsigned long long>(stats.sends),
                static_cast<unsigned long long>(stats.copies));
    const bool ended = hiai::Graph::DestroyGraph(1) == HIAI_OK;
    return ended && receiver->right == FRAMES && stats.copies == 0 ? 0 : 1;
}
