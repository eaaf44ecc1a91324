// SPDX-License-Identifier: Apache-2.0
// The functions that the checker stores in the slots of MSTX clients. They check their arguments
// and update the model. Any thread may call them.
#ifndef TARN_CHECK_MSTX_H
#define TARN_CHECK_MSTX_H

#include "annotate/slots.h"

enum { TN_CHECK_MSTX_SLOTS = 14 };

extern const struct tn_mstx_slot tn_check_mstx_slots[TN_CHECK_MSTX_SLOTS];

#endif
