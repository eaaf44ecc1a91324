// SPDX-License-Identifier: Apache-2.0
// See fork.h.
#include "compat/hip/fork.h"

#include <pthread.h>
#include <stddef.h>

// In the order in which their locks may be taken.
static void (*const parts[])(enum tn_hip_fork step) = {
    tn_hip_face_fork,  tn_hip_device_code_fork, tn_hip_ipc_fork,    tn_hip_context_fork,
    tn_hip_event_fork, tn_hip_capture_fork,     tn_hip_graph_fork,  tn_hip_stream_fork,
    tn_hip_order_fork, tn_hip_pool_fork,        tn_hip_handle_fork, tn_hip_block_fork,
};
#define PARTS (sizeof parts / sizeof parts[0])

static void prepare(void) {
    for (size_t i = 0; i < PARTS; i++) {
        parts[i](TN_HIP_FORK_PREPARE);
    }
}

static void in_parent(void) {
    for (size_t i = PARTS; i-- > 0;) {
        parts[i](TN_HIP_FORK_PARENT);
    }
}

static void in_child(void) {
    for (size_t i = PARTS; i-- > 0;) {
        parts[i](TN_HIP_FORK_CHILD);
    }
}

static void install(void) {
    (void)pthread_atfork(prepare, in_parent, in_child);
}

void tn_hip_fork_watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, install);
}
