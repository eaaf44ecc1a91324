// SPDX-License-Identifier: Apache-2.0
// The table of cards; see cards.h.
#include "tools/cards.h"

const struct tn_card tn_cards[TN_CARDS] = {
#define CARD(name, mib, vendor) {name, UINT64_C(mib) << 20, TN_VENDOR_##vendor},
    TN_CARD_LIST(CARD)};

size_t tn_cards_prefer(enum tn_vendor vendor, struct tn_card cards[], size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (cards[i].vendor == vendor) cards[kept++] = cards[i];
    return kept > 0 ? kept : count;
}

uint64_t tn_card_usable(const struct tn_card *card, uint64_t context) {
    return card->bytes > context ? card->bytes - context : 0;
}

const struct tn_card *tn_card_smallest(enum tn_vendor vendor, uint64_t bytes) {
    const struct tn_card *smallest = NULL;
    for (size_t i = 0; i < TN_CARDS; i++)
        if (tn_cards[i].vendor == vendor &&
            bytes <= tn_card_usable(&tn_cards[i], TN_CARD_CONTEXT) &&
            (smallest == NULL || tn_cards[i].bytes < smallest->bytes))
            smallest = &tn_cards[i];
    return smallest;
}
