// SPDX-License-Identifier: Apache-2.0
// See face.h. The environment is read once, when the runtime asks for the policy.
#include "compat/hip/face.h"

#include <stdlib.h>
#include <string.h>

#include "compat/hip/soname.h"

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static int chosen_level(void) {
    const char *level = getenv("TARN_HIP_COMPAT");
    bool chosen = level != NULL && (strcmp(level, "6") == 0 || strcmp(level, "7") == 0);
    return chosen ? level[0] - '0' : tn_hip_soname;
}

static void fill_policy(struct tn_rt_policy *policy) {
    int level = chosen_level();
    *policy = (struct tn_rt_policy){
        .log = is_set("TARN_HIP_LOG"),
        .device_variable = "TARN_HIP_DEVICE",
        .visible_variables = {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"},
        .level = level,
        .sparse = is_set("TARN_HIP_SPARSE"),
        .keeps_every_result = level == 6,
    };
    tn_hip_set_codes(policy);
}

const struct tn_rt_policy *tn_hip_policy(void) {
    tn_rt_set_policy(fill_policy);
    return &tn_rt_policy;
}

bool tn_hip_ready(void) {
    return tn_rt_is_open() || tn_rt_open(fill_policy);
}
