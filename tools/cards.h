// SPDX-License-Identifier: Apache-2.0
// Cards, and the memory that a program finds on them: the total that cudaMemGetInfo, hipMemGetInfo
// or aclrtGetMemInfo reports, in MiB, as users' error messages quote it. Firmware and error
// correction have taken their part of the nominal size. Drivers differ, and the smallest total that
// is known counts. The system of an Ascend 310 shares its memory: the rest counts.
#pragma once

#include "trace/study/vendor.h"

// X("name", MiB, VENDOR)
#define TN_CARD_LIST(X)                                                                            \
    X("GTX 1650 (4 GB)", 3901, NVIDIA)                                                             \
    X("RX 5500 XT, RX 6400 (4 GB)", 4080, AMD)                                                     \
    X("Ascend 310 (8 GB)", 5300, ASCEND)                                                           \
    X("RTX 2060 (6 GB)", 5918, NVIDIA)                                                             \
    X("RX 5600 XT (6 GB)", 6128, AMD)                                                              \
    X("P4 (8 GB)", 7608, NVIDIA)                                                                   \
    X("RTX 3070, RTX 4060 (8 GB)", 7802, NVIDIA)                                                   \
    X("RX 6600, RX 7600 (8 GB)", 8176, AMD)                                                        \
    X("RTX 3080 (10 GB)", 9881, NVIDIA)                                                            \
    X("GTX 1080 Ti (11 GB)", 11172, NVIDIA)                                                        \
    X("RTX 3060 (12 GB)", 12037, NVIDIA)                                                           \
    X("RX 6700 XT (12 GB)", 12272, AMD)                                                            \
    X("T4 (16 GB)", 14930, NVIDIA)                                                                 \
    X("RTX 4080 (16 GB)", 16077, NVIDIA)                                                           \
    X("V100 (16 GB)", 16151, NVIDIA)                                                               \
    X("RX 7800 XT, MI50 (16 GB)", 16304, AMD)                                                      \
    X("RTX A4500 (20 GB)", 20150, NVIDIA)                                                          \
    X("RX 7900 XT (20 GB)", 20464, AMD)                                                            \
    X("Ascend 310P (24 GB)", 21000, ASCEND)                                                        \
    X("L4 (24 GB)", 22563, NVIDIA)                                                                 \
    X("A10 (24 GB)", 22592, NVIDIA)                                                                \
    X("RTX 3090, RTX 4090 (24 GB)", 24210, NVIDIA)                                                 \
    X("RX 7900 XTX (24 GB)", 24560, AMD)                                                           \
    X("Ascend 910B4 (32 GB)", 30200, ASCEND)                                                       \
    X("RTX 5090 (32 GB)", 32109, NVIDIA)                                                           \
    X("V100 (32 GB)", 32501, NVIDIA)                                                               \
    X("MI60, MI100 (32 GB)", 32752, AMD)                                                           \
    X("A100 (40 GB)", 40338, NVIDIA)                                                               \
    X("L40S (48 GB)", 45457, NVIDIA)                                                               \
    X("RTX A6000 (48 GB)", 48670, NVIDIA)                                                          \
    X("W7900 (48 GB)", 49136, AMD)                                                                 \
    X("Ascend 910B (64 GB)", 62420, ASCEND)                                                        \
    X("MI210, MI250X by die (64 GB)", 65520, AMD)                                                  \
    X("A100, H100 (80 GB)", 81000, NVIDIA)                                                         \
    X("H100 NVL (94 GB)", 95230, NVIDIA)                                                           \
    X("H200 (141 GB)", 143160, NVIDIA)                                                             \
    X("B200 (180 GB)", 182640, NVIDIA)                                                             \
    X("MI300X (192 GB)", 196592, AMD)                                                              \
    X("MI325X (256 GB)", 262128, AMD)                                                              \
    X("MI355X (288 GB)", 294896, AMD)

struct tn_card {
    const char *name;
    uint64_t bytes;
    enum tn_vendor vendor;
};

enum {
#define TN_CARD_COUNT(name, mib, vendor) +1
    TN_CARDS = 0 TN_CARD_LIST(TN_CARD_COUNT)
#undef TN_CARD_COUNT
};

extern const struct tn_card tn_cards[TN_CARDS]; // by rising memory

// The memory of a card that a pool does not get, unless the user says otherwise: the context of the
// program and its libraries.
#define TN_CARD_CONTEXT (UINT64_C(512) << 20)

// Keeps the cards of a vendor, or all if none is of it. Returns their number.
size_t tn_cards_prefer(enum tn_vendor vendor, struct tn_card cards[], size_t count);
// Returns what a card leaves for a pool beside a context of this size.
uint64_t tn_card_usable(const struct tn_card *card, uint64_t context);
// Returns the smallest card of a vendor that has `bytes` beside a context, or NULL.
const struct tn_card *tn_card_smallest(enum tn_vendor vendor, uint64_t bytes);
