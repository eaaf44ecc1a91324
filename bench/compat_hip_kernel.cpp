// SPDX-License-Identifier: Apache-2.0
// Kernels that were compiled for the host, beside a peer that does the same in the way of HIP-CPU
// (kernel_peer.h) and beside plain loops: launches, blocks with and without barriers, kernels that
// are bound by memory, and what more CPUs gain. Each side is a process of its own, and the sides
// take turns, so that other work on the machine meets all of them. Figures are medians over rounds.
// With one worker the unit is processor time, with all CPUs it is time.
// Usage: bench_compat_hip_kernel [--json] [ROUNDS]
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "kernel_peer.h"

namespace {

// ---- kernels, for both sides

struct tarn_side {
    static unsigned thread() { return threadIdx.x; }
    static unsigned block() { return blockIdx.x; }
    static unsigned size() { return blockDim.x; }
    static void barrier() { __syncthreads(); }
};

struct peer_side {
    static unsigned thread() { return peer::here.current; }
    static unsigned block() { return peer::here.block; }
    static unsigned size() { return peer::here.size; }
    static void barrier() { peer::barrier(); }
};

template <typename Side> __global__ void nothing() {}

template <typename Side> __global__ void meet(int *out, int barriers) {
    for (int i = 0; i < barriers; i++) Side::barrier();
    out[Side::block() * Side::size() + Side::thread()] = barriers;
}

__global__ void exchange(int *out, int times) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < times; i++) value += __shfl_xor(value, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <typename Side, typename T>
__global__ void triad(T *a, const T *b, const T *c, T factor, unsigned n) {
    const unsigned i = Side::block() * Side::size() + Side::thread();
    if (i < n) a[i] = b[i] + factor * c[i];
}

template <typename T>
__attribute__((noinline)) void plain_triad(T *a, const T *b, const T *c, T factor, unsigned n) {
    for (unsigned i = 0; i < n; i++) a[i] = b[i] + factor * c[i];
}

// Work that every kernel has: the test of the number, and a store of the coordinate.
template <typename T, bool stores>
__attribute__((noinline)) void floor_triad(T *a, const T *b, const T *c, T factor, unsigned n) {
    for (unsigned first = 0; first < n; first += 256) {
        for (unsigned x = 0; x < 256; x++) {
            if (stores) threadIdx.x = x;
            __asm__ volatile("" ::"m"(threadIdx.x));
            const unsigned i = first + x;
            if (i < n) a[i] = b[i] + factor * c[i];
        }
    }
}

// A polynomial, so that the processor and not the memory is the limit.
template <typename Side> __global__ void compute(float *a, unsigned n) {
    const unsigned i = Side::block() * Side::size() + Side::thread();
    if (i >= n) return;
    float value = a[i];
    for (int step = 0; step < 64; step++) value = value * 0.999f + 0.001f;
    a[i] = value;
}

// ---- one side

// Most have one measurement for each size of a block.
enum : unsigned {
    launches = 0, // the first of them without, the second with a wait for each launch
    blocks = 3,
    met_once = 6,
    met_often = 9,
    exchanged_once = 12,
    exchanged_often = 15,
    floats = 18,
    integers = 21,
    doubles = 24,
    floors = 27, // of floats: the plain loop, that with a test, that with a store too
    computed = 36,
    measurements
};

constexpr unsigned threads_of[3] = {64, 256, 1024};
constexpr size_t array_bytes = size_t(64) << 20; // of each of three arrays
constexpr unsigned launches_of_round = 500;
constexpr unsigned blocks_of_launch = 64;
constexpr int meetings = 20;

struct cost {
    double used_us; // processor time of the process
    double time_us;
};

double read_us(clockid_t clock) {
    timespec time;
    (void)clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

template <typename Work> cost measure(Work work) {
    const double used = read_us(CLOCK_PROCESS_CPUTIME_ID);
    const double time = read_us(CLOCK_MONOTONIC);
    work();
    return {read_us(CLOCK_PROCESS_CPUTIME_ID) - used, read_us(CLOCK_MONOTONIC) - time};
}

void need(hipError_t error, const char *what) {
    if (error == hipSuccess) return;
    (void)fprintf(stderr, "%s: %s: %s\n", what, hipGetErrorName(error), hipExtGetLastErrorText());
    exit(1);
}

peer::stream *peers_stream; // NULL on Tarn's side
char *arrays;

template <typename Side, auto kernel, typename... Arguments>
void start(unsigned blocks, unsigned threads, Arguments... arguments) {
    if constexpr (std::is_same<Side, tarn_side>::value)
        hipLaunchKernelGGL((kernel), blocks, threads, 0, nullptr, arguments...);
    else
        peers_stream->launch(
            blocks, threads, [=] { kernel(arguments...); });
}

void wait() {
    if (peers_stream != nullptr)
        peers_stream->wait();
    else
        need(hipDeviceSynchronize(), "hipDeviceSynchronize");
}

template <typename Side, typename T, bool plain> void run_triad(unsigned threads) {
    constexpr unsigned n = array_bytes / sizeof(T);
    T *a = reinterpret_cast<T *>(arrays);
    if constexpr (plain)
        plain_triad(a, a + n, a + 2 * n, T(2), n);
    else
        start<Side, triad<Side, T>>(n / threads, threads, a, a + n, a + 2 * n, T(2), n);
}

template <typename T> void run_floor(unsigned what) {
    constexpr unsigned n = array_bytes / sizeof(T);
    T *a = reinterpret_cast<T *>(arrays);
    void (*const loops[])(T *, const T *, const T *, T,
                          unsigned) = {plain_triad<T>, floor_triad<T, false>, floor_triad<T, true>};
    loops[what % 3](a, a + n, a + 2 * n, T(2), n);
}

// `plain` selects the loop instead of the kernel.
template <typename Side, bool plain> void run(unsigned what) {
    int *const out = reinterpret_cast<int *>(arrays);
    const unsigned threads = threads_of[what % 3];
    switch (what / 3 * 3) {
    case launches:
        for (unsigned i = 0; i < launches_of_round; i++) {
            start<Side, nothing<Side>>(1, 64);
            if (what == launches + 1) wait();
        }
        break;
    case blocks: start<Side, meet<Side>>(blocks_of_launch, threads, out, 0); break;
    case met_once: start<Side, meet<Side>>(blocks_of_launch, threads, out, 1); break;
    case met_often: start<Side, meet<Side>>(blocks_of_launch, threads, out, 1 + meetings); break;
    case exchanged_once:
        if constexpr (std::is_same<Side, tarn_side>::value)
            start<Side, exchange>(blocks_of_launch, threads, out, 1);
        break;
    case exchanged_often:
        if constexpr (std::is_same<Side, tarn_side>::value)
            start<Side, exchange>(blocks_of_launch, threads, out, 1 + meetings);
        break;
    case floats: run_triad<Side, float, plain>(threads); break;
    case integers: run_triad<Side, int, plain>(threads); break;
    case doubles: run_triad<Side, double, plain>(threads); break;
    case floors: run_floor<float>(what); break;
    case floors + 3: run_floor<int>(what); break;
    case floors + 6: run_floor<double>(what); break;
    case computed:
        start<Side, compute<Side>>(1u << 12, 256, reinterpret_cast<float *>(arrays), 1u << 20);
        break;
    }
    wait();
}

// A process in which the parent lets one side run.
struct side {
    const char *device; // NULL: the default, with all CPUs
    void (*run)(unsigned);
    unsigned peers_workers; // 0: it is Tarn
    int orders[2];
    int costs[2];
};

[[noreturn]] void serve(const side &own) {
    unsigned what = 0;
    if (own.device != nullptr) (void)setenv("TARN_HIP_DEVICE", own.device, 1);
    if (own.peers_workers > 0) {
        peers_stream = new peer::stream(own.peers_workers);
        arrays = static_cast<char *>(malloc(3 * array_bytes));
    } else {
        need(hipMalloc(reinterpret_cast<void **>(&arrays), 3 * array_bytes), "hipMalloc");
    }
    if (arrays == nullptr) exit(1);
    for (size_t i = 0; i < 3 * array_bytes / sizeof(float); i++)
        reinterpret_cast<float *>(arrays)[i] = static_cast<float>(i % 100);
    while (read(own.orders[0], &what, sizeof what) == sizeof what) {
        const cost cost = measure([&] { own.run(what); });
        if (write(own.costs[1], &cost, sizeof cost) != sizeof cost) exit(1);
    }
    _exit(0);
}

cost ask(const side &whom, unsigned what) {
    cost cost = {};
    if (write(whom.orders[1], &what, sizeof what) != sizeof what ||
        read(whom.costs[0], &cost, sizeof cost) != sizeof cost)
        exit(1);
    return cost;
}

// ---- all sides

constexpr unsigned sides = 5;
enum : unsigned { tarn_one, tarn_all, peer_one, peer_all, plain_loop };
double results[sides][measurements]; // us

// Medians of ratios within a round: of Tarn, then of the peer.
double relative[2][measurements]; // processor time of the loop / that of one worker
double gained[2][measurements];   // time with one worker / with all CPUs
double spent[2][measurements];    // processor time with all CPUs / with one worker

double median(std::vector<double> &values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measure_one(const side *all, unsigned what, unsigned rounds) {
    std::vector<double> times[sides], ratios[2][3];
    const bool by_memory = what >= floats && what < computed;
    const bool by_kernel = what < floors || what >= computed;
    for (unsigned i = 0; i <= rounds; i++) {
        cost costs[sides] = {};
        for (unsigned s = 0; s < sides; s++)
            if (s == plain_loop ? by_memory : by_kernel) costs[s] = ask(all[s], what);
        if (i == 0) continue; // memory and threads are new
        for (unsigned s = 0; s < sides; s++) {
            const bool one = s == tarn_one || s == peer_one || s == plain_loop;
            times[s].push_back(one ? costs[s].used_us : costs[s].time_us);
        }
        for (unsigned p = 0; p < 2; p++) {
            const cost &one = costs[p == 0 ? tarn_one : peer_one];
            const cost &every = costs[p == 0 ? tarn_all : peer_all];
            ratios[p][0].push_back(costs[plain_loop].used_us / one.used_us);
            ratios[p][1].push_back(one.time_us / every.time_us);
            ratios[p][2].push_back(every.used_us / one.used_us);
        }
    }
    for (unsigned s = 0; s < sides; s++) results[s][what] = median(times[s]);
    for (unsigned p = 0; p < 2; p++) {
        relative[p][what] = median(ratios[p][0]);
        gained[p][what] = median(ratios[p][1]);
        spent[p][what] = median(ratios[p][2]);
    }
}

// ---- output

struct row {
    const char *name; // with the number of threads
    unsigned what, minus, threads;
    double divisor;
    int sides; // those that have it, from the first one on
};

// what - minus, divided.
const row rows[] = {
    {"launch of a block of 64 threads, without a wait", launches, measurements, 0,
     launches_of_round, 4},
    {"launch and wait", launches + 1, measurements, 0, launches_of_round, 4},
    {"block without barriers", blocks, measurements, 3, blocks_of_launch, 4},
    {"barrier of a block", met_often, met_once, 3, blocks_of_launch *meetings, 4},
    {"shuffle of a block", exchanged_often, exchanged_once, 3, blocks_of_launch *meetings, 2},
};

double value_of(const row &r, unsigned s, unsigned i) {
    const double minus = r.minus == measurements ? 0 : results[s][r.minus + i];
    return (results[s][r.what + i] - minus) / r.divisor;
}

// The speed of a floor relative to the plain loop.
double floor_of(unsigned kind, unsigned i) {
    const double *of = &results[plain_loop][floors + 3 * kind];
    return of[0] / of[i];
}

const char *const kinds[] = {"float", "int", "double"};

void print_table() {
    printf("| us | Tarn, one worker | peer, one worker | Tarn, all CPUs | peer, all CPUs "
           "|\n|---|---|---|---|---|\n");
    for (const row &r : rows) {
        for (unsigned i = 0; i < (r.threads > 0 ? 3 : 1); i++) {
            printf("| %s", r.name);
            if (r.threads > 0) printf(", %u threads", threads_of[i]);
            for (unsigned s : {tarn_one, peer_one, tarn_all, peer_all}) {
                const bool has = r.sides == 4 || s < 2;
                if (has)
                    printf(" | %.2f", value_of(r, s, i));
                else
                    printf(" | -");
            }
            printf(" |\n");
        }
    }
    printf("\n| a[i] = b[i] + 2 * c[i], speed relative to the loop | loop, ms | loop with a test | "
           "and a store | Tarn, 64 threads | "
           "256 | 1024 | peer, 64 threads | 256 | 1024 "
           "|\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned k = 0; k < 3; k++) {
        const unsigned what = floats + 3 * k;
        printf("| %s | %.1f | %.2f | %.2f", kinds[k], results[plain_loop][what] / 1e3,
               floor_of(k, 1), floor_of(k, 2));
        for (unsigned p = 0; p < 2; p++)
            for (unsigned i = 0; i < 3; i++) printf(" | %.2f", relative[p][what + i]);
        printf(" |\n");
    }
    printf("\n| with %u CPUs | Tarn: times as fast | processor time / with one worker | "
           "peer: times as fast | processor time |\n|---|---|---|---|---|\n",
           std::thread::hardware_concurrency());
    for (const unsigned what : {floats + 1u, computed + 0u})
        printf("| %s | %.2f | %.2f | %.2f | %.2f |\n",
               what == computed ? "a polynomial of degree 64" : "a[i] = b[i] + 2 * c[i], floats",
               gained[0][what], spent[0][what], gained[1][what], spent[1][what]);
}

void print_json() {
    const char *const names[] = {"tarn_one_worker", "tarn_all_cpus", "peer_one_worker",
                                 "peer_all_cpus"};
    printf("{\"cpus\": %u", std::thread::hardware_concurrency());
    for (unsigned s = 0; s < 4; s++) {
        printf(", \"%s_us\": {", names[s]);
        const char *comma = "";
        for (const row &r : rows) {
            if (r.sides < 4 && s >= 2) continue;
            for (unsigned i = 0; i < (r.threads > 0 ? 3 : 1); i++) {
                printf("%s\"%s", comma, r.name);
                if (r.threads > 0) printf(", %u threads", threads_of[i]);
                printf("\": %.3f", value_of(r, s, i));
                comma = ", ";
            }
        }
        printf("}");
    }
    for (unsigned k = 0; k < 3; k++)
        printf(", \"%s_floors\": [%.3f, %.3f]", kinds[k], floor_of(k, 1), floor_of(k, 2));
    for (unsigned p = 0; p < 2; p++) {
        printf(", \"%s\": {", p == 0 ? "tarn" : "peer");
        for (unsigned k = 0; k < 3; k++) {
            const double *of = &relative[p][floats + 3 * k];
            printf("\"%s_relative\": [%.3f, %.3f, %.3f], ", kinds[k], of[0], of[1], of[2]);
        }
        printf("\"memory_gained\": %.3f, \"memory_spent\": %.3f, \"compute_gained\": %.3f, "
               "\"compute_spent\": %.3f}",
               gained[p][floats + 1], spent[p][floats + 1], gained[p][computed],
               spent[p][computed]);
    }
    printf("}\n");
}

} // namespace

int main(int argc, char **argv) {
    const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    const char *count = argc > 1 + json ? argv[1 + json] : "21";
    const unsigned rounds = static_cast<unsigned>(atoi(count));
    const unsigned cpus = std::thread::hardware_concurrency();
    side all[sides] = {
        {"host:0,workers=1", run<tarn_side, false>, 0, {}, {}},
        {nullptr, run<tarn_side, false>, 0, {}, {}},
        {nullptr, run<peer_side, false>, 1, {}, {}},
        {nullptr, run<peer_side, false>, cpus, {}, {}},
        {nullptr, run<peer_side, true>, 1, {}, {}},
    };
    for (side &s : all) {
        if (pipe(s.orders) != 0 || pipe(s.costs) != 0) return 1;
        const pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) {
            for (const side &before : all)
                if (before.orders[1] > 0) (void)close(before.orders[1]);
            serve(s);
        }
        (void)close(s.orders[0]);
        (void)close(s.costs[1]);
    }
    for (unsigned what = 0; what < measurements; what++)
        if (what != launches + 2) measure_one(all, what, rounds);
    if (json)
        print_json();
    else
        print_table();
    return 0;
}
