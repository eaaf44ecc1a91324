// SPDX-License-Identifier: Apache-2.0
// The simulated device: the rules of a card over numbers, no bytes. Any capacity, any granularity,
// and a cost model with a virtual clock. This is all that is seen of it from outside its room.
#ifndef TARN_BACKEND_SIM_SIM_H
#define TARN_BACKEND_SIM_SIM_H

#include <tarn/backend.h>

extern const tarn_backend tn_backend_sim;

#endif
