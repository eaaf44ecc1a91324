/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/peer.h - devices that reach each other's memory. 107001: no such device.
 */
#ifndef ACL_DETAIL_PEER_H
#define ACL_DETAIL_PEER_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* Whether a device could be enabled to reach a peer's memory: 1 or 0. 100000: NULL, or the same
 * device twice. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId,
                                                      int32_t peerDeviceId);

/* Whether it is enabled: 1 or 0. 100000: NULL, or the same device twice. */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                                         int32_t *status);

/*
 * Lets the device of the current context reach the memory of a peer, in this direction only; again
 * is fine. 200006: flags other than 0; 107002: no current context; 100000: the peer is the device
 * itself; 207000: they cannot reach each other.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/* Ends that. 107002; 100000: the peer is the device itself; 107000: it is not enabled. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/* The number of this process for those who share memory with it. 100000: NULL. */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t *pid);

ACL_EXTERN_C_END
#endif
