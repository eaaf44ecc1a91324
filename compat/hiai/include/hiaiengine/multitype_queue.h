/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/multitype_queue.h - queues of messages side by side, for engines that need one of each
 * input. Any thread may use them; nothing waits.
 */
#ifndef HIAIENGINE_MULTITYPE_QUEUE_H
#define HIAIENGINE_MULTITYPE_QUEUE_H

#include <hiaiengine/log.h>

#ifdef __cplusplus
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <queue>
#include <vector>

namespace hiai {

class MultiTypeQueue {
  public:
    /* With durationMs > 0, PopData() and PopAllData() first drop heads that are as old. */
    explicit MultiTypeQueue(uint32_t queNum, uint32_t maxQueLen = 1024, uint32_t durationMs = 0)
        : queues(queNum), most(maxQueLen), age(durationMs) {}
    MultiTypeQueue(const MultiTypeQueue &) = delete;
    MultiTypeQueue &operator=(const MultiTypeQueue &) = delete;

    /* Returns false for an empty pointer, a queue that does not exist, and a full one. */
    bool PushData(uint32_t qIndex, const std::shared_ptr<void> &dataPtr) {
        std::lock_guard<std::mutex> guard(lock);
        if (!dataPtr || qIndex >= queues.size() || queues[qIndex].size() >= most) return false;
        queues[qIndex].push_back({dataPtr, Clock::now()});
        return true;
    }

    /* Returns the head, which stays. */
    bool FrontData(uint32_t qIndex, std::shared_ptr<void> &dataPtr) {
        std::lock_guard<std::mutex> guard(lock);
        if (qIndex >= queues.size() || queues[qIndex].empty()) return false;
        dataPtr = queues[qIndex].front().pointer;
        return true;
    }

    bool PopData(uint32_t qIndex, std::shared_ptr<void> &dataPtr) {
        std::lock_guard<std::mutex> guard(lock);
        if (qIndex >= queues.size() || !has_head(queues[qIndex])) return false;
        dataPtr = take(queues[qIndex]);
        return true;
    }

    /* Takes one head of each queue, or nothing if one is empty or the number is another one. */
    template <typename... T> bool PopAllData(std::shared_ptr<T> &...data) {
        static_assert(sizeof...(T) >= 1 && sizeof...(T) <= 16, "1 to 16 queues");
        std::lock_guard<std::mutex> guard(lock);
        bool all = sizeof...(T) == queues.size();
        for (size_t i = 0; all && i < queues.size(); i++) all = has_head(queues[i]);
        if (all) take_from(0, data...);
        return all;
    }

  private:
    typedef std::chrono::steady_clock Clock;
    struct Item {
        std::shared_ptr<void> pointer;
        Clock::time_point since;
    };
    typedef std::deque<Item> Items;

    bool has_head(Items &items) const {
        while (age != 0 && !items.empty() &&
               Clock::now() - items.front().since >= std::chrono::milliseconds(age))
            items.pop_front();
        return !items.empty();
    }
    static std::shared_ptr<void> take(Items &items) {
        std::shared_ptr<void> pointer = std::move(items.front().pointer);
        items.pop_front();
        return pointer;
    }
    void take_from(size_t) {}
    template <typename First, typename... Rest>
    void take_from(size_t at, std::shared_ptr<First> &first, std::shared_ptr<Rest> &...rest) {
        first = std::static_pointer_cast<First>(take(queues[at]));
        take_from(at + 1, rest...);
    }

    std::mutex lock;
    std::vector<Items> queues; /* guard: lock */
    const uint32_t most;
    const uint32_t age; /* ms */
};

} // namespace hiai
#endif
#endif
