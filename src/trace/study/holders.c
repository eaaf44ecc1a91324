// SPDX-License-Identifier: Apache-2.0
// Sums blocks by what they have in common; see holders.h. Time is n log n in the blocks.
#include "trace/study/holders.h"

#include "base/error.h"
#include "trace/builder.h"

uint64_t tn_holder_key(const struct tn_tables *keys, enum tn_holder_kind kind, uint32_t block) {
    const struct tn_block *it = &keys->trace->blocks[block];
    uint32_t phase;
    switch (kind) {
    case TN_HOLD_BY_FUNCTION: return keys->owners->functions[it->stack];
    case TN_HOLD_BY_LINE: return keys->owners->lines[it->stack];
    case TN_HOLD_BY_STACK: return it->stack;
    case TN_HOLD_BY_STREAM: return it->stream;
    case TN_HOLD_BY_TAG: return it->tag;
    case TN_HOLD_BY_CATEGORY: return it->category;
    case TN_HOLD_BY_PHASE:
        phase = keys->phases != NULL ? keys->phases->at[keys->lives[block].born] : 0;
        return phase != 0 ? keys->phases->spans[phase - 1].name : 0;
    default: return it->size;
    }
}

struct keyed_block {
    uint64_t key, block; // sorted by these
};

// Blocks keep their order in a conversion, keys do not.
static int by_holder_bytes(const void *left, const void *right) {
    const struct tn_holder *a = (const struct tn_holder *)left;
    const struct tn_holder *b = (const struct tn_holder *)right;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
    return (a->block > b->block) - (a->block < b->block);
}

static void sum_keyed(struct tn_holders *holders, const struct keyed_block *keyed, size_t count,
                      const struct tn_trace *trace) {
    for (size_t i = 0; i < count; i++) {
        uint64_t size = trace->blocks[keyed[i].block].size;
        if (i == 0 || keyed[i].key != keyed[i - 1].key)
            holders->list[holders->count++] =
                (struct tn_holder){.key = keyed[i].key, .block = (uint32_t)keyed[i].block};
        struct tn_holder *holder = &holders->list[holders->count - 1];
        holder->bytes += size;
        holder->count++;
        if (size > trace->blocks[holder->block].size) holder->block = (uint32_t)keyed[i].block;
        holders->bytes += size;
    }
}

tarn_status tn_holders_make(const struct tn_tables *keys, enum tn_holder_kind kind,
                            const uint32_t *blocks, size_t count, struct tn_holders *holders) {
    struct tn_holders made = {0};
    struct keyed_block *keyed = (struct keyed_block *)calloc(count + 1, sizeof *keyed);
    made.list = (struct tn_holder *)calloc(count + 1, sizeof *made.list);
    if (keyed == NULL || made.list == NULL) {
        free(keyed);
        free(made.list);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the holders of %zu blocks",
                       count);
    }
    for (size_t i = 0; i < count; i++)
        keyed[i] = (struct keyed_block){tn_holder_key(keys, kind, blocks[i]), blocks[i]};
    tn_numbers_sort(keyed, count, sizeof *keyed, 2);
    sum_keyed(&made, keyed, count, keys->trace);
    qsort(made.list, made.count, sizeof *made.list, by_holder_bytes);
    free(keyed);
    *holders = made;
    return TARN_OK;
}

void tn_holders_release(struct tn_holders *holders) {
    free(holders->list);
    *holders = (struct tn_holders){0};
}
