// SPDX-License-Identifier: Apache-2.0
// The table of kinds, out of the list in the header. Constant.
#include "check/kinds.h"

#include <string.h>

#define TEXT(identifier, name, severity, meaning, example, cure)                                   \
    {name, TN_SEVERITY_##severity, meaning, example, cure},
const struct tn_kind_text tn_kind_texts[TN_KIND_COUNT] = {TN_KIND_LIST(TEXT)};
#undef TEXT

const char *tn_severity_name(enum tn_severity severity) {
    static const char *const names[] = {"NOTE", "WARN", "ERROR"};
    return names[severity];
}

enum tn_kind tn_kind_find(const char *name) {
    unsigned kind = 0;
    while (kind < TN_KIND_COUNT && strcmp(tn_kind_texts[kind].name, name) != 0) {
        kind++;
    }
    return (enum tn_kind)kind;
}
