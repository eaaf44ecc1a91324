// SPDX-License-Identifier: Apache-2.0
// Which source a pool gets: the one that was asked for or, where a device cannot move pages, the
// one that stands in for it.
#ifndef TARN_CORE_POOL_CHOICE_H
#define TARN_CORE_POOL_CHOICE_H

#include "core/pool/source.h"

// Makes the source of a pool with a device. `desc` has been checked; its kind, limit and grants
// become those of the pool that it is. `reason` is why that is another kind, or "".
tarn_status tn_pool_source_choose(tarn_pool_desc *desc, tn_pool_source **source,
                                  char reason[TARN_POOL_REASON]);

#endif
