// SPDX-License-Identifier: Apache-2.0
// The software device: real bytes (memfd and mmap), as many devices as configured, and the rules of
// an accelerator. Other rooms use only this table.
#pragma once

#include <tarn/backend.h>

extern const tarn_backend tn_backend_host;

// Checks the options of TARN_HOST. BAD_CONFIG: they are wrong.
tarn_status tn_host_check_environment(void);
