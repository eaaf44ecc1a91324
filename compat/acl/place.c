// SPDX-License-Identifier: Apache-2.0
// See place.h.
#include "compat/acl/place.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "compat/acl/block.h"
#include "compat/acl/peer.h"
#include "compat/acl/range.h"

// Memory that nobody knows may be gone: the kernel tells without a fault. One that refuses to tell
// is taken for a yes; memory of devices the face knows by itself.
static bool is_readable(uintptr_t at) {
    char byte;
    struct iovec local = {&byte, 1};
    struct iovec remote = {(void *)at, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
}

static bool is_there(uintptr_t at, size_t size) {
    uintptr_t last = at + (size - 1);
    return last >= at && !tn_acl_range_holds(at) && is_readable(at) && is_readable(last);
}

static enum tn_acl_place_kind kind_of(const tarn_address_info *info) {
    switch (info->kind) {
    case TARN_ADDRESS_MEMORY:
    case TARN_ADDRESS_IMPORTED:
        return TN_ACL_PLACE_DEVICE;
    case TARN_ADDRESS_MAPPED:
        return info->location.type == TARN_LOCATION_DEVICE ? TN_ACL_PLACE_DEVICE
                                                           : TN_ACL_PLACE_HOST;
    case TARN_ADDRESS_HOST:
    case TARN_ADDRESS_REGISTERED:
        return TN_ACL_PLACE_HOST;
    case TARN_ADDRESS_UNKNOWN:
        return TN_ACL_PLACE_PAGEABLE;
    default:
        return TN_ACL_PLACE_NOWHERE;
    }
}

static bool is_managed(const void *ptr, const tarn_address_info *info) {
    struct tn_acl_block block;
    return info->kind != TARN_ADDRESS_UNKNOWN && tn_acl_block_look(ptr, &block) &&
           block.family == TN_ACL_MANAGED;
}

void tn_acl_place_look(const void *ptr, size_t size, struct tn_acl_place *place) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query((uintptr_t)ptr, &info);
    *place = (struct tn_acl_place){kind_of(&info), (uintptr_t)ptr, NULL, info.kind};
    if (is_managed(ptr, &info)) {
        place->kind = TN_ACL_PLACE_MANAGED;
    } else if (place->kind == TN_ACL_PLACE_DEVICE) {
        place->device = tn_acl_device(info.location.id);
    } else if (place->kind == TN_ACL_PLACE_PAGEABLE && !is_there((uintptr_t)ptr, size)) {
        place->kind = TN_ACL_PLACE_NOWHERE;
    }
}

const char *tn_acl_place_name(const struct tn_acl_place *place) {
    static const char *const names[] = {
        [TN_ACL_PLACE_DEVICE] = "device memory",       [TN_ACL_PLACE_HOST] = "pinned host memory",
        [TN_ACL_PLACE_PAGEABLE] = "pageable memory",   [TN_ACL_PLACE_MANAGED] = "managed memory",
        [TN_ACL_PLACE_NOWHERE] = "no memory (freed?)",
    };
    return names[place->kind];
}

aclError tn_acl_place_check(const struct tn_acl_place *place, const char *argument) {
    return place->kind != TN_ACL_PLACE_NOWHERE
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %#llx is %s", argument,
                             (unsigned long long)place->addr, tn_acl_place_name(place));
}

static bool is_granted(tarn_addr addr, const struct tn_acl_device *device) {
    tarn_location location = {TARN_LOCATION_DEVICE, device->ordinal};
    tarn_access access = TARN_ACCESS_NONE;
    return tarn_map_get_access(addr, location, &access) == TARN_OK && access != TARN_ACCESS_NONE;
}

bool tn_acl_place_reached(const struct tn_acl_place *place, const struct tn_acl_device *device) {
    if (place->device == NULL || tn_acl_peer_enabled(device->ordinal, place->device->ordinal)) {
        return true;
    }
    return place->known_as == TARN_ADDRESS_IMPORTED ||
           (place->known_as == TARN_ADDRESS_MAPPED && is_granted(place->addr, device));
}
