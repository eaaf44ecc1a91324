// SPDX-License-Identifier: Apache-2.0
// `tarn check --explain`: prints the kinds of report. One thread.
#include <string.h>

#include "check/report/kinds.h"
#include "tools/check/check.h"
#include "tools/terminal.h"

static void explain_kind(const struct tn_check_kind_text *text) {
    tn_style_print(stdout, TN_STYLE_HEAD, "%s (%s)\n", text->name,
                   tn_check_severity_name(text->severity));
    printf("  %s.\n  Example: %s\n  Cure:    %s.\n", text->meaning, text->example, text->cure);
}

void tn_check_explain(const char *kind) {
    bool list = strcmp(kind, "list") == 0, all = strcmp(kind, "all") == 0;
    unsigned found = tn_check_kind_find(kind);
    if (found < TN_CHECK_KIND_COUNT) explain_kind(&tn_check_kind_texts[found]);
    for (unsigned i = 0; (list || all) && i < TN_CHECK_KIND_COUNT; i++) {
        const struct tn_check_kind_text *text = &tn_check_kind_texts[i];
        if (list)
            printf("%-24s %-6s %s\n", text->name, tn_check_severity_name(text->severity),
                   text->meaning);
        else
            explain_kind(text);
    }
}
