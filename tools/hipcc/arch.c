// SPDX-License-Identifier: Apache-2.0
// See arch.h. Without an option, they describe Tarn's own device: compute capability 9.0, or that of
// TARN_CUDA_CAPABILITY; AMD's warps of 64 lanes, without the instructions of any GPU.
#include "tools/hipcc/arch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/variable.h"
#include "tools/hipcc/dialect.h"

// Returns the highest capability of the options that the device has, or else that of the device.
static int capability(const struct tn_hipcc_options *options) {
    int own = (int)tn_variable_value("TARN_CUDA_CAPABILITY", 900), best = 0;
    own = own / 100 * 100 + own % 100 * 10;
    for (size_t i = 0; i < options->arch.count; i++)
        for (const char *at = options->arch.all[i]; (at = strchr(at, '_')) != NULL;) {
            int number = 10 * atoi(++at); // sm_90, compute_90a
            if (number > best && number <= own) best = number;
        }
    return best > 0 ? best : own;
}

// Returns the first of AMD's architectures, "gfx90a", or NULL.
static const char *gfx(const struct tn_hipcc_options *options) {
    for (size_t i = 0; i < options->arch.count; i++) {
        const char *name = strstr(options->arch.all[i], "gfx");
        size_t bytes = name != NULL ? 3 : 0;
        while (bytes > 0 && isalnum((unsigned char)name[bytes])) bytes++;
        if (bytes > 5) return tn_hipcc_text("%.*s", (int)bytes, name);
    }
    return NULL;
}

// The last two digits of a name are those of a model and its revision.
static int generation(const char *name) {
    return atoi(tn_hipcc_text("%.*s", (int)strlen(name) - 5, name + 3));
}

const char *tn_hipcc_lanes(const struct tn_hipcc_options *options) {
    const char *name = gfx(options);
    if (tn_hipcc_dialect->is_nvcc) return NULL;
    if (options->lanes != NULL) return options->lanes;
    return name != NULL && generation(name) >= 10 ? "32" : "64";
}

void tn_hipcc_add_arch(struct tn_hipcc_words *words, const struct tn_hipcc_options *options) {
    if (tn_hipcc_dialect->is_nvcc) {
        tn_hipcc_add(words, tn_hipcc_text("-D__CUDA_ARCH__=%d", capability(options)));
        return;
    }
    const char *name = gfx(options), *lanes = tn_hipcc_lanes(options);
    tn_hipcc_add(words, "-D__HIP_DEVICE_COMPILE__=1");
    if (name != NULL)
        tn_hipcc_add(words, tn_hipcc_text("-D__%s__=1", name),
                     tn_hipcc_text("-D__GFX%d__=1", generation(name)));
    else if (strcmp(lanes, "64") == 0)
        tn_hipcc_add(words, "-D__GFX9__=1");
}
