// SPDX-License-Identifier: Apache-2.0
// See fork.h.
#include "compat/hip/fork.h"

#include "compat/face/handle.h"

// In the order in which their locks may be taken.
static const tn_face_fork_part parts[] = {
    tn_hip_face_fork,  tn_hip_device_code_fork, tn_hip_ipc_fork,     tn_hip_context_fork,
    tn_hip_event_fork, tn_hip_capture_fork,     tn_hip_graph_fork,   tn_hip_stream_fork,
    tn_hip_order_fork, tn_hip_pool_fork,        tn_face_handle_fork, tn_hip_block_fork,
};

void tn_hip_fork_watch(void) {
    tn_face_fork_watch(parts, sizeof parts / sizeof parts[0]);
}
