// SPDX-License-Identifier: Apache-2.0
// The segments of `tarn layout`: appended to the list, and aligned by the rule. One thread.
#include <inttypes.h>

#include "base/grow.h"
#include "tools/layout/layout.h"

bool tn_layout_add(struct tn_layout *layout, uint64_t start, uint64_t length, size_t line) {
    struct tn_segment segment = {start, length, 0, line};
    if (tarn_rule_occupied(&layout->rule, length, &segment.size) != TARN_OK)
        return tn_complain("a segment of %" PRIu64 " bytes: %s", length, tn_last_text());
    void *more =
        tn_append(layout->segments, &layout->count, &layout->room, &segment, sizeof segment);
    if (more == NULL) {
        (void)tn_complain("out of memory for %zu segments", layout->count + 1);
        exit(TN_EXIT_NO_MEMORY);
    }
    layout->segments = (struct tn_segment *)more;
    return true;
}

bool tn_layout_align(const struct tn_layout *layout, uint64_t offset, uint64_t *aligned) {
    uint64_t mask = layout->rule.start - 1;
    if (offset > UINT64_MAX - layout->base || layout->base + offset > UINT64_MAX - mask)
        return false;
    *aligned = ((layout->base + offset + mask) & ~mask) - layout->base;
    return true;
}
