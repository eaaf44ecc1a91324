// SPDX-License-Identifier: Apache-2.0
// Plain device memory, pinned memory of the CPU, and peers.
#include <stdlib.h>
#include <string.h>

#include "backend/card/card.h"
#include "base/error.h"

enum { PAGE = 4096 };

// More than any device has: sums with it would wrap.
static const uint64_t MOST = (uint64_t)1 << 60;

// ---- plain memory

static uint64_t charge_of(const struct tn_card *card, uint64_t size) {
    uint64_t unit = card->granularity;
    return unit == 0 || size > UINT64_MAX - unit ? size : (size + unit - 1) / unit * unit;
}

static tarn_status alloc_native(struct tn_card *card, int device, uint64_t size, tarn_addr *addr) {
    struct tn_card_turn turn;
    if (size > MOST) {
        return tn_fail(TARN_NO_DEVICE_MEMORY, "0x%llx bytes are more than any device has",
                       (unsigned long long)size);
    }
    if (card->devices[device].pool != NULL) {
        return tn_card_ordered_alloc(card, device, size, addr);
    }
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->alloc(card->d, size, addr);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NO_DEVICE_MEMORY, TARN_NO_DEVICE_MEMORY,
                              "0x%llx bytes on device %d", (unsigned long long)size, device);
}

static void free_native(struct tn_card *card, int device, tarn_addr addr) {
    struct tn_card_turn turn;
    if (card->devices[device].pool != NULL) {
        tn_card_ordered_free(card, device, addr);
    } else if (tn_card_begin(card, device, &turn) == TARN_OK) {
        (void)card->driver->free(card->d, addr);
        tn_card_end(&turn);
    }
}

// Where the vendor's start is not aligned enough, more is taken, and the aligned part of it used.
static tarn_status alloc_aligned(struct tn_card *card, int device, uint64_t size,
                                 uint64_t alignment, tarn_addr *native) {
    tarn_status status = alloc_native(card, device, size, native);
    if (status != TARN_OK || *native % alignment == 0) {
        return status;
    }
    free_native(card, device, *native);
    return alloc_native(card, device, size + alignment, native);
}

static tarn_status alloc(struct tn_card *card, int device, const tarn_backend_memory *desc,
                         tarn_addr *addr) {
    tarn_addr native = 0;
    struct tn_card_range range = {
        .kind = TN_CARD_PLAIN, .device = device, .bytes = desc->bytes, .charged = desc->charged};
    tarn_status status = tn_card_take(card, device, range.charged);
    if (status != TARN_OK) {
        return status;
    }
    status = alloc_aligned(card, device, desc->bytes, desc->alignment, &native);
    if (status != TARN_OK) {
        goto err_share;
    }
    range.native = native;
    tarn_addr got = (native + desc->alignment - 1) & ~(desc->alignment - 1);
    status = tn_card_add(card, got, desc->bytes, &range);
    if (status != TARN_OK) {
        goto err_free;
    }
    *addr = got;
    return TARN_OK;

err_free:
    free_native(card, device, native);
err_share:
    tn_card_give_back(card, device, range.charged);
    return status;
}

enum { LEAST_ALIGNMENT = 256 };

tarn_status tn_card_memory_alloc(void *p, int device, uint64_t size, tarn_addr *addr) {
    const tarn_backend_memory desc = {
        .bytes = size, .charged = charge_of(p, size), .alignment = LEAST_ALIGNMENT};
    return alloc(p, device, &desc, addr);
}

tarn_status tn_card_memory_alloc_with(void *p, int device, const tarn_backend_memory *desc,
                                      tarn_addr *addr, tarn_page_class *page_class) {
    const struct tn_card *card = p;
    if (desc->page_class != TARN_PAGE_DEFAULT) {
        return tn_fail(TARN_UNSUPPORTED, "%s chooses the pages of plain memory itself",
                       card->driver->name);
    }
    tarn_status status = alloc(p, device, desc, addr);
    if (status == TARN_OK) {
        *page_class = TARN_PAGE_DEFAULT;
    }
    return status;
}

// Out of the books first: once the vendor has it back, another thread may get the same address.
void tn_card_memory_free(void *p, int device, tarn_addr addr) {
    struct tn_card *card = p;
    struct tn_card_range range = tn_card_remove(card, addr);
    free_native(card, device, range.native);
    tn_card_give_back(card, device, range.charged);
}

// ---- pinned memory

static tarn_status no_pinning(const struct tn_card *card) {
    return tn_fail(TARN_UNSUPPORTED, "%s has no pinned memory", card->driver->name);
}

static void host_free_native(struct tn_card *card, void *ptr) {
    struct tn_card_turn turn;
    if (tn_card_begin(card, 0, &turn) == TARN_OK) {
        (void)card->driver->host_free(card->d, ptr);
        tn_card_end(&turn);
    }
}

static tarn_status host_alloc_native(struct tn_card *card, uint64_t size, void **ptr) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->host_alloc(card->d, size, ptr);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NO_HOST_MEMORY, TARN_NO_HOST_MEMORY,
                              "0x%llx bytes of pinned memory", (unsigned long long)size);
}

tarn_status tn_card_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                               tarn_pin_class *pin_class) {
    struct tn_card *card = p;
    void *native = NULL;
    (void)flags; // it is locked, whether it must be or not
    if (card->driver->host_alloc == NULL) {
        return no_pinning(card);
    }
    if (size > UINT64_MAX - PAGE) {
        return tn_fail(TARN_NO_HOST_MEMORY, "0x%llx bytes", (unsigned long long)size);
    }
    tarn_status status = host_alloc_native(card, size, &native);
    if (status == TARN_OK && (uintptr_t)native % PAGE != 0) { // not the vendor's habit: take more
        host_free_native(card, native);
        status = host_alloc_native(card, size + PAGE, &native);
    }
    if (status != TARN_OK) {
        return status;
    }
    uint64_t addr = ((uint64_t)(uintptr_t)native + PAGE - 1) / PAGE * PAGE;
    const struct tn_card_range range = {
        .kind = TN_CARD_PINNED, .native = (uint64_t)(uintptr_t)native, .bytes = size};
    status = tn_card_add(card, addr, size, &range);
    if (status != TARN_OK) {
        host_free_native(card, native);
        return status;
    }
    *ptr = (void *)(uintptr_t)addr;
    memset(*ptr, 0, size);
    *pin_class = TARN_PIN_LOCKED;
    return TARN_OK;
}

void tn_card_host_free(void *p, void *ptr, uint64_t size) {
    struct tn_card *card = p;
    (void)size;
    struct tn_card_range range = tn_card_remove(card, (tarn_addr)(uintptr_t)ptr);
    host_free_native(card, (void *)(uintptr_t)range.native);
}

static tarn_status register_native(struct tn_card *card, void *ptr, uint64_t size) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->host_register(card->d, ptr, size);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_BAD_ADDRESS, TARN_NO_HOST_MEMORY,
                              "registering [%p, +0x%llx)", ptr, (unsigned long long)size);
}

tarn_status tn_card_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                  tarn_pin_class *pin_class) {
    struct tn_card *card = p;
    (void)flags;
    if (card->driver->host_register == NULL) {
        return no_pinning(card);
    }
    const struct tn_card_range range = {
        .kind = TN_CARD_PINNED, .native = (uint64_t)(uintptr_t)ptr, .bytes = size};
    tarn_status status = tn_card_add(card, (tarn_addr)(uintptr_t)ptr, size, &range);
    if (status != TARN_OK) {
        return status;
    }
    status = register_native(card, ptr, size);
    if (status != TARN_OK) {
        (void)tn_card_remove(card, (tarn_addr)(uintptr_t)ptr);
        return status;
    }
    *pin_class = TARN_PIN_LOCKED;
    return TARN_OK;
}

void tn_card_host_unregister(void *p, void *ptr, uint64_t size) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    (void)size;
    (void)tn_card_remove(card, (tarn_addr)(uintptr_t)ptr);
    if (tn_card_begin(card, 0, &turn) == TARN_OK) {
        (void)card->driver->host_unregister(card->d, ptr);
        tn_card_end(&turn);
    }
}

// ---- peers

bool tn_card_peer_can(void *p, int device, int peer) {
    struct tn_card *card = p;
    bool can = false;
    return device != peer && card->driver->peer_can != NULL &&
           tn_card_good(card->driver->peer_can(card->d, device, peer, &can)) && can;
}

tarn_status tn_card_peer_set(void *p, int device, int peer, bool enabled) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    if (card->driver->peer_set == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "%s has no peers", card->driver->name);
    }
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->peer_set(card->d, peer, enabled);
    tn_card_end(&turn);
    return tn_card_good(answer) ? TARN_OK
                                : tn_card_fail(card, answer, TARN_UNSUPPORTED, TARN_NO_HOST_MEMORY,
                                               "%s the way from device %d to %d",
                                               enabled ? "opening" : "closing", device, peer);
}
