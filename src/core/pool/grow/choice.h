// SPDX-License-Identifier: Apache-2.0
// The choice of a pool's source. Where a device cannot map pages, segments replace them.
#ifndef TARN_CORE_POOL_GROW_CHOICE_H
#define TARN_CORE_POOL_GROW_CHOICE_H

#include "core/pool/grow/source.h"

// Creates the source of a pool with a device. `desc` has been checked; its kind, limit and grants
// become those of the actual pool. Writes into `reason` why the kind changed, or "".
tarn_status tn_pool_source_choose(tarn_pool_desc *desc, tn_pool_source **source,
                                  char reason[TARN_POOL_REASON]);

#endif
