// SPDX-License-Identifier: Apache-2.0
// The vendors whose compiler the command replaces, as data. One process compiles for one of them.
#pragma once

#include <stdbool.h>

struct tn_hipcc_dialect {
    const char *command; // for messages: "hipcc"
    const char *face;
    const char *header;   // a header of the face, by which its folder is found
    const char *launches; // a header of it that declares kernels for the host
    const char *defines;  // the words that a source with kernels is compiled with
    const char *libraries;
    bool is_nvcc; // has the options of nvcc
};

extern const struct tn_hipcc_dialect tn_hipcc_of_nvidia;
extern const struct tn_hipcc_dialect tn_hipcc_of_nvidia_12; // with -DTARN_CUDA_LEVEL=12

// That of this process; never NULL, and AMD's at first.
extern const struct tn_hipcc_dialect *tn_hipcc_dialect;
