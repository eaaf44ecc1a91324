// SPDX-License-Identifier: Apache-2.0
// Cancellation in the faces: that of base/uncancelled.h, under the name of this room.
#pragma once

#include "src/base/uncancelled.h"

#define TN_FACE_UNCANCELLED TN_UNCANCELLED
