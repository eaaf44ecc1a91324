// SPDX-License-Identifier: Apache-2.0
// Reads the environment when a pool is created. It keeps no state.
#include "plugin/torch/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tn_torch_first_device(void) {
    const char *name = getenv("TARN_TORCH_DEVICE");
    return name != NULL && name[0] != '\0' ? name : "cuda:0";
}

// One item of the list: KEY or KEY=VALUE.
struct item {
    char key[32];
    const char *value; // "" if there is none
    size_t value_length;
};

static bool key_is(const struct item *item, const char *key) { return strcmp(item->key, key) == 0; }

// Digits, optionally followed by K, M, G or T.
static bool parse_size(const struct item *item, uint64_t *bytes) {
    static const char units[] = "KMGT";
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(item->value, &end, 10);
    const char *stop = item->value + item->value_length;
    const char *unit = end < stop ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno != 0 || item->value_length == 0 || item->value[0] < '0' || item->value[0] > '9' ||
        end + (unit != NULL) != stop || value > UINT64_MAX >> shift)
        return false;
    *bytes = (uint64_t)value << shift;
    return true;
}

static bool parse_policy(const struct item *item, tarn_pool_policy *policy) {
    static const char *const names[] = {"balanced", "time", "memory"};
    for (int i = 0; i < 3; i++) {
        if (strlen(names[i]) == item->value_length &&
            memcmp(names[i], item->value, item->value_length) == 0) {
            *policy = (tarn_pool_policy)i;
            return true;
        }
    }
    return false;
}

static bool apply_item(const struct item *item, tarn_pool_desc *desc, const char **plan) {
    if (key_is(item, "expandable") || key_is(item, "segments")) {
        desc->kind = key_is(item, "segments") ? TARN_POOL_SEGMENTS : TARN_POOL_EXPANDABLE;
        return item->value_length == 0;
    }
    if (key_is(item, "learn")) {
        desc->flags |= TARN_POOL_LEARN;
        return item->value_length == 0;
    }
    if (key_is(item, "plan")) {
        *plan = item->value; // the rest of the text
        return item->value_length != 0;
    }
    if (key_is(item, "strict")) {
        desc->flags |= TARN_POOL_STRICT;
        return item->value_length == 0;
    }
    if (key_is(item, "policy")) return parse_policy(item, &desc->policy);
    if (key_is(item, "limit")) return parse_size(item, &desc->limit);
    if (key_is(item, "page")) return parse_size(item, &desc->page_bytes);
    return key_is(item, "segment") && parse_size(item, &desc->segment_bytes);
}

static struct item split_item(const char *text, size_t length) {
    const char *equals = memchr(text, '=', length);
    size_t key = equals != NULL ? (size_t)(equals - text) : length;
    struct item item = {.key = "", .value = "", .value_length = 0};
    if (key < sizeof item.key) {
        memcpy(item.key, text, key);
        item.key[key] = '\0';
    }
    if (equals != NULL) {
        item.value = equals + 1;
        item.value_length = length - key - 1;
    }
    return item;
}

tarn_status tn_torch_read_pool(tarn_pool_desc *desc, const char **plan, char why[TN_TORCH_TEXT]) {
    const char *text = getenv("TARN_TORCH_POOL");
    desc->kind = TARN_POOL_EXPANDABLE;
    while (text != NULL && *text != '\0') {
        size_t length = strncmp(text, "plan=", 5) == 0 ? strlen(text) : strcspn(text, ",");
        struct item item = split_item(text, length);
        if (!apply_item(&item, desc, plan)) {
            (void)snprintf(
                why, TN_TORCH_TEXT,
                "TARN_TORCH_POOL: \"%.*s\" is not one of expandable, segments, limit=SIZE, "
                "policy=balanced|time|memory, page=SIZE, segment=SIZE, strict, learn, plan=FILE",
                (int)length, text);
            return TARN_BAD_CONFIG;
        }
        text += length;
        text += *text == ',';
    }
    return TARN_OK;
}
