// SPDX-License-Identifier: Apache-2.0
// The C++ tests share graphs of a text, an inbox at an output port, and waits. The device process
// is the installed one, with the engines of modules/engines.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <hiaiengine/api.h>

extern "C" {
#include <cmocka.h>
}

const uint32_t PATIENCE = 600000; // ms, for what must happen

#define assert_status(call, want) check_status((call), (want), #call, __FILE__, __LINE__)
#define assert_ok(call)           assert_status(call, HIAI_OK)

inline void check_status(HIAI_StatusT got, HIAI_StatusT want, const char *text, const char *file,
                         int line) {
    if (got != want) {
        print_error("%s: %s, not %s (%s)\n", text, HIAIX_StatusStr(got), HIAIX_StatusStr(want),
                    HIAIX_GetLastErrorText());
        _fail(file, line);
    }
}

inline std::string module_path() {
    const char *folder = getenv("MODULES");
    return std::string(folder != nullptr ? folder : "tests/modules") + "/compat_hiai_engines.so";
}

// A graph of one engine on a side, with number 2, that sends to the receiver of the Out (1).
inline std::string graph_of(const std::string &engine, const std::string &side,
                            const std::string &more = "", const std::string &type = "string") {
    return "graphs { graph_id: 7 engines { id: 1 engine_name: \"Out\" side: HOST\n"
           "  ai_config { items { name: \"type\" value: \"" +
           type + "\" } } }\n  engines { id: 2 engine_name: \"" + engine + "\" side: " + side +
           " so_name: \"" + module_path() + "\" " + more +
           " }\n  connects { src_engine_id: 2 src_port_id: 0 target_engine_id: 1 "
           "target_port_id: 0 } }\n";
}

inline HIAI_StatusT create(const std::string &text) {
    hiai::GraphConfigList list;
    hiai::hiaix::RegisterBuiltins();
    return HIAIX_CreateGraphText(text.c_str(), text.size());
}

class Inbox : public hiai::DataRecvInterface {
  public:
    HIAI_StatusT RecvData(const std::shared_ptr<void> &message) override {
        std::lock_guard<std::mutex> guard(lock);
        messages.push_back(message);
        changed.notify_all();
        return HIAI_OK;
    }

    template <typename T> std::shared_ptr<T> next() {
        std::unique_lock<std::mutex> guard(lock);
        assert_true(changed.wait_for(guard, std::chrono::milliseconds(PATIENCE),
                                     [this] { return !messages.empty(); }));
        std::shared_ptr<void> message = messages.front();
        messages.pop_front();
        return std::static_pointer_cast<T>(message);
    }

    size_t count() {
        std::lock_guard<std::mutex> guard(lock);
        return messages.size();
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::shared_ptr<void>> messages;
};

template <typename Condition> void wait_until(Condition condition) {
    for (uint32_t ms = 0; !condition() && ms < PATIENCE; ms++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    assert_true(condition());
}

inline struct HIAIX_Stats stats_of(uint32_t graph) {
    struct HIAIX_Stats stats = {};
    stats.size = sizeof stats;
    assert_ok(HIAIX_Stats(graph, &stats));
    return stats;
}

// Undoes what the environment says otherwise.
inline void prepare_settings() {
    (void)setenv("TARN_HIAI_POOL", "256M", 1);
    (void)unsetenv("TARN_HIAI_DEVICE_PROGRAM");
    (void)unsetenv("TARN_HIAI_MODE");
    (void)unsetenv("TARN_HIAI_LOG");
}

inline void prepare() {
    prepare_settings();
    assert_ok(HIAI_Init(0));
}

// ---- the same graphs with both sides in one process, as on a board

// True in a copy of the test program whose process is both sides.
inline bool &is_board() {
    static bool board;
    return board;
}

// Prepares this process as both sides if the program was started as a board.
inline void prepare_form(int argc, char **argv) {
    prepare_settings();
    is_board() = argc == 2 && strcmp(argv[1], "board") == 0;
    if (is_board()) (void)setenv("TARN_HIAI_MODE", "RC", 1);
    assert_ok(HIAI_Init(0));
}

// Runs the program again as a board. Returns the number of failures, at least 1 if it crashed.
inline int run_board(int argc, char **argv) {
    int status = 0;
    if (argc == 2) return 0;
    const pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", argv[0], "board", static_cast<char *>(nullptr));
        _exit(127);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
