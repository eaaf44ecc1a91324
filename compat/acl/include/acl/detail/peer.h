/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/peer.h - access of devices to each other's memory. All functions with a device return
 * 107001 if it does not exist.
 */
#ifndef ACL_DETAIL_PEER_H
#define ACL_DETAIL_PEER_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Writes 1 if a device can be given access to a peer's memory, else 0. 100000 if canAccessPeer is
 * NULL or both devices are the same.
 */
aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/*
 * Writes 1 if the access is enabled, else 0. 100000 if status is NULL or both devices are the
 * same.
 */
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status);

/*
 * Gives the device of the current context access to the memory of a peer, in this direction only.
 * Enabling it again succeeds. 200006 if flags is not 0; 107002; 100000 if the peer is the device
 * itself; 207000 if the devices cannot reach each other.
 */
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/*
 * Ends that access. 107002; 100000 if the peer is the device itself; 107000 if the access is not
 * enabled.
 */
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/*
 * Writes the number by which other processes name this one when they share memory. 100000 if pid
 * is NULL.
 */
aclError aclrtDeviceGetBareTgid(int32_t *pid);

ACL_EXTERN_C_END
#endif
