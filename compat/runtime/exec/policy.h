// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about executable graphs. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>

struct tn_rt_exec_policy {
    bool memory_graphs_come_back; // are instantiated again when the executable graph has ended
    bool changes_keep_memory;     // of executable graphs, see graph_exec.h
};

extern struct tn_rt_exec_policy tn_rt_exec_policy;
