// SPDX-License-Identifier: Apache-2.0
// A peer for the benchmark of kernels, written for it after the published description of HIP-CPU. A
// launch is a parallel loop over blocks. The first thread of a block is called plainly. If it met no
// barrier, the other threads are calls in a loop. Otherwise each thread becomes a coroutine, and a
// barrier switches to the next thread, round robin. Coroutines switch by _setjmp() and _longjmp(),
// which make no system call.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <csetjmp>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include <ucontext.h>

namespace peer {

// ---- the threads of a block

struct coroutine {
    jmp_buf at;
    bool begun;
    bool ended;
};

constexpr unsigned threads_per_block = 1024;
constexpr size_t stack_bytes = 64 << 10;

// The block that a thread of the CPU runs.
struct tile {
    coroutine *coroutines = nullptr; // one for each thread; the first has the CPU thread's stack
    const std::function<void()> *kernel = nullptr;
    unsigned block = 0;
    unsigned size = 0;
    unsigned current = 0;
    unsigned left = 0; // threads that have not ended
    bool met = false;
};

inline thread_local tile here;

inline void run_coroutine();

inline void begin(coroutine &to) {
    ucontext_t context;
    void *const stack = malloc(stack_bytes);
    if (stack == nullptr || getcontext(&context) != 0) abort();
    to.begun = true;
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = stack_bytes;
    context.uc_link = nullptr;
    makecontext(&context, run_coroutine, 0);
    (void)setcontext(&context);
    abort(); // never reached
}

inline void switch_from(unsigned self) {
    do here.current = here.current + 1 < here.size ? here.current + 1 : 0;
    while (here.coroutines[here.current].ended && here.left > 0);
    if (here.left == 0) here.current = 0;
    if (_setjmp(here.coroutines[self].at) != 0) return;
    coroutine &to = here.coroutines[here.current];
    if (!to.begun) begin(to);
    _longjmp(to.at, 1);
}

inline void end_thread() {
    here.coroutines[here.current].ended = true;
    here.left--;
}

inline void run_coroutine() {
    for (;;) {
        (*here.kernel)();
        end_thread();
        switch_from(here.current);
    }
}

inline void barrier() {
    here.met = true;
    if (here.size > 1) switch_from(here.current);
}

// `body` is the kernel with its arguments, inlined in the loop over threads that meet no barrier.
template <typename Body>
void run_block(const Body &body, const std::function<void()> &kernel, unsigned block,
               unsigned size) {
    if (here.coroutines == nullptr) {
        here.coroutines = static_cast<coroutine *>(calloc(threads_per_block, sizeof(coroutine)));
        if (here.coroutines == nullptr) abort();
        here.coroutines[0].begun = true;
    }
    here.kernel = &kernel;
    here.block = block;
    here.size = here.left = size;
    here.current = 0;
    here.met = false;
    body();
    if (!here.met) {
        for (here.current = 1; here.current < size; here.current++) body();
        return;
    }
    end_thread();
    if (here.left > 0) switch_from(0);
    for (unsigned i = 0; i < size; i++) here.coroutines[i].ended = false;
}

// ---- launches

class stream {
  public:
    explicit stream(unsigned workers) {
        for (unsigned i = 0; i < workers; i++) std::thread([this] { work(); }).detach();
    }

    template <typename Body> void launch(unsigned blocks, unsigned threads, const Body &body) {
        const unsigned chunk = blocks / 64 + 1;
        const std::lock_guard<std::mutex> guard(lock);
        const std::function<void()> kernel = body;
        tasks.push_back({[=](unsigned first) {
                             for (unsigned i = first; i < blocks && i < first + chunk; i++)
                                 run_block(body, kernel, i, threads);
                         },
                         blocks, chunk, 0, 0});
        changed.notify_all();
    }

    void wait() {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return tasks.empty(); });
    }

  private:
    struct task {
        std::function<void(unsigned)> run;
        unsigned blocks, chunk;
        unsigned taken, done; // blocks
    };

    void work() {
        std::unique_lock<std::mutex> guard(lock);
        for (;;) {
            changed.wait(guard, [this] {
                return !tasks.empty() && tasks.front().taken < tasks.front().blocks;
            });
            task &first = tasks.front();
            const unsigned begin = first.taken;
            const unsigned end = std::min(begin + first.chunk, first.blocks);
            first.taken = end;
            guard.unlock();
            first.run(begin);
            guard.lock();
            first.done += end - begin;
            if (first.done < first.blocks) continue;
            tasks.pop_front();
            changed.notify_all();
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    std::deque<task> tasks;
};

} // namespace peer
