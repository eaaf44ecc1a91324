// SPDX-License-Identifier: Apache-2.0
// Who uses a device: bytes of its capacity now and at most, for each module. Modules are numbers of
// the program's (ACL_RT_MEM_ATTR_MODULE_ID) and the few below. One list of the process, behind a
// lock of its own.
#ifndef TARN_COMPAT_ACL_USAGE_H
#define TARN_COMPAT_ACL_USAGE_H

#include <stddef.h>

#include "compat/acl/face.h"

// Modules beside those that programs name, which are 0 and above.
enum {
    TN_ACL_MODULE_NONE = -1, // allocated with no module named
    TN_ACL_MODULE_MEDIA = -2 // by the media allocators
};

// `bytes` more, or less, of the device. A module that there is no host memory to keep is not told.
void tn_acl_usage_add(const struct tn_acl_device *device, int module, size_t bytes);
void tn_acl_usage_sub(const struct tn_acl_device *device, int module, size_t bytes);

// Fills at most `room` records, in the order in which modules came, and returns how many.
size_t tn_acl_usage_tell(const struct tn_acl_device *device, aclrtMemUsageInfo *records,
                         size_t room);

#endif
