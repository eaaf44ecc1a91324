// SPDX-License-Identifier: Apache-2.0
// See copy.h. Selects the kind of an asynchronous copy and runs copies of each kind. The file has
// no state.
#include "compat/acl/copy.h"

#include "compat/acl/failure.h"

// Returns the bytes from the first to the last one, or SIZE_MAX if the sum overflows.
static size_t extent_of(const tarn_copy_desc *desc, uint64_t pitch) {
    uint64_t bytes = 0;
    uint64_t above = desc->height > 1 ? desc->height - 1 : 0;
    bool counted = !__builtin_mul_overflow(above, pitch, &bytes) &&
                   !__builtin_add_overflow(bytes, desc->width, &bytes);
    return counted ? (size_t)bytes : SIZE_MAX;
}

struct tn_acl_copy tn_acl_copy_row(void *dst, const void *src, size_t bytes, aclrtMemcpyKind kind) {
    struct tn_acl_copy copy = {.desc = TARN_INIT(tarn_copy_desc), .kind = kind};
    copy.desc.dst = TARN_ADDR(dst);
    copy.desc.src = TARN_ADDR(src);
    copy.desc.width = bytes;
    return copy;
}

aclError tn_acl_copy_locate(struct tn_acl_copy *copy) {
    const tarn_copy_desc *desc = &copy->desc;
    tn_acl_place_find(desc->dst, &copy->dst);
    tn_acl_place_find(desc->src, &copy->src);
    tn_acl_place_probe(&copy->dst, extent_of(desc, desc->dst_pitch), &copy->src,
                       extent_of(desc, desc->src_pitch));
    TN_ACL_TRY(tn_acl_place_check(&copy->dst, extent_of(desc, desc->dst_pitch), true));
    return tn_acl_place_check(&copy->src, extent_of(desc, desc->src_pitch), false);
}

// ---- the kind

#define H2H     (1u << ACL_MEMCPY_HOST_TO_HOST)
#define H2D     (1u << ACL_MEMCPY_HOST_TO_DEVICE)
#define D2H     (1u << ACL_MEMCPY_DEVICE_TO_HOST)
#define D2D     (1u << ACL_MEMCPY_DEVICE_TO_DEVICE)
#define DEFAULT (1u << ACL_MEMCPY_DEFAULT)
#define ANY     (H2H | H2D | D2H | D2D | DEFAULT)
#define PLACES  3

// For a pair of places: the kinds that stay, and those that become `kind`. All others are refused.
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

static aclError refuse_kind(const struct tn_acl_copy *copy) {
    return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "kind %d does not fit a copy from %s to %s",
                       (int)copy->kind, tn_acl_place_name(&copy->src),
                       tn_acl_place_name(&copy->dst));
}

// Generation 1 trusts every kind except DEFAULT. In RC mode the CPU reaches device memory; else it
// can capture bytes of the host only.
aclError tn_acl_copy_route(struct tn_acl_copy *copy) {
    enum tn_acl_place_kind to = copy->dst.kind;
    enum tn_acl_place_kind from = copy->src.kind;
    bool trusted = tn_acl_face.generation == 1 && copy->kind != ACL_MEMCPY_DEFAULT;
    if (copy->kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
        bool to_device = to == TN_ACL_PLACE_DEVICE || to == TN_ACL_PLACE_MANAGED;
        return tn_acl_face.rc || (from != TN_ACL_PLACE_DEVICE && to_device) ? ACL_SUCCESS
                                                                            : refuse_kind(copy);
    }
    if (tn_acl_face.rc) {
        copy->kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
        return ACL_SUCCESS;
    }
    if (from < PLACES && to < PLACES && !trusted) {
        const struct rule *rule = &rules[from][to];
        if ((rule->replaced & 1u << copy->kind) != 0)
            copy->kind = rule->kind;
        else if ((rule->kept & 1u << copy->kind) == 0)
            return refuse_kind(copy);
    }
    TN_ACL_UNSUPPORTED(copy->kind == ACL_MEMCPY_HOST_TO_HOST,
                       "asynchronous copies from host to host are not supported");
    return ACL_SUCCESS;
}

// ---- running it

// The device that runs a copy between devices must have access to both ends.
static aclError run_copy(const struct tn_face_device *device, const struct tn_acl_copy *copy,
                         tarn_stream stream) {
    const struct tn_acl_place *dst = &copy->dst;
    const struct tn_acl_place *src = &copy->src;
    const struct tn_acl_place *far = tn_acl_place_reached(dst, device) ? src : dst;
    TN_ACL_INVALID(
        dst->device != src->device && dst->device != NULL && src->device != NULL &&
            !tn_acl_place_reached(far, device),
        "device %d does not reach memory of device %d; call aclrtDeviceEnablePeerAccess()",
        device->ordinal, far->device->ordinal);
    return tn_acl_status(tarn_copy_box(device->tarn, &copy->desc, stream));
}

aclError tn_acl_copy_now(struct tn_face_device *device, const struct tn_acl_copy *copy) {
    return run_copy(device, copy, TARN_STREAM_NONE);
}

aclError tn_acl_copy_enqueue(const struct tn_acl_order *order, const struct tn_acl_copy *copy) {
    bool crosses =
        copy->kind == ACL_MEMCPY_HOST_TO_DEVICE || copy->kind == ACL_MEMCPY_DEVICE_TO_HOST;
    bool pageable =
        copy->dst.kind == TN_ACL_PLACE_PAGEABLE || copy->src.kind == TN_ACL_PLACE_PAGEABLE;
    if (!crosses || !pageable) {
        aclError error = run_copy(order->device, copy, order->stream);
        tn_acl_failure_watch(order->queue);
        return error;
    }
    TN_ACL_TRY(tn_acl_order_result(order, tarn_stream_synchronize(order->stream, TARN_FOREVER)));
    return tn_acl_copy_now(order->device, copy);
}
