// SPDX-License-Identifier: Apache-2.0
// Bits that streams of several processes set and take. A bit without a key is memory of this
// process. With its first key it moves to a page that other processes can map. Each process counts
// the references to its record of a bit. Any thread, also a host function, may call these
// functions.
#pragma once

#include "compat/acl/face.h"

struct tn_acl_notify_bit;

// Makes a bit of the device with this number on the platform, not set. 200000.
aclError tn_acl_notify_bit_new(int number, struct tn_acl_notify_bit **bit);
void tn_acl_notify_bit_keep(struct tn_acl_notify_bit *bit);
void tn_acl_notify_bit_put(struct tn_acl_notify_bit *bit);

// Returns the number of the bit's device.
int tn_acl_notify_bit_number(const struct tn_acl_notify_bit *bit);

// Sets or clears the bit. Returns true if it was set: of several callers that clear it, one.
bool tn_acl_notify_bit_exchange(struct tn_acl_notify_bit *bit, bool value);

// Returns the bit's key, the same each time. If this call makes it, only processes of
// tn_acl_notify_bit_allow() may import it, or all with `to_all`. 107000 if the bit was imported; 207005 if
// no descriptors are left; 207001; 507899.
aclError tn_acl_notify_bit_export(struct tn_acl_notify_bit *bit, bool to_all,
                                  char key[TN_ACL_KEY_BYTES]);

// Lets processes import the bit. 107000 if it has no key of this process; 207012 for too many.
aclError tn_acl_notify_bit_allow(struct tn_acl_notify_bit *bit, const int32_t *pids, size_t count);

// Finds the bit of a key. The key's process gets its record with one more reference. 107000 if the
// text is no key, or its process or bit has ended; 207006 if this process may not import it;
// 200000; 507899.
aclError tn_acl_notify_bit_import(const char *key, struct tn_acl_notify_bit **bit);
