// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about devices and contexts. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>

#include "compat/runtime/base/error.h"

struct tn_rt_device_policy {
    char wrong[256]; // why no device can be opened: a bad variable of the environment; "": none
    // Variables of the environment: the name of a device of the platform, or "none"; and the
    // ordinals that programs see, of which the first variable that is set counts.
    const char *device_variable;
    const char *granularity; // of a software device whose name does not say it; NULL: its own
    const char *visible_variables[2];
    bool explicit_contexts; // a thread begins without a context; see context.h
    unsigned primary_flags; // that a primary context shows beside its own
    int context_version;    // of the API of contexts; 0: not supported
    unsigned device_flags;  // of devices and contexts, beside those of preference.h
    bool limits_printf;     // the buffer of printf() has a limit; see preference.h
    // Functions in stream order cannot allocate, free or wait: NOT_PERMITTED.
    bool functions_make_no_calls;
    int limit_end;              // numbers below are limits, unknown ones UNSUPPORTED_LIMIT
    tn_rt_error own_peer_error; // of ending a device's access to itself
    bool device_keeps_failures; // a failure of work is that of all later calls until a reset
    bool fabric;                // handles of type 0x8, and multicast objects
};

extern struct tn_rt_device_policy tn_rt_device_policy;
