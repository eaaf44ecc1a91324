// SPDX-License-Identifier: Apache-2.0
// Reductions. A task copies pieces of both operands from the device, computes, and copies the
// results back, so that the device may keep its memory from the CPU. The file has no state.
#include <acl/detail/value.h>

#include <math.h>
#include <string.h>

#include "compat/acl/place.h"
#include "compat/acl/task.h"
#include "compat/face/half.h"

#define SUM_MAX ((uint64_t)4 << 30) // bytes of a copy's task
#define PIECE   ((size_t)16 << 10)  // bytes on the stack, for each operand

// ---- numbers of 16 bits

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t to_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_bf16(uint16_t bits) { return from_bits((uint32_t)bits << 16); }

static uint16_t to_bf16(float value) {
    return isnan(value) ? 0x7fc0 : (uint16_t)tn_face_round_shift(to_bits(value), 16);
}

static uint16_t to_fp16(float value) { return isnan(value) ? 0x7e00 : tn_face_to_half(value); }

// ---- pieces of one type

static float reduce_floats(float a, float b, aclrtReduceKind kind) {
    if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM) return a + b;
    if (isnan(a) || isnan(b)) return NAN;
    return (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX ? a > b : a < b) ? a : b;
}

// Of integers of at most 32 bits. The caller cuts a sum to its type.
static int64_t reduce_integers(int64_t a, int64_t b, aclrtReduceKind kind) {
    if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM) return a + b;
    return (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX ? a > b : a < b) ? a : b;
}

#define SAME(x) (x)

// Defines a function that reduces `bytes` bytes of src into dst, elements of `type`.
#define PIECE_OF(name, type, reduce, to_number, from_number)                                       \
    static void name(void *dst, const void *src, size_t bytes, aclrtReduceKind kind) {             \
        type *to = (type *)dst;                                                                    \
        const type *from = (const type *)src;                                                      \
        for (size_t i = 0; i < bytes / sizeof(type); i++)                                          \
            to[i] = (type)from_number(reduce(to_number(to[i]), to_number(from[i]), kind));         \
    }

PIECE_OF(reduce_int8, int8_t, reduce_integers, SAME, SAME)
PIECE_OF(reduce_int16, int16_t, reduce_integers, SAME, SAME)
PIECE_OF(reduce_int32, int32_t, reduce_integers, SAME, SAME)
PIECE_OF(reduce_uint32, uint32_t, reduce_integers, SAME, SAME)
PIECE_OF(reduce_float, float, reduce_floats, SAME, SAME)
PIECE_OF(reduce_fp16, uint16_t, reduce_floats, tn_face_from_half, to_fp16)
PIECE_OF(reduce_bf16, uint16_t, reduce_floats, from_bf16, to_bf16)

static const struct element {
    size_t bytes; // 0: not supported
    void (*reduce)(void *dst, const void *src, size_t bytes, aclrtReduceKind kind);
} elements[] = {
    [ACL_FLOAT] = {4, reduce_float}, [ACL_FLOAT16] = {2, reduce_fp16},
    [ACL_INT8] = {1, reduce_int8},   [ACL_INT32] = {4, reduce_int32},
    [ACL_INT16] = {2, reduce_int16}, [ACL_UINT32] = {4, reduce_uint32},
    [ACL_BF16] = {2, reduce_bf16},
};
#define ELEMENTS (sizeof elements / sizeof elements[0])

// ---- the task

struct reduction {
    struct tn_face_device *device;
    tarn_addr dst;
    tarn_addr src;
    uint64_t bytes;
    aclrtReduceKind kind;
    const struct element *element;
};

static tarn_status run_piece(const struct reduction *task, uint64_t at, size_t bytes) {
    union { // aligned for each type
        uint64_t word;
        unsigned char bytes[PIECE];
    } a, b;
    tarn_device *device = task->device->tarn;
    tarn_status status = tarn_copy(device, TARN_ADDR(&a), task->dst + at, bytes, TARN_STREAM_NONE);
    if (status == TARN_OK)
        status = tarn_copy(device, TARN_ADDR(&b), task->src + at, bytes, TARN_STREAM_NONE);
    if (status == TARN_OK) {
        task->element->reduce(&a, &b, bytes, task->kind);
        status = tarn_copy(device, task->dst + at, TARN_ADDR(&a), bytes, TARN_STREAM_NONE);
    }
    return status;
}

static tarn_status run_reduction(void *closure, bool dropped) {
    const struct reduction *task = (const struct reduction *)closure;
    tarn_status status = TARN_OK;
    for (uint64_t at = 0; at < task->bytes && !dropped && status == TARN_OK; at += PIECE) {
        uint64_t left = task->bytes - at;
        status = run_piece(task, at, left < PIECE ? (size_t)left : PIECE);
    }
    return status;
}

// ---- checks

static aclError check_place(const struct tn_acl_order *order, const struct reduction *task,
                            bool write) {
    struct tn_acl_place place;
    tarn_addr addr = write ? task->dst : task->src;
    tn_acl_place_find(addr, &place);
    tn_acl_place_refuse(&place, task->bytes, write);
    TN_ACL_INVALID(place.kind != TN_ACL_PLACE_DEVICE ||
                       !tn_acl_place_reached(&place, order->device),
                   "%s: %#llx is %s; it must be memory of device %d", write ? "dst" : "src",
                   (unsigned long long)addr, tn_acl_place_name(&place), order->device->ordinal);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtReduceAsync, void *, dst, const void *, src, uint64_t, count, aclrtReduceKind,
                kind, aclDataType, type, aclrtStream, stream, void *, reserve) {
    TN_ACL_TRY(tn_acl_open()); // reads the padding
    TN_ACL_POINTERS(dst, src);
    TN_ACL_ARGUMENT(reserve != NULL, "reserve is not NULL");
    TN_ACL_ARGUMENT((unsigned)type >= ELEMENTS || elements[type].bytes == 0 ||
                        (type == ACL_UINT32 && tn_acl_face.padding != 0),
                    "data type %d cannot be reduced", (int)type);
    const struct element *element = &elements[type];
    TN_ACL_INVALID(count == 0 || count % element->bytes != 0,
                   "count %llu is 0 or no multiple of %zu", (unsigned long long)count,
                   element->bytes);
    TN_ACL_UNSUPPORTED(kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, "kind EQUAL is not supported");
    TN_ACL_INVALID((unsigned)kind < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM ||
                       (unsigned)kind > ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL,
                   "kind %d is not one of 10 to 13", (int)kind);
    TN_ACL_INVALID(kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM && count > SUM_MAX,
                   "count %llu exceeds 4 GiB", (unsigned long long)count);
    TN_ACL_ORDER(order, stream);
    const struct reduction task = {order.device, TARN_ADDR(dst), TARN_ADDR(src),
                                   count,        kind,           element};
    TN_ACL_TRY(check_place(&order, &task, true));
    TN_ACL_TRY(check_place(&order, &task, false));
    return tn_acl_task_enqueue(&order, run_reduction, &task, sizeof task);
}
