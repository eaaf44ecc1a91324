// SPDX-License-Identifier: Apache-2.0
// See pick.h. The fields are parsed as those of a fault of `map`.
#include "backend/layer/pick.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"

tarn_status tn_layer_pick_parse(const char *text, size_t length, struct tn_layer_pick *pick) {
    struct tn_fail_set set;
    char spec[TN_FAIL_TEXT];
    int end = snprintf(spec, sizeof spec, "map%s%.*s", length > 0 ? ":" : "", (int)length, text);
    if (end >= (int)sizeof spec || memchr(text, ';', length) != NULL) {
        return tn_fail(TARN_BAD_CONFIG, "\"%.*s\": expected the fields of one spec, in %d bytes",
                       (int)length, text, TN_FAIL_TEXT - 5);
    }
    TN_TRY(tn_fail_parse(spec, TN_FAIL_DEVICE, &set));
    if (memmem(text, length, "as=", 3) != NULL || set.specs[0].stack) {
        return tn_fail(TARN_BAD_CONFIG, "\"%.*s\": as= and stack are for calls that fail",
                       (int)length, text);
    }
    memcpy(&pick->spec, &set.specs[0], sizeof pick->spec);
    return TARN_OK;
}

static bool in_pick_range(const struct tn_fail_range *range, uint64_t value) {
    return value >= range->low && value <= range->high;
}

bool tn_layer_pick_next(struct tn_layer_pick *pick, tarn_addr address, uint64_t bytes) {
    struct tn_fail_spec *spec = &pick->spec;
    return in_pick_range(&spec->addresses, address) && in_pick_range(&spec->sizes, bytes) &&
           tn_fail_fires(spec, tn_add_relaxed(&spec->count, 1) + 1);
}
