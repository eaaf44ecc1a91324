// SPDX-License-Identifier: Apache-2.0
// See policy.h.
#include "compat/runtime/base/policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"

struct tn_rt_policy tn_rt_policy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// An error that a face forgets would be success.
static void check_errors(const struct tn_rt_policy *p) {
    const tn_rt_error errors[] = {p->no_code_error,    p->device_code_error, p->configuration_error,
                                  p->bounds_error,     p->dead_handle,       p->own_peer_error,
                                  p->range_error,      p->phys_device_error, p->import_error,
                                  p->pool_import_error};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i] != TN_RT_OK) continue;
        (void)fprintf(stderr, "tarn: error %zu of the policies is missing\n", i);
        abort();
    }
}

void tn_rt_set_policy(tn_rt_policy_fill fill) {
    static bool is_set;
    TN_FACE_LOCKED(&lock);
    if (!is_set) {
        is_set = true;
        fill(&tn_rt_policy);
        check_errors(&tn_rt_policy);
    }
}

TN_FACE_ON_FORK(TN_RT_LOCK_POLICY, &lock, NULL);
