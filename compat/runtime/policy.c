// SPDX-License-Identifier: Apache-2.0
// See policy.h.
#include "compat/runtime/policy.h"

#include "compat/face/scope.h"
#include "compat/runtime/lock.h"

struct tn_rt_policy tn_rt_policy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tn_rt_set_policy(tn_rt_policy_fill fill) {
    static bool is_set;
    TN_FACE_LOCKED(&lock);
    if (!is_set) {
        is_set = true;
        fill(&tn_rt_policy);
    }
}

TN_FACE_ON_FORK(TN_RT_LOCK_POLICY, &lock, NULL);
