// SPDX-License-Identifier: Apache-2.0
// peers_count tarn|prototype TRACE: replays the first 300,000 operations of a trace of the peer
// harness for a profiler that counts, which the noise of a machine does not disturb:
//   valgrind --tool=callgrind --instr-atstart=no build/bin/peers_count tarn lifo-10k
// In peers_count_byaddress the prototype is the one that takes addresses.
// Only those operations are counted, not the blocks that are made before.
#include "traces.h"

#include <cstdint>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

// Valgrind has no membarrier(), without which a pool locks with atomic operations, and Tarn reports
// events to Valgrind's Memcheck. With one thread a barrier need do nothing.
extern "C" {
extern uint32_t tn_annotate_state;
bool tn_barrier_works(void) { return true; }
void tn_barrier(void) {}
}

template <class Allocator> static void count(const std::string &name) {
    Trace trace = make_trace(name);
    std::vector<Handle> handles(trace.slots);
    std::vector<u64> sizes(trace.slots);
    u64 done = 0;
    double seconds = 0;
    Allocator allocator;
    if (!allocator.init(80 * GB)) exit(1);
    tn_annotate_state = 0;
    trace.ops.resize(std::min<size_t>(trace.ops.size(), 300000));
    (void)replay_plain(allocator, trace.warm, handles, sizes, 1e9, done, seconds);
    CALLGRIND_START_INSTRUMENTATION;
    (void)replay_plain(allocator, trace.ops, handles, sizes, 1e9, done, seconds);
    CALLGRIND_STOP_INSTRUMENTATION;
    printf("%s %s: %lu operations\n", Allocator::name(), name.c_str(), done);
    drain(allocator, trace, trace.warm.size(), done, handles, sizes);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: peers_count tarn|prototype TRACE\n");
        return 2;
    }
    argv[1][0] == 't' ? count<tarn_pool_adapter>(argv[2]) : count<prototype_adapter>(argv[2]);
    return 0;
}
