// SPDX-License-Identifier: Apache-2.0
// Kernels that divide by zero, access what they must not, assert or overrun their stack: the stream
// fails, and the process goes on.
#include <hip/hip_runtime.h>

#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstring>

#include <sys/mman.h>

#include "support/work.h"

namespace {

enum fault { divide, stray_read, stray_write, assertion, trap, deep };

int overrun(int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return depth < 1000000 ? overrun(depth + 1) + frame[0] : 0;
}

__global__ void fail_once(fault what, int zero, int *stray, int *passed) {
    __shared__ int ready;
    ready = 1;
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.y == 2) {
        switch (what) {
        case divide: *passed = ready / zero; break;
        case stray_read: *passed = *stray; break;
        case stray_write: *stray = 1; break;
        case assertion: assert(ready == zero); break;
        case trap: __builtin_trap();
        case deep: *passed = overrun(0); break;
        }
    }
    __syncthreads();
    if (blockIdx.x == 1) atomicAdd(passed, 1);
}

void assert_fails(fault what, hipError_t error, const char *text) {
    static const char at[] = "kernel fail_once, block (1, 0, 0), thread (0, 2, 0): ";
    hipStream_t stream = nullptr;
    int passed = 0;
    (void)hipGetLastError();
    assert_hip_ok(hipStreamCreate(&stream));
    hipLaunchKernelGGL(fail_once, 3, dim3(4, 4), 0, stream, what, 0,
                       reinterpret_cast<int *>(0x1230), &passed);
    assert_hip(hipStreamSynchronize(stream), error);
    if (strstr(hipExtGetLastErrorText(), at) == nullptr ||
        strstr(hipExtGetLastErrorText(), text) == nullptr)
        fail_msg("\"%s%s\" is not in: %s", at, text, hipExtGetLastErrorText());
    const char *own = hipExtGetLastErrorText(); // a build without the checker knows no lines
    bool says_where = strstr(own, ", at kernel_fault.cpp:") != nullptr ||
                      strstr(own, ", at compat_hip_kernel_fault+0x") != nullptr;
    assert_true(says_where || what == assertion);
    assert_hip(hipStreamQuery(stream), error);
    assert_int_equal(passed, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

void a_fault_is_an_error_of_the_stream(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_fails(divide, hipErrorLaunchFailure, "a division of an integer by zero");
        assert_fails(stray_read, hipErrorIllegalAddress, "an access of address 0x1230");
        assert_fails(stray_write, hipErrorIllegalAddress, "an access of address 0x1230");
        assert_fails(assertion, hipErrorAssert, "a failed assertion");
        assert_fails(trap, hipErrorLaunchFailure, "a trap");
        assert_fails(deep, hipErrorLaunchFailure, "a stack of over 262144 bytes");
    }
}

// ---- signals of other code

sigjmp_buf back;
volatile sig_atomic_t caught;

void jump_back(int number) {
    caught = number;
    siglongjmp(back, 1);
}

int *volatile nowhere = nullptr;

void fail_in_the_program() {
    caught = 0;
    if (sigsetjmp(back, 1) == 0) *nowhere = 1;
    assert_int_equal(caught, SIGSEGV);
}

void the_programs_handler_gets_the_programs_signals(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)signal(SIGSEGV, jump_back);
        fail_in_the_program();
        assert_fails(divide, hipErrorLaunchFailure, "a division");
        assert_fails(stray_read, hipErrorIllegalAddress, "an access");
        fail_in_the_program();
        fail_in_the_program();
    }
}

char *page;

// The access is repeated when the handler returns.
void open_page(int number, siginfo_t *info, void *) {
    caught = number;
    if (info->si_addr == page) (void)mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

void count_signal(int number) { caught = caught + number; }

void the_program_goes_on_behind_its_handler(void **state) {
    struct sigaction mends = {};
    (void)state;
    void *memory = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    page = static_cast<char *>(memory);
    mends.sa_sigaction = open_page;
    mends.sa_flags = SA_SIGINFO;
    assert_int_equal(sigaction(SIGSEGV, &mends, nullptr), 0);
    (void)signal(SIGBUS, count_signal);
    (void)signal(SIGTRAP, SIG_IGN);
    assert_fails(divide, hipErrorLaunchFailure, "a division"); // installs handlers before them
    caught = 0;
    *const_cast<volatile char *>(page) = 3;
    assert_int_equal(caught, SIGSEGV);
    assert_int_equal(page[0], 3);
    caught = 0;
    assert_int_equal(raise(SIGBUS), 0);
    assert_int_equal(raise(SIGBUS), 0);
    assert_int_equal(caught, 2 * SIGBUS);
    assert_int_equal(raise(SIGTRAP), 0); // is ignored
    assert_fails(stray_read, hipErrorIllegalAddress, "an access");
    assert_int_equal(munmap(page, 4096), 0);
}

} // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

int main() {
    if (sanitized) {
        printf("skipped: the sanitizer reports faults and ends the process\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_is_an_error_of_the_stream),
        cmocka_unit_test(the_programs_handler_gets_the_programs_signals),
        cmocka_unit_test(the_program_goes_on_behind_its_handler),
    };
    return cmocka_run_group_tests(tests, work_group_setup, nullptr);
}
