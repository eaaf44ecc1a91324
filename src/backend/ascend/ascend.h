// SPDX-License-Identifier: Apache-2.0
// The back-end for Huawei NPUs, through libascendcl. Other rooms include only this header.
#pragma once

#include <tarn/backend.h>

extern const tarn_backend tn_backend_ascend;

// The status of an error of AscendCL. For tests.
tarn_status tn_ascend_status_of(int64_t code);
