// SPDX-License-Identifier: Apache-2.0
// See place.h.
#include "compat/acl/place.h"

#include <errno.h>
#include <sys/uio.h>

#include <tarn/annotate.h>

#include "compat/acl/block.h"

static enum tn_acl_place_kind kind_of(const tarn_address_info *info) {
    struct tn_acl_block block;
    if (tn_acl_block_read(info, &block) && block.family == TN_ACL_MANAGED)
        return TN_ACL_PLACE_MANAGED;
    switch (info->kind) {
    case TARN_ADDRESS_MEMORY:
    case TARN_ADDRESS_IMPORTED: return TN_ACL_PLACE_DEVICE;
    case TARN_ADDRESS_MAPPED:
        return info->location.type == TARN_LOCATION_DEVICE ? TN_ACL_PLACE_DEVICE
                                                           : TN_ACL_PLACE_HOST;
    case TARN_ADDRESS_HOST:
    case TARN_ADDRESS_REGISTERED: return TN_ACL_PLACE_HOST;
    case TARN_ADDRESS_UNKNOWN:
    case TARN_ADDRESS_ARENA: return TN_ACL_PLACE_PAGEABLE;
    default: return TN_ACL_PLACE_NOWHERE;
    }
}

void tn_acl_place_find(tarn_addr addr, struct tn_acl_place *place) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(addr, &info);
    *place = (struct tn_acl_place){kind_of(&info), addr, NULL, info.readable};
    if (place->kind == TN_ACL_PLACE_DEVICE) place->device = tn_acl_device_of(info.location.id);
    if (info.kind == TARN_ADDRESS_IMPORTED) place->readable = UINT64_MAX;
}

// ---- whether pageable memory exists

// Up to four addresses to read, and the place that each belongs to.
struct probe {
    struct iovec at[4];
    struct tn_acl_place *of[4];
    size_t count;
};

static void add_to_probe(struct probe *probe, struct tn_acl_place *place, size_t bytes) {
    uintptr_t first = (uintptr_t)place->addr;
    uintptr_t last = first + (bytes - 1);
    if (place->kind != TN_ACL_PLACE_PAGEABLE) return;
    if (last < first) {
        place->kind = TN_ACL_PLACE_NOWHERE;
        return;
    }
    for (int i = 0; i < 2; i++) {
        probe->at[probe->count] = (struct iovec){(void *)(i == 0 ? first : last), 1};
        probe->of[probe->count++] = place;
    }
}

// The kernel reads memory of this process without a fault. A kernel that refuses to read counts as
// one that succeeded.
void tn_acl_place_probe(struct tn_acl_place *a, size_t a_bytes, struct tn_acl_place *b,
                        size_t b_bytes) {
    struct probe probe = {.count = 0};
    char bytes[4];
    add_to_probe(&probe, a, a_bytes);
    if (b != NULL) add_to_probe(&probe, b, b_bytes);
    for (size_t from = 0; from < probe.count;) {
        struct iovec local = {bytes, probe.count - from};
        ssize_t got =
            process_vm_readv(tn_acl_face.pid, &local, 1, &probe.at[from], probe.count - from, 0);
        if (got < 0 && errno != EFAULT) return;
        from += got > 0 ? (size_t)got : 0;
        if (from < probe.count) probe.of[from++]->kind = TN_ACL_PLACE_NOWHERE;
    }
}

// ---- names and rights

const char *tn_acl_place_name(const struct tn_acl_place *place) {
    static const char *const names[] = {
        [TN_ACL_PLACE_DEVICE] = "device memory",       [TN_ACL_PLACE_HOST] = "pinned host memory",
        [TN_ACL_PLACE_PAGEABLE] = "pageable memory",   [TN_ACL_PLACE_MANAGED] = "managed memory",
        [TN_ACL_PLACE_NOWHERE] = "no memory (freed?)",
    };
    return names[place->kind];
}

void tn_acl_place_refuse(const struct tn_acl_place *place, size_t bytes, bool write) {
    if (place->kind == TN_ACL_PLACE_NOWHERE) {
        tarn_annotate_refused_access("an access by AscendCL", place->addr, bytes,
                                     write ? TARN_ANNOTATE_WRITE : TARN_ANNOTATE_READ);
    }
}

aclError tn_acl_place_check(const struct tn_acl_place *place, size_t bytes, bool write) {
    tn_acl_place_refuse(place, bytes, write);
    TN_ACL_INVALID(place->kind == TN_ACL_PLACE_NOWHERE, "%s: %#llx is %s", write ? "dst" : "src",
                   (unsigned long long)place->addr, tn_acl_place_name(place));
    return ACL_SUCCESS;
}

bool tn_acl_place_reached(const struct tn_acl_place *place, const struct tn_face_device *device) {
    return place->device == NULL || place->device == device ||
           (place->readable >> device->number & 1) != 0;
}
