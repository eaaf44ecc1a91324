// SPDX-License-Identifier: Apache-2.0
// What differs between faces and their releases: executable graphs. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>

struct tn_rt_exec_policy {
    bool memory_graphs_come_back; // are instantiated again when the executable graph has ended
    bool changes_keep_memory;     // of executable graphs, see graph_exec.h
};

extern struct tn_rt_exec_policy tn_rt_exec_policy;
