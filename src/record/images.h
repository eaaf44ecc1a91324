// SPDX-License-Identifier: Apache-2.0
// The libraries and the program of this process that contain Tarn. Each copy of Tarn emits its own
// events, so the recorder does not record the vendor's calls that a copy makes or answers. Any
// thread.
#pragma once

#include <stdbool.h>

// Adds the image that contains this address. More than 16 images are not known.
void tn_record_image_add(const void *address);

// Returns true if an image that was added contains the address.
bool tn_record_image_has(const void *address);
