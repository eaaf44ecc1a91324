// SPDX-License-Identifier: Apache-2.0
// The quirks that a platform asks for: the option quirk= and the environment variable TARN_QUIRK,
// lists of NAME or NAME:VALUE. Each becomes a layer; see quirk.h. No state.
#include "backend/layer/quirk.h"

#include <string.h>

#include "backend/layer/grammars.h"
#include "backend/layer/kinds.h"
#include "base/error.h"

static const struct quirk_row {
    const char *name, *fallback;
    void (*install)(struct tn_quirk *quirk);
    unsigned fields;
} rows[] = {
#define NONE                                0
#define ROW(id, name, kind, fallback, help) {name, fallback, tn_quirk_##id, kind},
#define CALLS                               TN_FAIL_CALLS
#define SIZE                                TN_FAIL_SIZE
#define TIME                                TN_FAIL_TIME
    TN_QUIRKS(ROW)};

static const struct quirk_row *quirk_row(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static bool find_quirk(const char *name, struct tn_fail_word *word) {
    const struct quirk_row *row = quirk_row(name);
    if (row != NULL) {
        const char *fallback = row->fallback[0] != '\0' ? row->fallback : NULL;
        *word = (struct tn_fail_word){.name = row->name,
                                      .fields = row->fields,
                                      .facts = TN_FAIL_FACTS_BOTH,
                                      .fallback = fallback};
    }
    return row != NULL;
}

#define NAME(id, name, ...) " " name
const struct tn_fail_grammar tn_quirk_grammar = {
    "quirk", "unknown; the quirks are:" TN_QUIRKS(NAME), find_quirk};

// ---- layers

static void release_quirk(struct tn_layer *layer) {
    struct tn_quirk *quirk = (struct tn_quirk *)(void *)layer;
    tn_interval_fini(&quirk->ranges);
    tn_interval_fini(&quirk->spaces);
    tn_mutex_fini(&quirk->lock);
}

static tarn_status add_quirk(const struct tn_fail_spec *spec, const char *source,
                             struct tn_layered *layered) {
    struct tn_quirk *quirk = (struct tn_quirk *)(void *)tn_layer_new(sizeof *quirk);
    if (quirk == NULL) return TARN_NO_HOST_MEMORY;
    const struct quirk_row *row = quirk_row(spec->name);
    quirk->name = row->name;
    memcpy(&quirk->spec, spec, sizeof *spec);
    tn_mutex_init(&quirk->lock, TN_RANK_LAYER, "quirk");
    tn_interval_init(&quirk->ranges);
    tn_interval_init(&quirk->spaces);
    row->install(quirk);
    tn_layer_push(layered, &tn_layer_quirk, &quirk->layer, spec->text, source);
    return TARN_OK;
}

static tarn_status add_quirks(const struct tn_fail_set *set, const char *text, const char *source,
                              struct tn_layered *layered) {
    (void)text;
    for (unsigned i = 0; i < set->count; i++) TN_TRY(add_quirk(&set->specs[i], source, layered));
    return TARN_OK;
}

const struct tn_layer_kind tn_layer_quirk = {
    .key = "quirk",
    .variable = "TARN_QUIRK",
    .help = "defects of real stacks: NAME or NAME:VALUE; see `tarn info --quirks`",
    .grammar = &tn_quirk_grammar,
    .add = add_quirks,
    .release = release_quirk,
};
