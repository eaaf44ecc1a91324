// SPDX-License-Identifier: Apache-2.0
// The policy of a face: the differences between the faces that share the runtime, and between the
// releases that one face follows, as data. Each room has its part. The face fills them in before the
// devices are opened. Afterwards they are only read.
#pragma once

#include "compat/runtime/base/policy.h"
#include "compat/runtime/code/policy.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/device/policy.h"
#include "compat/runtime/exec/policy.h"
#include "compat/runtime/graph/policy.h"
#include "compat/runtime/kernel/policy.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/policy.h"

// Each field is the part of the room with that name.
struct tn_rt_policy {
    struct tn_rt_base_policy base;
    struct tn_rt_code_policy code;
    struct tn_rt_copy_policy copy;
    struct tn_rt_device_policy device;
    struct tn_rt_exec_policy exec;
    struct tn_rt_graph_policy graph;
    struct tn_rt_kernel_policy kernel;
    struct tn_rt_memory_policy memory;
    struct tn_rt_stream_policy stream;
};

// Calls fill() with a policy of zeros and gives each room its part, once in the process. It may be
// called while no device is open. Ends the process if an error is missing.
typedef void (*tn_rt_policy_fill)(struct tn_rt_policy *policy);
void tn_rt_set_policy(tn_rt_policy_fill fill);
