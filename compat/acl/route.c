// SPDX-License-Identifier: Apache-2.0
// See copy.h. Which kind an asynchronous copy is, and what that makes of it. No state.
#include "compat/acl/copy.h"

// From the first byte to the last one; SIZE_MAX when that is too much to count.
static size_t extent(const tarn_copy_desc *desc, uint64_t pitch) {
    uint64_t bytes = 0;
    uint64_t above = desc->height > 1 ? desc->height - 1 : 0;
    bool counted = !__builtin_mul_overflow(above, pitch, &bytes) &&
                   !__builtin_add_overflow(bytes, desc->width, &bytes);
    return counted ? (size_t)bytes : SIZE_MAX;
}

aclError tn_acl_copy_look(struct tn_acl_copy *copy) {
    const tarn_copy_desc *desc = &copy->desc;
    tn_acl_place_look((const void *)(uintptr_t)desc->dst, extent(desc, desc->dst_pitch),
                      &copy->dst);
    tn_acl_place_look((const void *)(uintptr_t)desc->src, extent(desc, desc->src_pitch),
                      &copy->src);
    aclError error = tn_acl_place_check(&copy->dst, "dst");
    return error == ACL_SUCCESS ? tn_acl_place_check(&copy->src, "src") : error;
}

// ---- the kind

#define H2H     (1u << ACL_MEMCPY_HOST_TO_HOST)
#define H2D     (1u << ACL_MEMCPY_HOST_TO_DEVICE)
#define D2H     (1u << ACL_MEMCPY_DEVICE_TO_HOST)
#define D2D     (1u << ACL_MEMCPY_DEVICE_TO_DEVICE)
#define DEFAULT (1u << ACL_MEMCPY_DEFAULT)
#define ANY     (H2H | H2D | D2H | D2D | DEFAULT)
#define PLACES  3

// What a pair of places makes of a kind: some are kept, some become `kind`, the others are refused.
struct rule {
    unsigned kept;
    unsigned replaced;
    aclrtMemcpyKind kind;
};

// [source][destination], in the order of places: device, pinned, pageable.
static const struct rule rules[PLACES][PLACES] = {
    {{0, ANY, ACL_MEMCPY_DEVICE_TO_DEVICE},
     {0, ANY, ACL_MEMCPY_DEVICE_TO_HOST},
     {D2H | D2D, DEFAULT, ACL_MEMCPY_DEVICE_TO_HOST}},
    {{0, ANY, ACL_MEMCPY_HOST_TO_DEVICE},
     {0, ANY, ACL_MEMCPY_HOST_TO_HOST},
     {H2H | H2D, DEFAULT, ACL_MEMCPY_HOST_TO_HOST}},
    {{H2D | D2D, DEFAULT, ACL_MEMCPY_HOST_TO_DEVICE},
     {H2H | D2H, DEFAULT, ACL_MEMCPY_HOST_TO_HOST},
     {H2H | H2D | D2H | D2D, DEFAULT, ACL_MEMCPY_HOST_TO_HOST}},
};
_Static_assert(TN_ACL_PLACE_DEVICE == 0 && TN_ACL_PLACE_HOST == 1 && TN_ACL_PLACE_PAGEABLE == 2,
               "rules are in the order of places");

// The bytes are captured by the CPU, which reaches device memory in RC mode only.
static aclError check_captured(const struct tn_acl_copy *copy) {
    bool from_host = copy->src.kind != TN_ACL_PLACE_DEVICE;
    bool to_device =
        copy->dst.kind == TN_ACL_PLACE_DEVICE || copy->dst.kind == TN_ACL_PLACE_MANAGED;
    return tn_acl_face.rc || (from_host && to_device)
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "kind %d from %s to %s",
                             ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, tn_acl_place_name(&copy->src),
                             tn_acl_place_name(&copy->dst));
}

static aclError apply(const struct rule *rule, const struct tn_acl_copy *copy,
                      aclrtMemcpyKind *kind) {
    unsigned asked = 1u << *kind;
    // Generation 1 believes what it is told; to be told nothing it has to look.
    bool believes = tn_acl_face.generation == 1 && *kind != ACL_MEMCPY_DEFAULT;
    if (believes || (rule->kept & asked) != 0) {
        return ACL_SUCCESS;
    }
    if ((rule->replaced & asked) == 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "kind %d from %s to %s", (int)*kind,
                           tn_acl_place_name(&copy->src), tn_acl_place_name(&copy->dst));
    }
    *kind = rule->kind;
    return ACL_SUCCESS;
}

aclError tn_acl_copy_route(const struct tn_acl_copy *copy, aclrtMemcpyKind *kind) {
    if (*kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
        return check_captured(copy);
    }
    if (tn_acl_face.rc) {
        *kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
        return ACL_SUCCESS;
    }
    if (copy->src.kind < PLACES && copy->dst.kind < PLACES) {
        aclError error = apply(&rules[copy->src.kind][copy->dst.kind], copy, kind);
        if (error != ACL_SUCCESS) {
            return error;
        }
    }
    return *kind != ACL_MEMCPY_HOST_TO_HOST
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                             "no asynchronous copies from host to host");
}

// ---- running it

// Between devices the one that copies has to reach both.
static aclError check_peers(const struct tn_acl_device *device, const struct tn_acl_copy *copy) {
    const struct tn_acl_place *dst = &copy->dst;
    const struct tn_acl_place *src = &copy->src;
    if (dst->device == src->device || dst->device == NULL || src->device == NULL) {
        return ACL_SUCCESS;
    }
    const struct tn_acl_place *far = tn_acl_place_reached(dst, device) ? src : dst;
    return tn_acl_place_reached(far, device)
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                             "device %d does not reach memory of device %d: there was no "
                             "aclrtDeviceEnablePeerAccess()",
                             device->ordinal, far->device->ordinal);
}

static aclError run(struct tn_acl_device *device, const struct tn_acl_copy *copy,
                    tarn_stream stream) {
    aclError error = check_peers(device, copy);
    return error == ACL_SUCCESS ? tn_acl_from(tarn_copy_box(device->tarn, &copy->desc, stream),
                                              ACL_ERROR_RT_PARAM_INVALID)
                                : error;
}

aclError tn_acl_copy_now(struct tn_acl_device *device, const struct tn_acl_copy *copy) {
    return run(device, copy, TARN_STREAM_NONE);
}

static bool is_pageable(const struct tn_acl_copy *copy) {
    bool crosses =
        copy->kind == ACL_MEMCPY_HOST_TO_DEVICE || copy->kind == ACL_MEMCPY_DEVICE_TO_HOST;
    return crosses &&
           (copy->dst.kind == TN_ACL_PLACE_PAGEABLE || copy->src.kind == TN_ACL_PLACE_PAGEABLE);
}

aclError tn_acl_copy_give(const struct tn_acl_order *order, const struct tn_acl_copy *copy) {
    if (!is_pageable(copy)) {
        return run(order->device, copy, order->stream);
    }
    aclError error =
        tn_acl_from(tarn_stream_synchronize(order->stream), ACL_ERROR_RT_PARAM_INVALID);
    return error == ACL_SUCCESS ? tn_acl_copy_now(order->device, copy) : error;
}
