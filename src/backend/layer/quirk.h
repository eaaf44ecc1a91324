// SPDX-License-Identifier: Apache-2.0
// One quirk of a platform: a layer that behaves as a real stack with a defect does. quirks.h lists
// them; each has an installer, which replaces the slots that it changes. The lock guards the fields
// below it; no quirk holds it while it calls the next table.
#pragma once

#include "algo/interval.h"
#include "backend/layer/layer.h"
#include "backend/layer/quirks.h"
#include "base/lock.h"

struct tn_quirk {
    struct tn_layer layer;
    const char *name;
    struct tn_fail_spec spec; // selects calls; its value is that of SIZE or TIME
    struct tn_mutex lock;
    uint64_t used;             // of a quota; live objects; queries
    _Atomic bool lost;         // device-lost: every call fails
    struct tn_interval ranges; // of addresses, with a meaning that the quirk gives them
    struct tn_interval spaces; // live reservations
};

// Replaces slots in the table of the quirk.
#define TN_QUIRK_INSTALLER(id, ...) void tn_quirk_##id(struct tn_quirk *quirk);
TN_QUIRKS(TN_QUIRK_INSTALLER)
#undef TN_QUIRK_INSTALLER

// Records a failure that the quirk causes, and returns `status`.
tarn_status tn_quirk_fail(const struct tn_quirk *quirk, tarn_status status, const char *what,
                          tarn_addr address, uint64_t bytes);
