// SPDX-License-Identifier: Apache-2.0
// aclrtMemset() and similar functions. The file has no state.
#include <acl/detail/set.h>

#include "compat/acl/failure.h"
#include "compat/acl/order.h"
#include "compat/acl/place.h"

// The arguments of a call.
struct fill {
    void *dst;
    size_t room; // bytes
    uint32_t value;
    unsigned width; // bytes of the value: 1 or 4
    size_t count;   // of values
};

static aclError check_room(const struct fill *fill, aclError refused) {
    TN_ACL_REFUSE(fill->count > fill->room / fill->width, refused,
                  "%zu values of %u bytes exceed the room of %zu bytes", fill->count, fill->width,
                  fill->room);
    return ACL_SUCCESS;
}

// Devices do not fill pageable memory.
static aclError check_place(const struct fill *fill, aclError refused) {
    struct tn_acl_place place;
    tn_acl_place_find(TARN_ADDR(fill->dst), &place);
    if (place.kind != TN_ACL_PLACE_PAGEABLE && place.kind != TN_ACL_PLACE_NOWHERE)
        return ACL_SUCCESS;
    tn_acl_place_probe(&place, 1, NULL, 0);
    tn_acl_place_refuse(&place, fill->count * fill->width, true);
    return tn_acl_fail(refused, "%p is %s", fill->dst, tn_acl_place_name(&place));
}

static aclError submit_fill(const struct fill *fill, const struct tn_face_device *device,
                            tarn_stream stream) {
    if (fill->width == 1) TN_ACL_TRY(check_place(fill, ACL_ERROR_RT_PARAM_INVALID));
    return tn_acl_status(tarn_fill(device->tarn, TARN_ADDR(fill->dst), fill->value, fill->width,
                                   fill->count, stream));
}

// Fills at once, or in the order of a stream. A count of 0 fills nothing. Generation 2 accepts it
// before all other checks; generation 1 rejects it after the check for NULL.
static aclError run_fill(const struct fill *fill, bool now, aclrtStream stream) {
    struct tn_face_device *device = NULL;
    TN_ACL_TRY(tn_acl_open()); // reads the generation
    if (fill->count == 0 && tn_acl_face.generation != 1) return ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_check_pointer(fill->dst, "devPtr"));
    TN_ACL_INVALID(fill->count == 0, "the count is 0");
    if (fill->width == 1) {
        TN_ACL_TRY(check_room(fill, ACL_ERROR_RT_PARAM_INVALID));
    } else {
        TN_ACL_ARGUMENT((uintptr_t)fill->dst % fill->width != 0,
                        "devPtr %p is not a multiple of %u", fill->dst, fill->width);
        TN_ACL_TRY(check_room(fill, ACL_ERROR_INVALID_PARAM));
        TN_ACL_TRY(check_place(fill, ACL_ERROR_INVALID_PARAM));
    }
    if (now) {
        TN_ACL_TRY(tn_acl_current_device(&device));
        return submit_fill(fill, device, TARN_STREAM_NONE);
    }
    TN_ACL_ORDER(order, stream);
    aclError error = submit_fill(fill, order.device, order.stream);
    tn_acl_failure_watch(order.queue);
    return error;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
    TN_FACE_GIVEN(TN_FACE_WORD(devPtr), TN_FACE_WORD(maxCount), 0, TN_FACE_WORD(count))
    const struct fill fill = {devPtr, maxCount, (uint32_t)value & 0xff, 1, count};
    return TN_ACL_CALL(run_fill(&fill, true, NULL));
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
    TN_FACE_GIVEN(TN_FACE_WORD(devPtr), TN_FACE_WORD(maxCount), 0, TN_FACE_WORD(count),
                  TN_FACE_WORD(stream))
    const struct fill fill = {devPtr, maxCount, (uint32_t)value & 0xff, 1, count};
    return TN_ACL_CALL(run_fill(&fill, false, stream));
}

aclError aclrtMemsetD32(void *devPtr, size_t memSize, uint32_t value, size_t num) {
    TN_FACE_GIVEN(TN_FACE_WORD(devPtr), TN_FACE_WORD(memSize), 0, TN_FACE_WORD(num))
    const struct fill fill = {devPtr, memSize, value, 4, num};
    return TN_ACL_CALL(run_fill(&fill, true, NULL));
}

aclError aclrtMemsetD32Async(void *devPtr, size_t memSize, uint32_t value, size_t num,
                             aclrtStream stream) {
    TN_FACE_GIVEN(TN_FACE_WORD(devPtr), TN_FACE_WORD(memSize), 0, TN_FACE_WORD(num),
                  TN_FACE_WORD(stream))
    const struct fill fill = {devPtr, memSize, value, 4, num};
    return TN_ACL_CALL(run_fill(&fill, false, stream));
}
