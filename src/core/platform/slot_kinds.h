// SPDX-License-Identifier: Apache-2.0
// The kinds of handles. The kind is part of every handle's number, so that a handle of another kind
// is refused.
#pragma once

enum { TN_SLOT_PHYS = 1, TN_SLOT_STREAM = 2, TN_SLOT_EVENT = 3, TN_SLOT_ARRAY = 4 };
