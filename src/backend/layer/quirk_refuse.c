// SPDX-License-Identifier: Apache-2.0
// Quirks that refuse calls which the device should carry out, or claim what it does not have. The
// lock guards the quotas.
#include "backend/layer/quirk.h"
#include "base/error.h"

tarn_status tn_quirk_fail(const struct tn_quirk *quirk, tarn_status status, const char *what,
                          tarn_addr address, uint64_t bytes) {
    return tn_fail(status, "the quirk %s: %s, 0x%llx, %llu bytes", quirk->name, what,
                   (unsigned long long)address, (unsigned long long)bytes);
}

// ---- virtual memory

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

// Defines refuse_<slot>(), which fails with the text.
#define REFUSE(slot, parameters, status, text, address, bytes)                                     \
    static tarn_status refuse_##slot parameters {                                                  \
        return tn_quirk_fail((const struct tn_quirk *)p, status, text, address, bytes);            \
    }

// The slots of virtual memory that create something. The others have nothing to work on then.
REFUSE(reserve, (void *p, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr),
       TARN_UNSUPPORTED, "addresses cannot be reserved", hint, size)
REFUSE(phys_create,
       (void *p, uint64_t bytes, const tarn_phys_desc *desc, tarn_backend_phys *phys,
        tarn_backend_phys_info *info),
       TARN_UNSUPPORTED, "physical memory cannot be created", 0, bytes)
REFUSE(phys_import,
       (void *p, int device, const tarn_shareable *in, tarn_backend_phys *phys,
        tarn_backend_phys_info *info),
       TARN_UNSUPPORTED, "physical memory cannot be imported", 0, 0)
REFUSE(phys_export, (void *p, tarn_backend_phys phys, uint32_t type, tarn_shareable *out),
       TARN_NO_ACCESS, "physical memory cannot be exported", 0, 0)
REFUSE(memory_export, (void *p, int device, tarn_addr addr, uint64_t size, tarn_key *key),
       TARN_NO_ACCESS, "memory cannot be exported", addr, size)
REFUSE(memory_export_fd, (void *p, tarn_addr addr, uint64_t size, int *fd), TARN_NO_ACCESS,
       "memory cannot be exported", addr, size)

#pragma GCC diagnostic pop

void tn_quirk_false_vmm(struct tn_quirk *quirk) {
    quirk->layer.table.reserve = refuse_reserve;
    quirk->layer.table.phys_create = refuse_phys_create;
    quirk->layer.table.phys_import = refuse_phys_import;
}

static tarn_status hide_vmm(void *p, int device, tarn_backend_caps *caps) {
    TN_TRY(TN_LAYER_NEXT(p, caps, device, caps));
    caps->features &= ~(uint32_t)(TARN_FEATURE_VMM | TARN_FEATURE_ALIAS | TARN_FEATURE_HOST_PHYS |
                                  TARN_FEATURE_PARTIAL | TARN_FEATURE_MIXED | TARN_FEATURE_RIGHTS);
    caps->shareable = 0;
    return TARN_OK;
}

void tn_quirk_no_vmm(struct tn_quirk *quirk) {
    tn_quirk_false_vmm(quirk);
    quirk->layer.table.caps = hide_vmm;
}

// ---- sharing

void tn_quirk_no_export(struct tn_quirk *quirk) {
    quirk->layer.table.phys_export = refuse_phys_export;
    quirk->layer.table.memory_export = refuse_memory_export;
    quirk->layer.table.memory_export_fd = refuse_memory_export_fd;
}

// ---- device memory

// Defines <slot>_fragment().
#define FRAGMENT(slot, parameters, arguments, bytes)                                               \
    static tarn_status slot##_fragment parameters {                                                \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        return tn_fail_next(&quirk->spec, 0, bytes)                                                \
                   ? tn_quirk_fail(quirk, TARN_NO_DEVICE_MEMORY, "free memory is in small pieces", \
                                   0, bytes)                                                       \
                   : TN_LAYER_PASS(&quirk->layer, slot, arguments);                                \
    }

FRAGMENT(phys_create,
         (void *p, uint64_t bytes, const tarn_phys_desc *desc, tarn_backend_phys *phys,
          tarn_backend_phys_info *info),
         (p, bytes, desc, phys, info), bytes)
FRAGMENT(memory_alloc, (void *p, int device, uint64_t size, tarn_addr *addr),
         (p, device, size, addr), size)
FRAGMENT(memory_alloc_with,
         (void *p, int device, const tarn_backend_memory *desc, tarn_addr *addr,
          tarn_page_class *page_class),
         (p, device, desc, addr, page_class), desc->bytes)

void tn_quirk_fragmented(struct tn_quirk *quirk) {
    quirk->layer.table.phys_create = phys_create_fragment;
    quirk->layer.table.memory_alloc = memory_alloc_fragment;
    quirk->layer.table.memory_alloc_with = memory_alloc_with_fragment;
}

static tarn_status overstate_caps(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_quirk *quirk = (const struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, caps, device, caps));
    caps->memory_bytes += quirk->spec.value;
    return TARN_OK;
}

static tarn_status overstate_memory(void *p, int device, uint64_t *free_bytes, uint64_t *total) {
    const struct tn_quirk *quirk = (const struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, memory_info, device, free_bytes, total));
    *free_bytes += quirk->spec.value;
    *total += quirk->spec.value;
    return TARN_OK;
}

void tn_quirk_false_total(struct tn_quirk *quirk) {
    quirk->layer.table.caps = overstate_caps;
    quirk->layer.table.memory_info = overstate_memory;
}

// The free memory that each query shows differs from the one before: other users of the memory, such
// as the CPU, take up to the quirk's value and return it.
static tarn_status vary_free(void *p, int device, uint64_t *free_bytes, uint64_t *total) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    uint64_t left = 0;
    TN_TRY(TN_LAYER_NEXT(p, memory_info, device, &left, total));
    tn_mutex_lock(&quirk->lock);
    uint64_t quarters = quirk->used++ % 4;
    tn_mutex_unlock(&quirk->lock);
    uint64_t most = quirk->spec.value < left ? quirk->spec.value : left;
    *free_bytes = left - most / 4 * quarters;
    return TARN_OK;
}

void tn_quirk_varying_free(struct tn_quirk *quirk) { quirk->layer.table.memory_info = vary_free; }

// ---- quotas

// Returns false if the quota is used up.
static bool take_quota(struct tn_quirk *quirk, uint64_t bytes) {
    TN_LOCKED(&quirk->lock);
    bool fits = quirk->used <= quirk->spec.value && bytes <= quirk->spec.value - quirk->used;
    quirk->used += fits ? bytes : 0;
    return fits;
}

static void return_quota(struct tn_quirk *quirk, uint64_t bytes) {
    TN_LOCKED(&quirk->lock);
    quirk->used -= bytes;
}

// Defines <slot>_quota() for a slot that takes bytes of the quota, and for one that returns them.
#define QUOTA_TAKER(slot, parameters, arguments, status, text, address)                            \
    static tarn_status slot##_quota parameters {                                                   \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        if (!take_quota(quirk, size)) return tn_quirk_fail(quirk, status, text, address, size);    \
        tarn_status got = TN_LAYER_PASS(&quirk->layer, slot, arguments);                           \
        if (got != TARN_OK) return_quota(quirk, size);                                             \
        return got;                                                                                \
    }
#define QUOTA_GIVER(slot, parameters, arguments)                                                   \
    static void slot##_quota parameters {                                                          \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        TN_LAYER_PASS(&quirk->layer, slot, arguments);                                             \
        return_quota(quirk, size);                                                                 \
    }

QUOTA_TAKER(reserve, (void *p, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr),
            (p, size, alignment, hint, addr), TARN_NO_ADDRESS_SPACE,
            "the quota of addresses is used up", hint)
QUOTA_GIVER(release, (void *p, tarn_addr addr, uint64_t size), (p, addr, size))
QUOTA_TAKER(host_alloc,
            (void *p, uint64_t size, uint32_t flags, void **ptr, tarn_pin_class *pin_class),
            (p, size, flags, ptr, pin_class), TARN_NO_HOST_MEMORY,
            "the limit of pinned memory is reached", 0)
QUOTA_GIVER(host_free, (void *p, void *ptr, uint64_t size), (p, ptr, size))
QUOTA_TAKER(host_register,
            (void *p, void *ptr, uint64_t size, uint32_t flags, tarn_pin_class *pin_class),
            (p, ptr, size, flags, pin_class), TARN_NO_HOST_MEMORY,
            "the limit of pinned memory is reached", TARN_ADDR(ptr))
QUOTA_GIVER(host_unregister, (void *p, void *ptr, uint64_t size), (p, ptr, size))

void tn_quirk_address_quota(struct tn_quirk *quirk) {
    quirk->layer.table.reserve = reserve_quota;
    quirk->layer.table.release = release_quota;
}

void tn_quirk_pin_limit(struct tn_quirk *quirk) {
    quirk->layer.table.host_alloc = host_alloc_quota;
    quirk->layer.table.host_free = host_free_quota;
    quirk->layer.table.host_register = host_register_quota;
    quirk->layer.table.host_unregister = host_unregister_quota;
}

// ---- reservations

// A back-end takes a hint if the range is free, so none is passed on. If it chooses the hinted address
// by itself, another range is reserved while that one is taken.
static tarn_status reserve_anywhere(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                                    tarn_addr *addr) {
    tarn_addr got = 0;
    TN_TRY(TN_LAYER_NEXT(p, reserve, size, alignment, 0, &got));
    if (got != hint) {
        *addr = got;
        return TARN_OK;
    }
    tarn_status status = TN_LAYER_NEXT(p, reserve, size, alignment, 0, addr);
    TN_LAYER_NEXT(p, release, got, size);
    return status;
}

void tn_quirk_ignored_hint(struct tn_quirk *quirk) {
    quirk->layer.table.reserve = reserve_anywhere;
}

static tarn_status raise_granularity(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_quirk *quirk = (const struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, caps, device, caps));
    uint64_t wish = quirk->spec.value != 0 ? quirk->spec.value : 16 * caps->granularity_minimum;
    TN_REFUSE(wish < caps->granularity_minimum || (wish & (wish - 1)) != 0, TARN_BAD_CONFIG,
              "quirk: granularity:%llu: expected a power of two of at least %llu, the "
              "granularity of the device",
              (unsigned long long)wish, (unsigned long long)caps->granularity_minimum);
    caps->granularity_minimum = wish;
    if (caps->granularity_recommended < wish) caps->granularity_recommended = wish;
    return TARN_OK;
}

void tn_quirk_granularity(struct tn_quirk *quirk) { quirk->layer.table.caps = raise_granularity; }
