// SPDX-License-Identifier: Apache-2.0
// See policy.h.
#include "compat/runtime/policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// An error that a face forgets would be success.
static void check_errors(const struct tn_rt_policy *p) {
    const tn_rt_error errors[] = {
        p->base.dead_handle,         p->code.no_code_error,         p->device.own_peer_error,
        p->code.device_code_error,   p->kernel.configuration_error, p->kernel.bounds_error,
        p->memory.range_error,       p->memory.phys_device_error,   p->memory.import_error,
        p->memory.pool_import_error, p->memory.pool_device_error};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i] != TN_RT_OK) continue;
        (void)fprintf(stderr, "tarn: error %zu of the policies is missing\n", i);
        abort();
    }
}

void tn_rt_set_policy(tn_rt_policy_fill fill) {
    static bool is_set;
    static struct tn_rt_policy policy; // zero, which keeps and logs the least
    TN_FACE_LOCKED(&lock);
    if (is_set) return;
    is_set = true;
    fill(&policy);
    check_errors(&policy);
    tn_rt_base_policy = policy.base;
    tn_rt_code_policy = policy.code;
    tn_rt_copy_policy = policy.copy;
    tn_rt_device_policy = policy.device;
    tn_rt_exec_policy = policy.exec;
    tn_rt_graph_policy = policy.graph;
    tn_rt_kernel_policy = policy.kernel;
    tn_rt_memory_policy = policy.memory;
    tn_rt_stream_policy = policy.stream;
}

TN_FACE_ON_FORK(TN_RT_LOCK_POLICY, &lock, NULL);
