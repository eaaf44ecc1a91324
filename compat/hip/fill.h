// SPDX-License-Identifier: Apache-2.0
// Fills as pieces of work: what hipMemset*() and the nodes of graphs share.
#ifndef TARN_COMPAT_HIP_FILL_H
#define TARN_COMPAT_HIP_FILL_H

#include "compat/hip/order.h"

// Makes *op of a fill, which is plain bytes. hipErrorInvalidValue: NULL, or ordinary memory. The
// rest is checked when the fill is given to its stream.
hipError_t tn_hip_fill_op(const tarn_fill_desc *desc, struct tn_hip_op *op);

#endif
