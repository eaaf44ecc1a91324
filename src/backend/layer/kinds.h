// SPDX-License-Identifier: Apache-2.0
// The kinds of layers: one constant for each file of this room that changes slots.
#pragma once

#include "backend/layer/layer.h"

// X(kind), from the back-end upwards: the last one is called first.
#define TN_LAYER_KINDS(X) X(quirk) X(delay) X(inject)

#define TN_LAYER_KIND(kind) extern const struct tn_layer_kind tn_layer_##kind;
TN_LAYER_KINDS(TN_LAYER_KIND)
#undef TN_LAYER_KIND
