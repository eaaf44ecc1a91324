// SPDX-License-Identifier: Apache-2.0
// Places: where the bytes at an address are, for copies and fills. A place describes one moment and
// holds nothing. Any thread may call these functions.
#pragma once

#include "compat/acl/face.h"

enum tn_acl_place_kind {
    TN_ACL_PLACE_DEVICE,   // memory of a device: allocated, mapped or imported
    TN_ACL_PLACE_HOST,     // memory of the host, pinned or registered
    TN_ACL_PLACE_PAGEABLE, // any other memory of the host
    TN_ACL_PLACE_MANAGED,  // memory of both
    TN_ACL_PLACE_NOWHERE   // reserved without a mapping, freed, or never allocated
};

struct tn_acl_place {
    enum tn_acl_place_kind kind;
    tarn_addr addr;
    struct tn_face_device *device; // the device of DEVICE, else NULL
    uint64_t readable;             // as in tarn_address_info
};

// Finds the place of an address. Does not check that pageable memory exists.
void tn_acl_place_find(tarn_addr addr, struct tn_acl_place *place);

// Replaces each PAGEABLE place by NOWHERE if the process cannot read its first or its last byte.
// Each place has at least one byte. Makes one system call, or none if no place is PAGEABLE. `b` may
// be NULL.
void tn_acl_place_probe(struct tn_acl_place *a, size_t a_bytes, struct tn_acl_place *b,
                        size_t b_bytes);

// Returns a name of the place's kind: "device memory", "pinned host memory" ...
const char *tn_acl_place_name(const struct tn_acl_place *place);

// Reports an access to `bytes` at NOWHERE to a checker.
void tn_acl_place_refuse(const struct tn_acl_place *place, size_t bytes, bool write);

// Returns 107000 for NOWHERE, after a report. `write`: it is the destination, else the source.
aclError tn_acl_place_check(const struct tn_acl_place *place, size_t bytes, bool write);

// Returns true if `device` may work on the place: its own memory, memory of a peer that was enabled
// or that was granted to it, imported memory, or memory of no device.
bool tn_acl_place_reached(const struct tn_acl_place *place, const struct tn_face_device *device);
