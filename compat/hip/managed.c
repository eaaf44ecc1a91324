// SPDX-License-Identifier: Apache-2.0
// Managed memory: of the CPU and all devices at once. On Tarn it is memory of the host that never
// moves; what programs say about its use is remembered, and told when asked.
#include "compat/hip/advice.h"
#include "compat/hip/memory.h"
#include "compat/hip/order.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include <string.h>

static hipError_t alloc(void **ptr, size_t size, unsigned flags) {
    if (ptr == NULL || (flags != hipMemAttachGlobal && flags != hipMemAttachHost)) {
        return tn_hip_fail(hipErrorInvalidValue, "dev_ptr %p, flags 0x%x", (void *)ptr, flags);
    }
    return tn_hip_host_take(TN_HIP_BLOCK_MANAGED, ptr, size, flags);
}

hipError_t hipMallocManaged(void **dev_ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc(dev_ptr, size, flags));
}

// ---- ranges

struct range {
    const void *ptr;
    size_t count;
};

static hipError_t stretch_of(const struct tn_hip_block *block, struct range range,
                             struct tn_hip_stretch *stretch) {
    size_t first = (uintptr_t)range.ptr - block->start;
    if (range.count > block->bytes - first) {
        return tn_hip_fail(hipErrorInvalidValue, "%zu bytes at %p leave their block of %zu bytes",
                           range.count, range.ptr, block->bytes);
    }
    *stretch = (struct tn_hip_stretch){first, first + range.count};
    return hipSuccess;
}

static hipError_t check_range(struct range range) {
    return range.ptr != NULL && range.count != 0
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "%zu bytes at %p", range.count, range.ptr);
}

// ---- advice

struct edit {
    struct range range;
    void (*edit)(struct tn_hip_said *said, int device);
    int device;
};

static hipError_t apply(struct tn_hip_block *block, void *arg) {
    const struct edit *edit = (const struct edit *)arg;
    struct tn_hip_stretch stretch;
    TN_HIP_TRY(stretch_of(block, edit->range, &stretch));
    return tn_hip_advice_apply(block, stretch, edit->edit, edit->device);
}

static hipError_t apply_checked(struct edit edit) {
    hipError_t error = check_range(edit.range);
    if (error == hipSuccess && edit.device != hipCpuDeviceId &&
        tn_hip_device(edit.device) == NULL) {
        error = tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", edit.device,
                            tn_hip_face.count);
    }
    return error == hipSuccess
               ? tn_hip_block_change(edit.range.ptr, TN_HIP_BLOCK_MANAGED, apply, &edit)
               : error;
}

static uint64_t bit_of(int device) {
    return UINT64_C(1) << (device + 1);
}

static void set_read_mostly(struct tn_hip_said *said, int device) {
    (void)device;
    said->read_mostly = true;
}

static void unset_read_mostly(struct tn_hip_said *said, int device) {
    (void)device;
    said->read_mostly = false;
}

static void set_preferred(struct tn_hip_said *said, int device) {
    said->preferred = device;
}

static void unset_preferred(struct tn_hip_said *said, int device) {
    (void)device;
    said->preferred = hipInvalidDeviceId;
}

static void set_accessed(struct tn_hip_said *said, int device) {
    said->accessed |= bit_of(device);
}

static void unset_accessed(struct tn_hip_said *said, int device) {
    said->accessed &= ~bit_of(device);
}

static void set_coarse(struct tn_hip_said *said, int device) {
    (void)device;
    said->coarse = true;
}

static void unset_coarse(struct tn_hip_said *said, int device) {
    (void)device;
    said->coarse = false;
}

static hipError_t advise(struct range range, hipMemoryAdvise advice, int device) {
    struct edit edit = {range, NULL, device};
    switch (advice) {
    case hipMemAdviseSetReadMostly:
        edit.edit = set_read_mostly;
        break;
    case hipMemAdviseUnsetReadMostly:
        edit.edit = unset_read_mostly;
        break;
    case hipMemAdviseSetPreferredLocation:
        edit.edit = set_preferred;
        break;
    case hipMemAdviseUnsetPreferredLocation:
        edit.edit = unset_preferred;
        break;
    case hipMemAdviseSetAccessedBy:
        edit.edit = set_accessed;
        break;
    case hipMemAdviseUnsetAccessedBy:
        edit.edit = unset_accessed;
        break;
    case hipMemAdviseSetCoarseGrain:
        edit.edit = set_coarse;
        break;
    case hipMemAdviseUnsetCoarseGrain:
        edit.edit = unset_coarse;
        break;
    }
    return edit.edit != NULL ? apply_checked(edit)
                             : tn_hip_fail(hipErrorInvalidValue, "%d is no advice", (int)advice);
}

hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
    return TN_HIP_CALL(advise((struct range){dev_ptr, count}, advice, device));
}

// ---- what was said

struct question {
    struct range range;
    struct tn_hip_said said;
    hipMemRangeCoherencyMode coherency;
};

static hipError_t ask(struct tn_hip_block *block, void *arg) {
    struct question *question = (struct question *)arg;
    struct tn_hip_stretch stretch;
    TN_HIP_TRY(stretch_of(block, question->range, &stretch));
    question->said = tn_hip_advice_query(block, stretch, &question->coherency);
    return hipSuccess;
}

static hipError_t check_wish(const void *data, size_t size, hipMemRangeAttribute attribute) {
    bool good = data != NULL;
    switch (attribute) {
    case hipMemRangeAttributeReadMostly:
    case hipMemRangeAttributePreferredLocation:
    case hipMemRangeAttributeLastPrefetchLocation:
    case hipMemRangeAttributeCoherencyMode:
        good = good && size == sizeof(int);
        break;
    case hipMemRangeAttributeAccessedBy:
        good = good && size != 0 && size % sizeof(int) == 0;
        break;
    default:
        good = false;
    }
    return good ? hipSuccess
                : tn_hip_fail(hipErrorInvalidValue, "attribute %d, %zu bytes at %p", (int)attribute,
                              size, data);
}

static void list_devices(uint64_t accessed, int *list, size_t room) {
    size_t count = 0;
    for (int device = hipCpuDeviceId; device < TN_HIP_DEVICES && count < room; device++) {
        if ((accessed & bit_of(device)) != 0) {
            list[count++] = device;
        }
    }
    while (count < room) {
        list[count++] = hipInvalidDeviceId;
    }
}

static void tell(const struct question *answer, void *data, size_t size,
                 hipMemRangeAttribute attribute) {
    int value = 0;
    switch (attribute) {
    case hipMemRangeAttributeReadMostly:
        value = answer->said.read_mostly;
        break;
    case hipMemRangeAttributePreferredLocation:
        value = answer->said.preferred;
        break;
    case hipMemRangeAttributeLastPrefetchLocation:
        value = answer->said.prefetched;
        break;
    case hipMemRangeAttributeCoherencyMode:
        value = (int)answer->coherency;
        break;
    case hipMemRangeAttributeAccessedBy:
        list_devices(answer->said.accessed, (int *)data, size / sizeof(int));
        return;
    }
    memcpy(data, &value, sizeof value);
}

static hipError_t tell_ranges(void **data, const size_t *sizes,
                              const hipMemRangeAttribute *attributes, size_t wishes,
                              struct range range) {
    struct question question = {.range = range};
    if (data == NULL || sizes == NULL || attributes == NULL || wishes == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "data %p, sizes %p, attributes %p, %zu of them",
                           (void *)data, (const void *)sizes, (const void *)attributes, wishes);
    }
    hipError_t error = check_range(range);
    for (size_t i = 0; i < wishes && error == hipSuccess; i++) {
        error = check_wish(data[i], sizes[i], attributes[i]);
    }
    if (error == hipSuccess) {
        error = tn_hip_block_change(range.ptr, TN_HIP_BLOCK_MANAGED, ask, &question);
    }
    for (size_t i = 0; i < wishes && error == hipSuccess; i++) {
        tell(&question, data[i], sizes[i], attributes[i]);
    }
    return error;
}

hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t num_attributes,
                                    const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(
        tell_ranges(data, data_sizes, attributes, num_attributes, (struct range){dev_ptr, count}));
}

hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(
        tell_ranges(&data, &data_size, &attribute, 1, (struct range){dev_ptr, count}));
}

// ---- what streams are told. Nothing runs in them: the stream must be one, that is all.

static hipError_t check_stream(hipStream_t stream) {
    struct tn_hip_where where;
    TN_HIP_TRY(tn_hip_stream_begin(stream, &where));
    tn_hip_stream_end(&where);
    return hipSuccess;
}

static void set_prefetched(struct tn_hip_said *said, int device) {
    said->prefetched = device;
}

static hipError_t prefetch(struct range range, int device, hipStream_t stream) {
    TN_HIP_TRY(check_stream(stream));
    return apply_checked((struct edit){range, set_prefetched, device});
}

hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream) {
    return TN_HIP_CALL(prefetch((struct range){dev_ptr, count}, device, stream));
}

static hipError_t attach(hipStream_t stream, const void *ptr, size_t length, unsigned flags) {
    struct tn_hip_block block;
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
    }
    if (flags == hipMemAttachSingle && (stream == NULL || stream == hipStreamLegacy)) {
        return tn_hip_fail(hipErrorInvalidValue, "nothing belongs to the NULL stream alone");
    }
    if (!tn_hip_block_look(ptr, &block) || block.kind != TN_HIP_BLOCK_MANAGED ||
        block.start != (uintptr_t)ptr || (length != 0 && length != block.bytes)) {
        return tn_hip_fail(hipErrorInvalidValue, "%zu bytes at %p are no block of managed memory",
                           length, ptr);
    }
    return check_stream(stream);
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length,
                                   unsigned int flags) {
    return TN_HIP_CALL(attach(stream, dev_ptr, length, flags));
}
