// SPDX-License-Identifier: Apache-2.0
// Options and results of `tarn channel bench`. The producer is this process, the consumer a child.
#pragma once

#include "tools/command.h"
#include "tools/timing.h"

enum { TN_CHANNEL_SIZES = 16 };

struct tn_channel_options {
    uint64_t sizes[TN_CHANNEL_SIZES];
    size_t size_count;
    uint64_t milliseconds; // for each size
    uint64_t rate;         // messages a second; 0 sends as many as possible
    uint32_t depth;        // parcels in transit concurrently
    uint32_t ports;        // ports, used in turn
    bool verify;           // compare every word instead of the sum only
    bool spin;             // spin before sleeping, whatever the number of CPUs
    bool json;
};

// The counters of one side. Shared with the child.
struct tn_channel_side {
    uint64_t messages;
    uint64_t damaged; // with wrong bytes or a wrong sum
    uint64_t faults;  // minor page faults after the first messages
    uint64_t cpu_ns;
    struct tn_histogram times; // producer: of a send; consumer: from before the send to the receive
};

struct tn_channel_result {
    uint64_t bytes; // of a message
    uint64_t elapsed_ns;
    uint64_t late;   // with a rate: messages sent too late
    uint64_t copies; // copies made by the channel
    struct tn_channel_side producer;
    struct tn_channel_side consumer;
};

// Streams messages of `bytes` and fills `result`. Returns an exit code; a failure is described on
// standard error.
enum tn_exit tn_channel_stream(const struct tn_channel_options *options, uint64_t bytes,
                               struct tn_channel_result *result);

// The commands behind `tarn channel`: X(name, "summary").
#define TN_CHANNEL_COMMAND_LIST(X)                                                                 \
    X(bench, "stream messages to a child process and measure the cost")                            \
    X(top, "show the arenas and channels of running processes")

#define TN_CHANNEL_DECLARE(name, summary) int tn_channel_##name(int argc, char **argv);
TN_CHANNEL_COMMAND_LIST(TN_CHANNEL_DECLARE)
#undef TN_CHANNEL_DECLARE
