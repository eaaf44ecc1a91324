// SPDX-License-Identifier: Apache-2.0
// The place of a new node, as parameters of a row, and a check of edges that two files use.
#pragma once

#include "compat/cuda/face.h"

#define TN_CU_SPOT                                                                                 \
    CUgraphNode *, node, CUgraph, graph, const CUgraphNode *, dependencies, size_t, count

// Edges have no data: NOT_SUPPORTED unless `edges` is NULL or describes plain dependencies, by zeros.
tn_rt_error tn_cu_check_edges(const void *edges, size_t count);
