// SPDX-License-Identifier: Apache-2.0
// The cost of device calls under the cost model of a device, found by making each call once. It
// prices calls that no replay makes: those of the recorded allocator. One thread.
#pragma once

#include <tarn/tarn.h>

#include "trace/trace.h"

// Virtual nanoseconds of the calls that allocate and free memory, that create and release handles,
// and that map and unmap these.
struct tn_cost {
    struct tn_cost_pair {
        double take, take_byte; // for the call, and for each byte
        double back;
    } memory, handles;
    double map; // with the grant of rights
    double unmap;
};

// Measures the costs. They are 0 on a device without TARN_FEATURE_VIRTUAL_TIME, and for calls that
// fail. Returns false if a call failed for lack of host memory.
bool tn_cost_measure(tarn_device *device, struct tn_cost *cost);

// Returns the virtual nanoseconds that the calls of a recorded allocator take.
uint64_t tn_cost_of_calls(const struct tn_cost *cost, const struct tn_trace_calls *calls);
