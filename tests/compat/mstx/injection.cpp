// SPDX-License-Identifier: Apache-2.0
// How a client finds its tool, and what becomes of it. Each part runs in a process of its own, as
// an image looks for a tool once. This file is C++, and two of its image are C.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <cmocka.h>
}

#include <mstx/ms_tools_ext.h>

#include "support/child.h"
#include "support/example.h"
#include "support/images.h"
#include "support/tool.h"

namespace {

extern "C" typedef void (*body_function)(void *);

// body(NULL) in a child with these variables: pairs up to NULL.
void in_child(body_function body, ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, nullptr, pairs);
    va_end(pairs);
}

std::string number(uintmax_t value) { return std::to_string(value); }

void with_tool(body_function body, int mode, void (*hook)() = nullptr) {
    in_child(body, "MSTX_INJECTION_PATH", module_path("tool"), TOOL_MODE,
             number(unsigned(mode)).c_str(), TOOL_HOOK,
             number(reinterpret_cast<uintptr_t>(hook)).c_str(), nullptr);
}

// ---- without a tool

extern "C" void expect_no_tool(void *) {
    uint64_t id = 99;
    mstxGetToolId(&id);
    mstxGetToolId(nullptr);
    assert_int_equal(id, MSTX_TOOL_INVALID_ID);
    mstxMarkA("m", nullptr);
    assert_int_equal(mstxRangeStartA("m", nullptr), 0);
    mstxRangeEnd(0);
    assert_null(mstxDomainCreateA("d"));
    mstxDomainMarkA(globalDomain, "m", nullptr);
    assert_int_equal(mstxDomainRangeStartA(globalDomain, "m", nullptr), 0);
    mstxDomainRangeEnd(globalDomain, 0);
    mstxDomainDestroy(globalDomain);
    char memory[1024];
    assert_false(run_example(memory, 0));
    assert_int_equal(tool_id_in_first(), MSTX_TOOL_INVALID_ID);
}

void without_a_tool_there_are_no_handles(void **) {
    in_child(expect_no_tool, "MSTX_INJECTION_PATH", nullptr, nullptr);
    in_child(expect_no_tool, "MSTX_INJECTION_PATH", "", nullptr);
}

void a_bad_path_is_no_tool(void **) {
    in_child(expect_no_tool, "MSTX_INJECTION_PATH", "/nowhere/at/all.so", nullptr);
}

void a_library_that_is_no_tool_is_none(void **) {
    in_child(expect_no_tool, "MSTX_INJECTION_PATH", module_path("client"), nullptr);
}

// ---- with one

extern "C" void expect_every_function(void *) {
    uint64_t id = 0;
    mstxMarkA("m", nullptr);
    const struct tool_log *log = log_of_tool();
    mstxRangeEnd(mstxRangeStartA("m", nullptr));
    mstxGetToolId(&id);
    mstxGetToolId(nullptr);
    mstxDomainHandle_t domain = mstxDomainCreateA("d");
    mstxDomainMarkA(domain, "m", nullptr);
    mstxDomainRangeEnd(domain, mstxDomainRangeStartA(domain, "m", nullptr));
    mstxDomainDestroy(domain);
    char memory[1024];
    assert_true(run_example(memory, 3));
    assert_int_equal(id, TOOL_ID);
    assert_int_equal(log->inits, 1);
    assert_int_equal(log->marks, 1);
    assert_int_equal(log->starts, 1);
    assert_int_equal(log->ends, 1);
    assert_int_equal(log->domains, 1);
    assert_int_equal(log->destroyed, 1);
    assert_int_equal(log->domain_marks, 1);
    assert_int_equal(log->domain_starts, 1);
    assert_int_equal(log->domain_ends, 1);
    assert_int_equal(log->heaps, 1);
    assert_int_equal(log->heap_bytes, 1024);
    assert_int_equal(log->regions, 1);
    assert_int_equal(log->region_bytes, 256);
    assert_ptr_equal(log->region, memory);
    assert_int_equal(log->permissions, 1);
    assert_int_equal(log->regions_ended, 1);
    assert_int_equal(log->heaps_ended, 1);
}

void the_tool_at_the_path_gets_every_call(void **) {
    with_tool(expect_every_function, TOOL_WILLING);
}

extern "C" void expect_one_image(void *) {
    assert_int_equal(tool_id_in_first(), TOOL_ID);
    assert_int_equal(tool_id_in_second(), TOOL_ID);
    assert_ptr_equal(slots_of_first(), slots_of_second());
    assert_ptr_equal(slots_of_first(), &mstxDetailImage);
    assert_int_equal(log_of_tool()->inits, 1);
}

void files_of_an_image_share_their_slots(void **) { with_tool(expect_one_image, TOOL_WILLING); }

extern "C" void expect_two_images(void *) {
    void *client = dlopen(module_path("client"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(client);
    void *symbol = dlsym(client, "client_tool_id");
    uint64_t (*tool_id)() = nullptr;
    memcpy(&tool_id, &symbol, sizeof tool_id);
    assert_int_equal(tool_id(), TOOL_ID);
    assert_int_equal(tool_id_in_first(), TOOL_ID);
    assert_int_equal(log_of_tool()->inits, 2);
    assert_int_equal(log_of_tool()->marks, 1);
}

void each_image_meets_the_tool_once(void **) { with_tool(expect_two_images, TOOL_WILLING); }

extern "C" void expect_few(void *) {
    assert_int_equal(tool_id_in_first(), TOOL_ID);
    assert_non_null(mstxDomainCreateA("d"));
    char memory[1024];
    assert_false(run_example(memory, 0));
    mstxMarkA("m", nullptr);
    assert_int_equal(log_of_tool()->marks, 0);
}

void slots_that_a_tool_leaves_alone_do_nothing(void **) { with_tool(expect_few, TOOL_FEW); }

extern "C" void expect_failed_tool(void *arg) {
    expect_no_tool(arg);
    assert_int_equal(log_of_tool()->inits, 1);
    assert_int_equal(log_of_tool()->heaps, 0);
}

void a_tool_that_fails_is_none_whatever_it_filled(void **) {
    with_tool(expect_failed_tool, TOOL_FAILS);
    with_tool(expect_failed_tool, TOOL_PARTIAL);
}

// ---- in the middle of the tool's initialisation

void call_the_client() {
    uint64_t id = 99;
    mstxGetToolId(&id);
    if (id != MSTX_TOOL_INVALID_ID) _exit(5);
}

extern "C" void expect_tool_after_all(void *) {
    alarm(900); // of the process: what is tested is that nothing waits for ever
    assert_int_equal(tool_id_in_first(), TOOL_ID);
    assert_int_equal(log_of_tool()->inits, 1);
    assert_int_equal(log_of_tool()->child_status, 0);
}

void a_call_from_inside_finds_no_tool_and_does_not_hang(void **) {
    with_tool(expect_tool_after_all, TOOL_NESTED, call_the_client);
}

void a_child_of_the_initialising_thread_goes_on(void **) {
    with_tool(expect_tool_after_all, TOOL_FORKS, call_the_client);
}

enum { THREADS = 100 };

extern "C" void *ask(void *start) {
    pthread_barrier_wait(static_cast<pthread_barrier_t *>(start));
    uint64_t id = 99;
    mstxGetToolId(&id);
    return id == TOOL_ID ? nullptr : start;
}

extern "C" void expect_all_threads_see_it(void *) {
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    pthread_barrier_init(&start, nullptr, THREADS);
    for (auto &thread : threads) assert_int_equal(pthread_create(&thread, nullptr, ask, &start), 0);
    for (auto &thread : threads) {
        void *wrong = nullptr;
        pthread_join(thread, &wrong);
        assert_null(wrong);
    }
    pthread_barrier_destroy(&start);
    assert_int_equal(log_of_tool()->inits, 1);
}

void of_a_hundred_threads_one_looks_and_the_others_wait(void **) {
    with_tool(expect_all_threads_see_it, TOOL_WILLING);
    with_tool(expect_all_threads_see_it, TOOL_SLOW);
}

extern "C" void *look(void *) {
    (void)tool_id_in_first();
    return nullptr;
}

// Another thread looks, and its tool takes a while; the child has only the thread that forked.
extern "C" void expect_child_goes_on(void *) {
    alarm(900);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, nullptr, look, nullptr), 0);
    while ((__atomic_load_n(&mstxDetailImage.state, __ATOMIC_ACQUIRE) & 3) == MSTX_DETAIL_FRESH)
        sched_yield();
    pid_t pid = fork();
    if (pid == 0) {
        alarm(900);
        (void)tool_id_in_first();
        _exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    pthread_join(thread, nullptr);
    assert_int_equal(tool_id_in_first(), TOOL_ID);
}

void a_child_forked_meanwhile_does_not_wait_for_ever(void **) {
    with_tool(expect_child_goes_on, TOOL_SLOW);
}

extern "C" void expect_tool_in_child(void *) {
    assert_int_equal(tool_id_in_first(), TOOL_ID);
    pid_t pid = fork();
    if (pid == 0) _exit(tool_id_in_second() == TOOL_ID ? 0 : 1);
    int status = -1;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

void a_child_keeps_the_tool(void **) { with_tool(expect_tool_in_child, TOOL_WILLING); }

// Runs when the program ends, perhaps from inside of the tool's initialisation.
struct at_the_end {
    bool armed = false;
    ~at_the_end() {
        if (armed) call_the_client();
    }
} last;

extern "C" void expect_exit(void *) {
    pid_t pid = fork();
    if (pid == 0) {
        alarm(900);
        last.armed = true;
        (void)tool_id_in_first();
        _exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 9);
}

void a_tool_may_end_the_program(void **) { with_tool(expect_exit, TOOL_EXITS); }

// ---- found without a path

const char *self = "/proc/self/exe";

// Runs this program again with the tool loaded by the dynamic linker: a plain call tells.
void expect_preloaded(const char *path, const char *preload, int wanted) {
    pid_t pid = fork();
    if (pid == 0) {
        setenv("LD_PRELOAD", preload, 1);
        setenv("LD_LIBRARY_PATH", getenv("MODULES"), 1);
        path != nullptr ? setenv("MSTX_INJECTION_PATH", path, 1) : unsetenv("MSTX_INJECTION_PATH");
        execl(self, self, "--tool-id", nullptr);
        _exit(127);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), wanted);
}

// The runtime of a sanitizer must come before all others.
std::string preload_list() {
    std::string list;
#if defined(__SANITIZE_ADDRESS__)
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, "__asan_init");
    if (symbol != nullptr && dladdr(symbol, &info) != 0 && strstr(info.dli_fname, ".so") != nullptr)
        list = std::string(info.dli_fname) + ":";
#endif
    return list + "compat_mstx_tool.so"; // a space would end a path
}

void a_preloaded_tool_is_found(void **) {
    expect_preloaded(nullptr, preload_list().c_str(), TOOL_ID & 0x7f);
}

void a_bad_path_falls_back_to_the_preloaded_tool(void **) {
    expect_preloaded("/nowhere/at/all.so", preload_list().c_str(), TOOL_ID & 0x7f);
}

} // namespace

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--tool-id") == 0) return int(tool_id_in_first() & 0x7f);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_tool_there_are_no_handles),
        cmocka_unit_test(a_bad_path_is_no_tool),
        cmocka_unit_test(a_library_that_is_no_tool_is_none),
        cmocka_unit_test(the_tool_at_the_path_gets_every_call),
        cmocka_unit_test(files_of_an_image_share_their_slots),
        cmocka_unit_test(each_image_meets_the_tool_once),
        cmocka_unit_test(slots_that_a_tool_leaves_alone_do_nothing),
        cmocka_unit_test(a_tool_that_fails_is_none_whatever_it_filled),
        cmocka_unit_test(a_call_from_inside_finds_no_tool_and_does_not_hang),
        cmocka_unit_test(a_child_of_the_initialising_thread_goes_on),
        cmocka_unit_test(of_a_hundred_threads_one_looks_and_the_others_wait),
        cmocka_unit_test(a_child_forked_meanwhile_does_not_wait_for_ever),
        cmocka_unit_test(a_child_keeps_the_tool),
        cmocka_unit_test(a_tool_may_end_the_program),
        cmocka_unit_test(a_preloaded_tool_is_found),
        cmocka_unit_test(a_bad_path_falls_back_to_the_preloaded_tool),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
