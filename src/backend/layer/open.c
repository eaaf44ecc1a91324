// SPDX-License-Identifier: Apache-2.0
// Opens a platform with its layers; see layer.h. No state.
#include <stdlib.h>
#include <string.h>

#include "backend/layer/kinds.h"
#include "base/error.h"
#include "base/variable.h"

// ---- options

static const struct tn_layer_kind *const kinds[] = {
#define KIND(kind) &tn_layer_##kind,
    TN_LAYER_KINDS(KIND)};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

// Moves the values of the layers' options from `rest` to `values`; the others stay.
static tarn_status split_options(char *rest, char values[KINDS][TN_LAYER_VALUE]) {
    char *kept = rest;
    for (char *piece = rest; *piece != '\0';) {
        size_t length = strcspn(piece, ",");
        size_t whole = length + (piece[length] == ',');
        size_t kind = 0, key = strcspn(piece, "=,");
        while (kind < KINDS && (strlen(kinds[kind]->key) != key || piece[key] != '=' ||
                                memcmp(kinds[kind]->key, piece, key) != 0))
            kind++;
        if (kind == KINDS) {
            memmove(kept, piece, whole);
            kept += whole;
        } else if (values[kind][0] != '\0' || length == key + 1 ||
                   length - key > TN_LAYER_VALUE - 1) {
            return tn_fail(TARN_BAD_CONFIG, "\"%.*s\": the option is empty, too long or repeated",
                           (int)length, piece);
        } else {
            memcpy(values[kind], piece + key + 1, length - key - 1);
        }
        piece += whole;
    }
    kept -= kept > rest && kept[-1] == ','; // the piece behind it was removed
    *kept = '\0';
    return TARN_OK;
}

// ---- opening

static tarn_status add_layers(const struct tn_layer_kind *kind, const char *text,
                              const char *source, struct tn_layered *layered) {
    struct tn_fail_set set;
    TN_TRY(tn_fail_parse(text, kind->grammar, &set));
    return kind->add(&set, text, source, layered);
}

// The text of a failure names the variable.
static tarn_status add_from_environment(const struct tn_layer_kind *kind,
                                        struct tn_layered *layered) {
    tarn_status status = add_layers(kind, tn_variable_text(kind->variable), "environment", layered);
    tarn_error error;
    if (status != TARN_BAD_CONFIG) return status;
    (void)tarn_last_error(&error);
    return tn_fail(status, "environment variable %s: %s", kind->variable, error.message);
}

static tarn_status open_layers(const tarn_backend *backend, const char *options,
                               char values[KINDS][TN_LAYER_VALUE], struct tn_layered *layered) {
    struct tn_layered own = {.ops = backend};
    TN_TRY(backend->platform_open(options, &own.p));
    own.owner = own.p;
    for (size_t i = 0; i < KINDS; i++) {
        const char *variable = kinds[i]->variable;
        tarn_status status = TARN_OK;
        if (variable != NULL) status = add_from_environment(kinds[i], &own);
        if (status == TARN_OK) status = add_layers(kinds[i], values[i], "uri", &own);
        if (status != TARN_OK) {
            own.ops->platform_close(own.p);
            return status;
        }
    }
    *layered = own;
    return TARN_OK;
}

tarn_status tn_layer_open(const tarn_backend *backend, const char *options,
                          struct tn_layered *layered) {
    char values[KINDS][TN_LAYER_VALUE] = {{0}};
    char *rest = strdup(options);
    TN_REFUSE(rest == NULL, TARN_NO_HOST_MEMORY, "no host memory for a copy of \"%s\"", options);
    tarn_status status = split_options(rest, values);
    if (status == TARN_OK) status = open_layers(backend, rest, values, layered);
    free(rest);
    return status;
}
