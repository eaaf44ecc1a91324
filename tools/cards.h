// SPDX-License-Identifier: Apache-2.0
// Cards, and the memory that a program finds on them: the total that cudaMemGetInfo, hipMemGetInfo
// or aclrtGetMemInfo reports, in MiB, as users' error messages quote it. Firmware and error
// correction have taken their part of the nominal size; drivers differ by a few MiB.
#ifndef TARN_TOOLS_CARDS_H
#define TARN_TOOLS_CARDS_H

#include <stddef.h>
#include <stdint.h>

// X("name", MiB)
#define TN_CARD_LIST(X)                                                                            \
    X("GTX 1080 Ti (11 GB)", 11172)                                                                \
    X("RTX 3060 (12 GB)", 12037)                                                                   \
    X("T4 (16 GB)", 14930)                                                                         \
    X("RTX 4080 (16 GB)", 16077)                                                                   \
    X("V100 (16 GB)", 16151)                                                                       \
    X("L4 (24 GB)", 22563)                                                                         \
    X("A10 (24 GB)", 22592)                                                                        \
    X("RTX 3090, RTX 4090 (24 GB)", 24210)                                                         \
    X("RTX 5090 (32 GB)", 32109)                                                                   \
    X("V100 (32 GB)", 32501)                                                                       \
    X("A100 (40 GB)", 40338)                                                                       \
    X("L40S (48 GB)", 45457)                                                                       \
    X("RTX A6000 (48 GB)", 48670)                                                                  \
    X("Ascend 910B (64 GB)", 62420)                                                                \
    X("MI250X, one die (64 GB)", 65520)                                                            \
    X("A100, H100 (80 GB)", 81000)                                                                 \
    X("H200 (141 GB)", 143160)                                                                     \
    X("B200 (180 GB)", 182640)                                                                     \
    X("MI300X (192 GB)", 196592)

struct tn_card {
    const char *name;
    uint64_t bytes;
};

enum {
#define TN_CARD_COUNT(name, mib) +1
    TN_CARDS = 0 TN_CARD_LIST(TN_CARD_COUNT)
#undef TN_CARD_COUNT
};

extern const struct tn_card tn_cards[TN_CARDS]; // by rising memory

// The memory of a card that a pool does not get, unless the user says otherwise: the context of the
// program and its libraries.
#define TN_CARD_CONTEXT (UINT64_C(512) << 20)

// Returns what a card leaves for a pool beside a context of this size.
uint64_t tn_card_usable(const struct tn_card *card, uint64_t context);
// Returns the smallest card that has `bytes` beside a context, or NULL.
const struct tn_card *tn_card_smallest(uint64_t bytes, uint64_t context);

#endif
