// SPDX-License-Identifier: Apache-2.0
// The quirks that a platform asks for: the option quirk= and the environment variable TARN_QUIRK,
// lists of NAME or NAME:VALUE. Each becomes a layer; see quirk.h. No state.
#include "backend/layer/quirk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/layer/kinds.h"
#include "base/error.h"
#include "base/options.h"

enum value_kind { NONE, CALLS, SIZE, TIME };

static const struct quirk_row {
    const char *name;
    enum value_kind kind;
    const char *fallback;
    void (*install)(struct tn_quirk *quirk);
} rows[] = {
#define ROW(id, name, kind, fallback, help) {name, kind, fallback, tn_quirk_##id},
    TN_QUIRKS(ROW)
#undef ROW
};

// ---- values

static tarn_status fail_value(const char *text, size_t length, const char *expected) {
    return tn_fail(TARN_BAD_CONFIG, "quirk: \"%.*s\": %s", (int)length, text, expected);
}

static tarn_status parse_calls(const char *text, size_t length, struct tn_quirk *quirk) {
    if (tn_layer_pick_parse(text, length, &quirk->calls) == TARN_OK) {
        return TARN_OK;
    }
    tarn_error error;
    (void)tarn_last_error(&error);
    return fail_value(text, length, error.message);
}

static tarn_status parse_value(const struct quirk_row *row, const char *text, size_t length,
                               struct tn_quirk *quirk) {
    switch (row->kind) {
    case CALLS:
        return parse_calls(text, length, quirk);
    case SIZE:
        return tn_parse_size(text, length, &quirk->number)
                   ? TARN_OK
                   : fail_value(text, length, "expected a size such as 64K or 8G");
    case TIME:
        return tn_parse_duration(text, length, &quirk->number)
                   ? TARN_OK
                   : fail_value(text, length, "expected a duration such as 100us or 2ms");
    case NONE:
    default:
        return length == 0 ? TARN_OK : fail_value(text, length, "this quirk has no value");
    }
}

// ---- the list

static const struct quirk_row *find_quirk(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static tarn_status fail_unknown(const char *name, size_t length) {
#define NAME(id, name, ...) " " name
    return tn_fail(TARN_BAD_CONFIG, "quirk: \"%.*s\" is unknown; the quirks are:" TN_QUIRKS(NAME),
                   (int)length, name);
#undef NAME
}

static void free_quirk(struct tn_quirk *quirk) {
    tn_interval_fini(&quirk->ranges);
    tn_interval_fini(&quirk->spaces);
    tn_mutex_fini(&quirk->lock);
    free(quirk);
}

static void destroy_quirk(struct tn_layer *layer) {
    free_quirk((struct tn_quirk *)(void *)layer);
}

static tarn_status new_quirk(const struct quirk_row *row, const char *value, size_t length,
                             struct tn_quirk **out) {
    struct tn_quirk *quirk = (struct tn_quirk *)(void *)tn_layer_new(sizeof *quirk);
    if (quirk == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    quirk->name = row->name;
    tn_mutex_init(&quirk->lock, TN_RANK_LAYER, "quirk");
    tn_interval_init(&quirk->ranges);
    tn_interval_init(&quirk->spaces);
    row->install(quirk);
    tarn_status status = parse_value(row, value, length, quirk);
    if (status != TARN_OK) {
        free_quirk(quirk);
        return status;
    }
    *out = quirk;
    return TARN_OK;
}

// `text` is NAME or NAME:VALUE.
static tarn_status add_one_quirk(const char *text, size_t length, const char *source,
                                 struct tn_layered *layered) {
    size_t name = strcspn(text, ":;");
    const struct quirk_row *row = find_quirk(text, name);
    struct tn_quirk *quirk = NULL;
    char shown[TN_LAYER_VALUE];
    if (row == NULL) {
        return fail_unknown(text, name);
    }
    TN_TRY(name < length ? new_quirk(row, text + name + 1, length - name - 1, &quirk)
                         : new_quirk(row, row->fallback, strlen(row->fallback), &quirk));
    (void)snprintf(shown, sizeof shown, "%.*s", (int)length, text);
    tn_layer_push(layered, &tn_layer_quirk, &quirk->layer, shown, source);
    return TARN_OK;
}

static tarn_status add_quirks(const char *text, const char *source, struct tn_layered *layered) {
    for (const char *one = text; one != NULL && *one != '\0';) {
        size_t length = strcspn(one, ";");
        TN_TRY(add_one_quirk(one, length, source, layered));
        one += length + (one[length] == ';');
    }
    return TARN_OK;
}

static tarn_status add_quirk(const char *value, struct tn_layered *layered) {
    TN_TRY(add_quirks(secure_getenv("TARN_QUIRK"), "environment", layered));
    return add_quirks(value, "uri", layered);
}

const struct tn_layer_kind tn_layer_quirk = {
    .key = "quirk",
    .help = "defects of real stacks: NAME or NAME:VALUE; see `tarn info --quirks`",
    .add = add_quirk,
    .destroy = destroy_quirk,
};
