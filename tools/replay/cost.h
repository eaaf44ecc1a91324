// SPDX-License-Identifier: Apache-2.0
// The cost of device calls under the cost model of a device, found by making each call once. It
// prices calls that no replay makes: those of the recorded allocator. One thread.
#pragma once

#include <tarn/tarn.h>

#include "trace/trace.h"

// Virtual nanoseconds of a call. The costs of `create` and `alloc` also grow with each byte.
struct tn_cost {
    double create, create_byte;
    double map; // with the grant of rights
    double unmap;
    double release;
    double alloc, alloc_byte;
    double free;
};

// Measures the costs. They are 0 on a device without TARN_FEATURE_VIRTUAL_TIME, and for calls that
// fail. Returns false if a call failed for lack of host memory.
bool tn_cost_measure(tarn_device *device, struct tn_cost *cost);

// Returns the virtual nanoseconds that the calls of a recorded allocator take.
uint64_t tn_cost_of_calls(const struct tn_cost *cost, const struct tn_trace_calls *calls);
