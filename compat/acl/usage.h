// SPDX-License-Identifier: Apache-2.0
// The usage of each device: bytes of its capacity now, and their peak, for each module. Modules are
// the numbers that programs pass (ACL_RT_MEM_ATTR_MODULE_ID) and the few below. Any thread may call
// these functions.
#pragma once

#include <stddef.h>

#include "compat/acl/face.h"

// Modules beside those that programs name, which are 0 or greater.
enum {
    TN_ACL_MODULE_NONE = -1, // allocated without a module
    TN_ACL_MODULE_MEDIA = -2 // allocated by the media functions
};

// Counts `bytes` more, or less, of the device. A module for which no host memory is left is not
// counted.
void tn_acl_usage_add(const struct tn_face_device *device, int module, size_t bytes);
void tn_acl_usage_sub(const struct tn_face_device *device, int module, size_t bytes);

// Fills at most `room` records, in the order in which modules appeared, and returns their number.
size_t tn_acl_usage_fill(const struct tn_face_device *device, aclrtMemUsageInfo *records,
                         size_t room);
