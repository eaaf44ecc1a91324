// SPDX-License-Identifier: Apache-2.0
// Unwritten bytes that copies inside devices carry from one region to another. Such a copy is no use of
// the bytes, so it is not reported. The destination then counts as unwritten where the source was, and
// remembers which seals of the source came with the bytes. Called with all locks of the model held.
#pragma once

#include "check/access.h"
#include "check/seal.h"

// Passes on to the destination which bytes of the source are unwritten. The copy counts as a write
// already.
void tn_check_carry(const struct tn_check_call *call, const struct tn_check_access *to,
                    const struct tn_check_access *from);
