// SPDX-License-Identifier: Apache-2.0
// Plain Python values in three arrays: nodes, chunks of items, bytes of texts. See value.h.
#include "trace/parse/value.h"

#include <inttypes.h>

#include "base/error.h"

void tn_values_begin(struct tn_values *values, const char *name, uint64_t limit) {
    memset(values, 0, sizeof *values);
    values->name = name;
    values->limit = limit;
    values->item_count = 1; // chunk 0 means "none"
}

void tn_values_release(struct tn_values *values) {
    free(values->nodes);
    free(values->items);
    free(values->bytes);
    memset(values, 0, sizeof *values);
}

// Grows `array` to hold `more` elements beyond `count`. Returns it. At the limit of the values, or
// if out of memory, records the failure and returns NULL.
static void *reserve_values(const struct tn_values *values, void *array, size_t *room, size_t count,
                            size_t more, size_t element) {
    uint64_t held = (uint64_t)values->node_count * sizeof *values->nodes +
                    (uint64_t)values->item_count * sizeof *values->items + values->byte_count;
    if (held + more * element > values->limit) {
        (void)tn_fail(TARN_NO_HOST_MEMORY,
                      "%s: the values need more than the %" PRIu64 " bytes allowed", values->name,
                      values->limit);
        return NULL;
    }
    // Room for one more element, because an array of 0 elements must not be NULL.
    void *grown =
        count + more < UINT32_MAX ? tn_grow(array, room, count + more + 1, element) : NULL;
    if (grown == NULL)
        (void)tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the values", values->name);
    return grown;
}

tarn_status tn_values_add(struct tn_values *values, struct tn_node node, tn_value *value) {
    void *grown = reserve_values(values, values->nodes, &values->node_room, values->node_count, 1,
                                 sizeof node);
    if (grown == NULL) return TARN_NO_HOST_MEMORY;
    values->nodes = (struct tn_node *)grown;
    *value = (tn_value)values->node_count;
    values->nodes[values->node_count++] = node;
    return TARN_OK;
}

static void append_chunk(struct tn_values *values, tn_value container, uint32_t chunk,
                         uint32_t count) {
    struct tn_node *node = &values->nodes[container];
    if (node->as.chunks.last != 0)
        values->items[node->as.chunks.last] = chunk;
    else
        node->as.chunks.first = chunk;
    node->as.chunks.last = chunk;
    node->count += count;
}

tarn_status tn_values_extend(struct tn_values *values, tn_value container, const tn_value *items,
                             size_t count) {
    if (count == 0) return TARN_OK;
    void *grown = reserve_values(values, values->items, &values->item_room, values->item_count,
                                 count + 2, sizeof *items);
    if (grown == NULL) return TARN_NO_HOST_MEMORY;
    values->items = (uint32_t *)grown;
    uint32_t *chunk = values->items + values->item_count;
    chunk[0] = 0;
    chunk[1] = (uint32_t)count;
    memcpy(chunk + 2, items, count * sizeof *items);
    append_chunk(values, container, (uint32_t)values->item_count, (uint32_t)count);
    values->item_count += count + 2;
    return TARN_OK;
}

tarn_status tn_values_bytes(struct tn_values *values, size_t size, char **bytes) {
    void *grown =
        reserve_values(values, values->bytes, &values->byte_room, values->byte_count, size, 1);
    if (grown == NULL) return TARN_NO_HOST_MEMORY;
    values->bytes = (char *)grown;
    *bytes = values->bytes + values->byte_count;
    values->byte_count += size;
    return TARN_OK;
}

struct tn_values_mark tn_values_mark(const struct tn_values *values) {
    return (struct tn_values_mark){values->node_count, values->item_count, values->byte_count};
}

void tn_values_rewind(struct tn_values *values, struct tn_values_mark mark) {
    values->node_count = mark.nodes;
    values->item_count = mark.items;
    values->byte_count = mark.bytes;
}

enum tn_value_kind tn_value_kind(const struct tn_values *values, tn_value value) {
    return (enum tn_value_kind)values->nodes[value].kind;
}

uint32_t tn_value_count(const struct tn_values *values, tn_value value) {
    return values->nodes[value].count;
}

struct tn_items tn_items_of(const struct tn_values *values, tn_value container) {
    const struct tn_node *node = &values->nodes[container];
    bool holds =
        node->kind == TN_VALUE_LIST || node->kind == TN_VALUE_TUPLE || node->kind == TN_VALUE_DICT;
    return (struct tn_items){.values = values, .chunk = holds ? node->as.chunks.first : 0};
}

bool tn_items_next(struct tn_items *items, tn_value *value) {
    if (items->chunk == 0) return false;
    const uint32_t *chunk = items->values->items + items->chunk;
    *value = chunk[2 + items->index];
    if (++items->index == chunk[1]) {
        items->chunk = chunk[0];
        items->index = 0;
    }
    return true;
}

bool tn_value_unsigned(const struct tn_values *values, tn_value value, uint64_t *number) {
    const struct tn_node *node = &values->nodes[value];
    if (node->kind == TN_VALUE_UNSIGNED)
        *number = node->as.bits;
    else if (node->kind == TN_VALUE_INT && node->as.number >= 0)
        *number = (uint64_t)node->as.number;
    else
        return false;
    return true;
}

// Multiplies by 10^power. Returns false if the product does not fit.
static bool shift_digits(int64_t *number, int64_t power) {
    for (; power > 0 && *number != 0; power--)
        if (__builtin_mul_overflow(*number, INT64_C(10), number)) return false;
    for (; power < 0 && *number != 0; power++) *number /= 10;
    return true;
}

// Digits of a decimal are taken until they no longer matter; `power` is what the last one lacks.
static bool scale_decimal(const char *text, uint32_t length, int64_t power, int64_t *number) {
    const char *end = text + length, *at = text;
    bool negative = length > 0 && *at == '-', fraction = false;
    int64_t exponent = 0;
    const char *mark = (const char *)memchr(text, 'e', length);
    if (mark == NULL) mark = (const char *)memchr(text, 'E', length);
    for (const char *from = mark != NULL ? mark + 1 : end; from < end; from++)
        if (*from >= '0' && *from <= '9' && exponent < 10000)
            exponent = exponent * 10 + (*from - '0');
    power += mark != NULL && mark + 1 < end && mark[1] == '-' ? -exponent : exponent;
    *number = 0;
    for (at += negative; at < end && at != mark; at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        if (fraction && power <= 0) break;
        int64_t digit = negative ? '0' - *at : *at - '0';
        if (__builtin_mul_overflow(*number, INT64_C(10), number) ||
            __builtin_add_overflow(*number, digit, number))
            return false;
        power -= fraction;
    }
    return shift_digits(number, power);
}

bool tn_value_scaled(const struct tn_values *values, tn_value value, int digits, int64_t *number) {
    const struct tn_node *node = &values->nodes[value];
    uint64_t whole;
    if (node->kind == TN_VALUE_DECIMAL)
        return scale_decimal(values->bytes + node->as.bits, node->count, digits, number);
    if (node->kind == TN_VALUE_INT)
        *number = node->as.number;
    else if (tn_value_unsigned(values, value, &whole) && whole <= INT64_MAX)
        *number = (int64_t)whole;
    else
        return false;
    return shift_digits(number, digits);
}

bool tn_value_text(const struct tn_values *values, tn_value value, const char **text,
                   size_t *length) {
    const struct tn_node *node = &values->nodes[value];
    if (node->kind != TN_VALUE_TEXT) return false;
    *text = values->bytes + node->as.bits;
    *length = node->count;
    return true;
}

bool tn_value_is(const struct tn_values *values, tn_value value, const char *text) {
    const char *own;
    size_t length;
    return tn_value_text(values, value, &own, &length) && length == strlen(text) &&
           memcmp(own, text, length) == 0;
}

bool tn_value_get(const struct tn_values *values, tn_value dict, const char *key, tn_value *value) {
    if (tn_value_kind(values, dict) != TN_VALUE_DICT) return false;
    struct tn_items items = tn_items_of(values, dict);
    tn_value name, held;
    bool found = false;
    while (tn_items_next(&items, &name) && tn_items_next(&items, &held)) {
        if (tn_value_is(values, name, key)) {
            *value = held;
            found = true;
        }
    }
    return found;
}

bool tn_value_get_unsigned(const struct tn_values *values, tn_value dict, const char *key,
                           uint64_t *number) {
    tn_value value;
    return tn_value_get(values, dict, key, &value) && tn_value_unsigned(values, value, number);
}

bool tn_value_get_true(const struct tn_values *values, tn_value dict, const char *key) {
    tn_value value;
    return tn_value_get(values, dict, key, &value) && values->nodes[value].kind == TN_VALUE_BOOL &&
           values->nodes[value].as.number != 0;
}

bool tn_value_get_is(const struct tn_values *values, tn_value dict, const char *key,
                     const char *text) {
    tn_value value;
    return tn_value_get(values, dict, key, &value) && tn_value_is(values, value, text);
}

tarn_status tn_value_intern(const struct tn_values *values, tn_value value,
                            struct tn_builder *builder, uint32_t *text) {
    const char *bytes;
    size_t length;
    return tn_value_text(values, value, &bytes, &length)
               ? tn_builder_text(builder, bytes, length, text)
               : TARN_OK;
}

tarn_status tn_value_get_text(const struct tn_values *values, tn_value dict, const char *key,
                              struct tn_builder *builder, uint32_t *text) {
    tn_value value;
    *text = 0;
    return tn_value_get(values, dict, key, &value) ? tn_value_intern(values, value, builder, text)
                                                   : TARN_OK;
}
