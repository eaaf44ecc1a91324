// SPDX-License-Identifier: Apache-2.0
// Reservations. The vendor's alignment is believed only when seen: what is not aligned as asked is
// given back, and a larger range taken, of which ours is the aligned part.
#include "backend/card/card.h"
#include "base/error.h"

// No card has more address bits; a larger wish would only make the sums below wrap.
static const uint64_t MOST = (uint64_t)1 << 52;

static tarn_status no_vmm(const struct tn_card *card) {
    return tn_fail(TARN_UNSUPPORTED, "%s: no virtual memory management: %s", card->driver->name,
                   card->devices[0].vmm);
}

static tarn_status reserve_native(struct tn_card *card, uint64_t size, uint64_t alignment,
                                  tarn_addr hint, tarn_addr *addr) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->reserve(card->d, size, alignment, hint, addr);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NO_ADDRESS_SPACE, TARN_NO_ADDRESS_SPACE,
                              "0x%llx bytes of addresses", (unsigned long long)size);
}

static void unreserve_native(struct tn_card *card, tarn_addr addr, uint64_t size) {
    struct tn_card_turn turn;
    if (tn_card_begin(card, 0, &turn) == TARN_OK) {
        (void)card->driver->unreserve(card->d, addr, size);
        tn_card_end(&turn);
    }
}

// *native: the vendor's range, in which ours begins at *addr.
static tarn_status reserve_aligned(struct tn_card *card, uint64_t size, uint64_t alignment,
                                   tarn_addr hint, tarn_addr *addr, struct tn_card_range *range) {
    tarn_addr got = 0;
    uint64_t bytes = size;
    tarn_status status = reserve_native(card, size, alignment, hint, &got);
    if (status == TARN_OK && got % alignment != 0) {
        unreserve_native(card, got, size);
        bytes = size + alignment;
        status = reserve_native(card, bytes, alignment, 0, &got);
    }
    if (status == TARN_OK) {
        *addr = (got + alignment - 1) & ~(alignment - 1);
        *range = (struct tn_card_range){.kind = TN_CARD_SPACE, .native = got, .bytes = bytes};
    }
    return status;
}

tarn_status tn_card_reserve(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                            tarn_addr *addr) {
    struct tn_card *card = p;
    struct tn_card_range range;
    tarn_addr got = 0;
    if ((card->devices[0].features & TARN_FEATURE_VMM) == 0) {
        return no_vmm(card);
    }
    uint64_t least = alignment > card->granularity ? alignment : card->granularity;
    if (least > MOST || size > MOST) {
        return tn_fail(TARN_NO_ADDRESS_SPACE, "0x%llx bytes at a multiple of 0x%llx",
                       (unsigned long long)size, (unsigned long long)least);
    }
    tarn_status status = reserve_aligned(card, size, least, hint, &got, &range);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_card_add(card, got, size, &range);
    if (status != TARN_OK) {
        unreserve_native(card, range.native, range.bytes);
        return status;
    }
    *addr = got;
    return TARN_OK;
}

void tn_card_release(void *p, tarn_addr addr, uint64_t size) {
    struct tn_card *card = p;
    (void)size;
    struct tn_card_range range = tn_card_remove(card, addr);
    unreserve_native(card, range.native, range.bytes);
}
