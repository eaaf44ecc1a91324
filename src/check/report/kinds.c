// SPDX-License-Identifier: Apache-2.0
// The table of kinds, from the list in the header. Constant.
#include "check/report/kinds.h"

#include <string.h>

#define TEXT(identifier, name, severity, meaning, example, cure)                                   \
    {name, TN_CHECK_SEVERITY_##severity, meaning, example, cure},
const struct tn_check_kind_text tn_check_kind_texts[TN_CHECK_KIND_COUNT] = {
    TN_CHECK_KIND_LIST(TEXT)};

const char *tn_check_severity_name(enum tn_check_severity severity) {
    static const char *const names[] = {"NOTE", "WARN", "ERROR"};
    return names[severity];
}

enum tn_check_kind tn_check_kind_find(const char *name) {
    unsigned kind = 0;
    while (kind < TN_CHECK_KIND_COUNT && strcmp(tn_check_kind_texts[kind].name, name) != 0) kind++;
    return (enum tn_check_kind)kind;
}
