// SPDX-License-Identifier: Apache-2.0
// Places: where the bytes at an address are, as copies and sets see it. A place is a look at one
// moment; nothing is held by it. Any thread.
#ifndef TARN_COMPAT_ACL_PLACE_H
#define TARN_COMPAT_ACL_PLACE_H

#include "compat/acl/face.h"

enum tn_acl_place_kind {
    TN_ACL_PLACE_DEVICE,   // of a device: allocated, mapped or imported
    TN_ACL_PLACE_HOST,     // of the host, pinned or registered
    TN_ACL_PLACE_PAGEABLE, // of the host, any other
    TN_ACL_PLACE_MANAGED,  // of both
    TN_ACL_PLACE_NOWHERE   // reserved without a mapping, freed, or never there
};

struct tn_acl_place {
    enum tn_acl_place_kind kind;
    tarn_addr addr;
    struct tn_acl_device *device; // DEVICE: whose
    tarn_address_kind known_as;   // to Tarn
};

// Looks at an address and, where it is ordinary memory, at whether `size` bytes, one at least, can
// begin and end there.
void tn_acl_place_look(const void *ptr, size_t size, struct tn_acl_place *place);

// "device memory", "pinned host memory" ...
const char *tn_acl_place_name(const struct tn_acl_place *place);

// 107000 for NOWHERE.
aclError tn_acl_place_check(const struct tn_acl_place *place, const char *argument);

// Whether `device` may work on the place: its own, of a peer that was enabled, granted or imported,
// or no device's.
bool tn_acl_place_reached(const struct tn_acl_place *place, const struct tn_acl_device *device);

#endif
