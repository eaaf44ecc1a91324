// SPDX-License-Identifier: Apache-2.0
// See config.h. Read when a pool is made; no state.
#include "plugin/torch/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tn_torch_first_device(void) {
    const char *name = getenv("TARN_TORCH_DEVICE");
    return name != NULL && name[0] != '\0' ? name : "cuda:0";
}

// One piece of the list: KEY or KEY=VALUE.
struct piece {
    char key[32];
    const char *value; // "" when there is none
    size_t value_length;
};

static bool key_is(const struct piece *piece, const char *key) {
    return strcmp(piece->key, key) == 0;
}

// Digits, then nothing or one of K M G T.
static bool parse_size(const struct piece *piece, uint64_t *bytes) {
    static const char units[] = "KMGT";
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(piece->value, &end, 10);
    const char *stop = piece->value + piece->value_length;
    const char *unit = end < stop ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno != 0 || piece->value_length == 0 || piece->value[0] < '0' || piece->value[0] > '9' ||
        end + (unit != NULL) != stop || value > UINT64_MAX >> shift) {
        return false;
    }
    *bytes = (uint64_t)value << shift;
    return true;
}

static bool parse_permille(const struct piece *piece, uint32_t *permille) {
    uint64_t value = 0;
    bool good = parse_size(piece, &value) && value <= 1000000;
    *permille = good ? (uint32_t)value : *permille;
    return good;
}

static bool apply(const struct piece *piece, tarn_pool_desc *desc) {
    if (key_is(piece, "expandable") || key_is(piece, "segments")) {
        desc->kind = key_is(piece, "segments") ? TARN_POOL_SEGMENTS : TARN_POOL_EXPANDABLE;
        return piece->value_length == 0;
    }
    if (key_is(piece, "strict")) {
        desc->flags |= TARN_POOL_STRICT;
        return piece->value_length == 0;
    }
    if (key_is(piece, "slack")) {
        return parse_permille(piece, &desc->slack_permille);
    }
    if (key_is(piece, "limit")) {
        return parse_size(piece, &desc->limit);
    }
    if (key_is(piece, "page")) {
        return parse_size(piece, &desc->page_bytes);
    }
    return key_is(piece, "segment") && parse_size(piece, &desc->segment_bytes);
}

static struct piece split(const char *text, size_t length) {
    const char *equals = memchr(text, '=', length);
    size_t key = equals != NULL ? (size_t)(equals - text) : length;
    struct piece piece = {.key = "", .value = "", .value_length = 0};
    if (key < sizeof piece.key) {
        memcpy(piece.key, text, key);
        piece.key[key] = '\0';
    }
    if (equals != NULL) {
        piece.value = equals + 1;
        piece.value_length = length - key - 1;
    }
    return piece;
}

tarn_status tn_torch_read_pool(tarn_pool_desc *desc, char why[TN_TORCH_TEXT]) {
    const char *text = getenv("TARN_TORCH_POOL");
    desc->kind = TARN_POOL_EXPANDABLE;
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        struct piece piece = split(text, length);
        if (!apply(&piece, desc)) {
            (void)snprintf(why, TN_TORCH_TEXT,
                           "TARN_TORCH_POOL: \"%.*s\" is none of expandable, segments, limit=SIZE, "
                           "slack=PERMILLE, page=SIZE, segment=SIZE, strict",
                           (int)length, text);
            return TARN_BAD_CONFIG;
        }
        text += length;
        text += *text == ',';
    }
    return TARN_OK;
}
