// SPDX-License-Identifier: Apache-2.0
// Kernels that were compiled for the host: launches, blocks with and without barriers, and a kernel
// that is bound by memory beside the same loop compiled plainly, in turn. Figures are medians over
// rounds. With one worker the unit is processor time, which other work on the machine disturbs
// less; with all CPUs it is time. Each is measured in a process of its own.
// Usage: bench_compat_hip_kernel [--json]
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

clockid_t used_clock = CLOCK_MONOTONIC;

double now_us() {
    timespec time;
    (void)clock_gettime(used_clock, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

void need(hipError_t error, const char *what) {
    if (error == hipSuccess) return;
    (void)fprintf(stderr, "%s: %s: %s\n", what, hipGetErrorName(error), hipExtGetLastErrorText());
    exit(1);
}

template <typename Work> double median_us(int rounds, Work work) {
    std::vector<double> times;
    for (int i = 0; i < rounds; i++) {
        double begin = now_us();
        work();
        times.push_back(now_us() - begin);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void wait() { need(hipDeviceSynchronize(), "hipDeviceSynchronize"); }

// ---- kernels

__global__ void nothing() {}

__global__ void meet(int *out, int barriers) {
    for (int i = 0; i < barriers; i++) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = barriers;
}

__global__ void exchange(int *out, int times) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < times; i++) value += __shfl_xor(value, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <typename T> __global__ void triad(T *a, const T *b, const T *c, T factor, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + factor * c[i];
}

template <typename T>
__attribute__((noinline)) void plain_triad(T *a, const T *b, const T *c, T factor, unsigned n) {
    for (unsigned i = 0; i < n; i++) a[i] = b[i] + factor * c[i];
}

// ---- measurements

struct figures {
    double launch_us, launch_wait_us;
    double block_us[3], barrier_us[3], shuffle_us[3];
    double plain_float_us, kernel_float_us, plain_int_us, kernel_int_us;
};

constexpr unsigned threads_of[3] = {64, 256, 1024};

double launches_us(int count, bool waits) {
    return median_us(
               21,
               [count, waits] {
                   for (int i = 0; i < count; i++) {
                       hipLaunchKernelGGL(nothing, 1, 64, 0, nullptr);
                       if (waits) wait();
                   }
                   wait();
               }) /
           count;
}

template <typename Kernel> double block_us(Kernel kernel, unsigned threads, int times, int *out) {
    constexpr unsigned blocks = 64;
    return median_us(41,
                     [=] {
                         hipLaunchKernelGGL(kernel, blocks, threads, 0, nullptr, out, times);
                         wait();
                     }) /
           blocks;
}

template <typename T> void measure_triad(double *plain_us, double *kernel_us) {
    constexpr unsigned n = 1u << 24;
    T *a = nullptr;
    need(hipMalloc(reinterpret_cast<void **>(&a), 3 * sizeof(T) * n), "hipMalloc");
    T *b = a + n;
    T *c = b + n;
    for (unsigned i = 0; i < 3 * n; i++) a[i] = static_cast<T>(i % 100);
    std::vector<double> plain, kernel;
    for (int i = 0; i < 21; i++) {
        plain.push_back(median_us(1, [=] { plain_triad(a, b, c, T(2), n); }));
        kernel.push_back(median_us(1, [=] {
            hipLaunchKernelGGL(triad<T>, n / 256, 256, 0, nullptr, a, b, c, T(2), n);
            wait();
        }));
    }
    std::sort(plain.begin(), plain.end());
    std::sort(kernel.begin(), kernel.end());
    *plain_us = plain[10];
    *kernel_us = kernel[10];
    need(hipFree(a), "hipFree");
}

figures measure() {
    figures f = {};
    int *out = nullptr;
    need(hipMalloc(reinterpret_cast<void **>(&out), 64 * 1024 * sizeof(int)), "hipMalloc");
    f.launch_us = launches_us(2000, false);
    f.launch_wait_us = launches_us(500, true);
    for (int i = 0; i < 3; i++) {
        f.block_us[i] = block_us(meet, threads_of[i], 0, out);
        f.barrier_us[i] =
            (block_us(meet, threads_of[i], 21, out) - block_us(meet, threads_of[i], 1, out)) / 20;
        f.shuffle_us[i] = (block_us(exchange, threads_of[i], 21, out) -
                           block_us(exchange, threads_of[i], 1, out)) /
                          20;
    }
    measure_triad<float>(&f.plain_float_us, &f.kernel_float_us);
    measure_triad<int>(&f.plain_int_us, &f.kernel_int_us);
    need(hipFree(out), "hipFree");
    return f;
}

// In a process of its own, because the device is opened once.
figures measure_with(const char *device) {
    int ends[2];
    figures f = {};
    if (pipe(ends) != 0) exit(1);
    pid_t child = fork();
    if (child == 0) {
        if (device != nullptr) {
            (void)setenv("TARN_HIP_DEVICE", device, 1);
            used_clock = CLOCK_PROCESS_CPUTIME_ID;
        }
        f = measure();
        _exit(write(ends[1], &f, sizeof f) == sizeof f ? 0 : 1);
    }
    (void)close(ends[1]);
    bool complete = child > 0 && read(ends[0], &f, sizeof f) == sizeof f;
    (void)close(ends[0]);
    if (!complete || waitpid(child, nullptr, 0) != child) exit(1);
    return f;
}

// ---- output

void print_json(const figures &f, const char *name) {
    printf("\"%s\": {\"launches_per_s\": %.0f, \"launch_and_wait_us\": %.2f, \"blocks\": [", name,
           1e6 / f.launch_us, f.launch_wait_us);
    for (int i = 0; i < 3; i++)
        printf(
            "%s{\"threads\": %u, \"block_us\": %.3f, \"barrier_us\": %.3f, \"shuffle_us\": %.3f}",
            i > 0 ? ", " : "", threads_of[i], f.block_us[i], f.barrier_us[i], f.shuffle_us[i]);
    printf("], \"float_plain_ms\": %.3f, \"float_kernel_ms\": %.3f, \"int_plain_ms\": %.3f, "
           "\"int_kernel_ms\": %.3f}",
           f.plain_float_us / 1e3, f.kernel_float_us / 1e3, f.plain_int_us / 1e3,
           f.kernel_int_us / 1e3);
}

void print_table(const figures &one, const figures &all) {
    printf("| | one worker, processor time | all CPUs, time |\n|---|---|---|\n");
    printf("| launches a second | %.0f | %.0f |\n", 1e6 / one.launch_us, 1e6 / all.launch_us);
    printf("| launch and wait, us | %.2f | %.2f |\n", one.launch_wait_us, all.launch_wait_us);
    for (int i = 0; i < 3; i++) {
        printf("| block of %u threads, us | %.2f | %.2f |\n", threads_of[i], one.block_us[i],
               all.block_us[i]);
        printf("| a barrier of it, us | %.2f | %.2f |\n", one.barrier_us[i], all.barrier_us[i]);
        printf("| a shuffle of it, us | %.2f | %.2f |\n", one.shuffle_us[i], all.shuffle_us[i]);
    }
    printf("| a[i] = b[i] + 2 * c[i] of 16 Mi floats: plain loop, ms | %.1f | %.1f |\n",
           one.plain_float_us / 1e3, all.plain_float_us / 1e3);
    printf("| the same as a kernel, ms | %.1f | %.1f |\n", one.kernel_float_us / 1e3,
           all.kernel_float_us / 1e3);
    printf("| speed relative to the loop | %.2f | %.2f |\n",
           one.plain_float_us / one.kernel_float_us, all.plain_float_us / all.kernel_float_us);
    printf("| the same for integers | %.2f | %.2f |\n", one.plain_int_us / one.kernel_int_us,
           all.plain_int_us / all.kernel_int_us);
}

} // namespace

int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    const figures one = measure_with("host:0,workers=1");
    const figures all = measure_with(nullptr);
    if (json) {
        printf("{");
        print_json(one, "one_worker");
        printf(", ");
        print_json(all, "all_cpus");
        printf("}\n");
    } else {
        print_table(one, all);
    }
    return 0;
}
