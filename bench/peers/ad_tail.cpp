// SPDX-License-Identifier: Apache-2.0
// peers_tail tarn|prototype|nothing TRACE: replays a trace of the peer harness SB_REPS times (7), each
// time on a new allocator, and measures each allocation. Other work of the machine disturbs different
// allocations in each run, so the median of one allocation over the runs is its own time. Prints a
// line of CSV: name, trace, then the 99.9th percentile of an allocation in ns, the median of the
// runs; the same of the allocations' medians; and the share of allocations longer than 150 ns, in
// the runs and by their medians. `nothing` does nothing, and shows what the machine adds. TARN_POOL
// as in tarn_adapter.h; in peers_tail_byaddress the prototype is the one that takes addresses.
#include "traces.h"

#include <array>

using namespace sb;

static constexpr double SLOW_NS = 150;

struct nothing_adapter : AdapterBase {
    static const char *name() { return "nothing"; }
    bool init(u64) { return true; }
    bool alloc(u64, Handle &) { return true; }
    void free(Handle &, u64) {}
};

// The 99.9th percentile, and the share of slow ones.
static std::array<double, 2> tail_of(std::vector<u32> ticks) {
    double slow = 0;
    for (u32 t : ticks) slow += t > SLOW_NS * g_ghz;
    slow /= (double)ticks.size();
    return {pct(ticks, .999) / g_ghz, slow};
}

static double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Measures the allocations of one run.
template <class Allocator> static std::vector<u32> run(const Trace &trace, u64 overhead) {
    std::vector<Handle> handles(trace.slots);
    std::vector<u64> sizes(trace.slots);
    std::vector<u32> ticks(trace.ops.size());
    u64 done = 0;
    size_t count = 0;
    double seconds = 0;
    Allocator allocator;
    if (!allocator.init(80 * GB)) exit(1);
    (void)replay_plain(allocator, trace.warm, handles, sizes, 1e9, done, seconds);
    for (const Op &op : trace.ops) {
        u64 start = tick();
        if (op.size != 0)
            (void)allocator.alloc(op.size, handles[op.id]);
        else
            allocator.free(handles[op.id], sizes[op.id]);
        u64 spent = tick() - start;
        sizes[op.id] = op.size;
        if (op.size != 0) ticks[count++] = (u32)(spent > overhead ? spent - overhead : 0);
    }
    ticks.resize(count);
    drain(allocator, trace, trace.warm.size(), trace.ops.size(), handles, sizes);
    return ticks;
}

template <class Allocator> static void measure(const std::string &name) {
    const Trace trace = make_trace(name);
    const size_t reps = getenv("SB_REPS") != nullptr ? (size_t)atoi(getenv("SB_REPS")) : 7;
    const u64 overhead = tick_overhead();
    std::vector<std::vector<u32>> runs;
    std::vector<double> tails, shares;
    for (size_t i = 0; i < reps; i++) {
        runs.push_back(run<Allocator>(trace, overhead));
        tails.push_back(tail_of(runs[i])[0]);
        shares.push_back(tail_of(runs[i])[1]);
    }
    std::vector<u32> own;
    std::vector<u32> times(reps);
    for (size_t k = 0; k < runs[0].size(); k++) {
        for (size_t i = 0; i < reps; i++) times[i] = runs[i][k];
        std::nth_element(times.begin(), times.begin() + (long)reps / 2, times.end());
        own.push_back(times[reps / 2]);
    }
    printf("%s,%s,%.0f,%.0f,%.5f,%.5f\n", Allocator::name(), name.c_str(), median(tails),
           tail_of(own)[0], median(shares), tail_of(own)[1]);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: peers_tail tarn|prototype|nothing TRACE\n");
        return 2;
    }
    calibrate();
    pin(getenv("SB_CORE") != nullptr ? atoi(getenv("SB_CORE")) : 1);
    const std::string allocator = argv[1];
    allocator == "tarn"        ? measure<tarn_pool_adapter>(argv[2])
    : allocator == "prototype" ? measure<prototype_adapter>(argv[2])
                               : measure<nothing_adapter>(argv[2]);
    return 0;
}
