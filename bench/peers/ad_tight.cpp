// SPDX-License-Identifier: Apache-2.0
// Tarn in little memory: how long an allocation and a free take in 1.02 times the smallest arena,
// and in a multiple of the peak of live bytes, relative to 80 GiB. Like the harness, it searches the
// smallest arena for the warm-up and the first 200,000 operations, and times these. With a multiple
// the whole trace is timed. Usage: peers_tight TRACE [FACTOR]; TARN_POOL and TARN_POLICY as in
// tarn_adapter.h, SB_REPS as in the harness.
#include "traces.h"

using namespace sb;
using A = tarn_pool_adapter;

static constexpr u64 ROOM = 80 * GB;

static u64 peak_live(const Trace &t) {
    std::vector<u64> size(t.slots);
    u64 live = 0, peak = 0;
    for (const auto *ops : {&t.warm, &t.ops})
        for (const Op &o : *ops) {
            live += o.size - (o.size ? 0 : size[o.id]);
            size[o.id] = o.size;
            peak = std::max(peak, live);
        }
    return peak;
}

// Returns ns for an allocation and a free, or -1 if the trace does not complete in the arena.
static double run_in(const Trace &t, u64 arena) {
    std::vector<Handle> handles(t.slots);
    std::vector<u64> sizes(t.slots);
    u64 warm_done = 0, done = 0;
    double seconds = 0;
    A allocator;
    if (!allocator.init(arena)) return -1;
    bool ok = replay_plain(allocator, t.warm, handles, sizes, 1e9, warm_done, seconds) &&
              replay_plain(allocator, t.ops, handles, sizes, 1e9, done, seconds);
    drain(allocator, t, warm_done, done, handles, sizes);
    return ok ? seconds * 2e9 / (double)t.ops.size() : -1;
}

static double median_in(const Trace &t, u64 arena) {
    std::vector<double> ns;
    for (int i = 0; i < (getenv("SB_REPS") ? atoi(getenv("SB_REPS")) : 5); i++)
        ns.push_back(run_in(t, arena));
    std::sort(ns.begin(), ns.end());
    return ns.front() < 0 ? -1 : ns[ns.size() / 2];
}

static u64 arena_of(u64 peak, double factor) { return up((u64)((double)peak * factor), 2 * MB); }

// Returns the smallest arena as a multiple of the peak, or 3 if none below that suffices.
static double smallest_arena(const Trace &t, u64 peak) {
    double low = 1, high = std::min(3.0, (double)ROOM / (double)peak);
    for (int i = 0; i < 9; i++) {
        double middle = (low + high) / 2;
        (run_in(t, arena_of(peak, middle)) >= 0 ? high : low) = middle;
    }
    return high;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: peers_tight TRACE [FACTOR]\n");
        return 2;
    }
    pin(getenv("SB_CORE") ? atoi(getenv("SB_CORE")) : 1);
    Trace t = make_trace(argv[1]);
    double factor = argc > 2 ? atof(argv[2]) : 0;
    if (factor == 0) t.ops.resize(std::min<size_t>(t.ops.size(), 200000));
    u64 peak = peak_live(t);
    if (factor == 0) factor = 1.02 * smallest_arena(t, peak);
    printf("%s,%s,%.4f,%.1f,%.1f\n", A::name(), argv[1], factor, median_in(t, ROOM),
           median_in(t, arena_of(peak, factor)));
    return 0;
}
