// SPDX-License-Identifier: Apache-2.0
// Declares every slot function of the software device as tn_host_<slot>. <tarn/backend.h> documents
// them; `p` is the platform, a struct tn_host.
#pragma once

#include <tarn/backend.h>

#include "backend/contract/slots.h"

#define TN_HOST_SLOT(slot, ...) TN_BACKEND_SLOT_TYPE(slot) tn_host_##slot;
TN_BACKEND_SLOTS(TN_HOST_SLOT)
#undef TN_HOST_SLOT
