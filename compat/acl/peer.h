// SPDX-License-Identifier: Apache-2.0
// Peers: which devices reach each other's memory. Counted here too, because Tarn does not tell; any
// thread may ask.
#ifndef TARN_COMPAT_ACL_PEER_H
#define TARN_COMPAT_ACL_PEER_H

#include "compat/acl/face.h"

// Whether the program enabled `device` to reach the memory of `peer`; a device reaches its own.
bool tn_acl_peer_enabled(int device, int peer);

#endif
