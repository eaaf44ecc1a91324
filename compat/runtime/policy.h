// SPDX-License-Identifier: Apache-2.0
// What differs between the faces that share the runtime, and between the releases that one face
// follows: data, not code. The face fills the policy in before the devices are opened. Afterwards
// it is only read.
#ifndef TARN_COMPAT_RUNTIME_POLICY_H
#define TARN_COMPAT_RUNTIME_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/face/fault.h"

struct tn_rt_policy {
    const struct tn_face_code *codes; // the face's errors, UNKNOWN among them, with names and texts
    size_t code_count;
    bool log; // failing calls are written to standard error

    // Variables of the environment: the name of a device of the platform, or "none"; and the
    // ordinals that programs see, of which the first variable that is set counts.
    const char *device_variable;
    const char *visible_variables[2];

    int level;   // the vendor's release to follow where releases differ
    bool sparse; // sparse arrays are supported

    // The thread's last error also becomes that of a call that succeeds or is not ready. Calls
    // that the runtime marks as unkept (error.h) then do not change it.
    bool keeps_every_result;
};

// Zero, which keeps and logs the least, until the face fills it in.
extern struct tn_rt_policy tn_rt_policy;

// Calls fill() with the policy, once in the process. It may be called while no device is open.
typedef void (*tn_rt_policy_fill)(struct tn_rt_policy *policy);
void tn_rt_set_policy(tn_rt_policy_fill fill);

#endif
