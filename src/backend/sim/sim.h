// SPDX-License-Identifier: Apache-2.0
// The simulated device: the rules of an accelerator over numbers, without bytes. It supports any
// capacity and granularity, and has a cost model with a virtual clock. Other rooms use only this
// table.
#pragma once

#include <tarn/backend.h>

extern const tarn_backend tn_backend_sim;

// Checks the options of TARN_SIM. BAD_CONFIG: they are wrong.
tarn_status tn_sim_check_environment(void);
