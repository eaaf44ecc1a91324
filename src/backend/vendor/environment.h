// SPDX-License-Identifier: Apache-2.0
// The options of back-ends over vendors' libraries in the environment. Other rooms include only this header.
#pragma once

#include <tarn/base.h>

// Checks the options of a variable such as TARN_HIP. BAD_CONFIG: they are wrong.
tarn_status tn_vendor_check_environment(const char *variable);
