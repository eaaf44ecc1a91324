// SPDX-License-Identifier: Apache-2.0
// Every kind of report, in one list: its name, how grave it is, what it means, an example, the
// usual cure. The reports, `tarn check --explain` and docs/check.md all come from here. Constant.
#ifndef TARN_CHECK_KINDS_H
#define TARN_CHECK_KINDS_H

// X(IDENTIFIER, "name", severity, "what it means", "example", "cure")
#define TN_KIND_LIST(X)                                                                            \
    X(HEAP_OVERFLOW, "heap-overflow", ERROR, "an access runs over the end of a live region",       \
      "memset(block, 0, size + 8)", "give the size that was asked for, not a rounded one")

#define TN_KIND_ENUM(identifier, ...) TN_KIND_##identifier,
enum tn_kind { TN_KIND_LIST(TN_KIND_ENUM) TN_KIND_COUNT };
#undef TN_KIND_ENUM

enum tn_severity { TN_SEVERITY_NOTE, TN_SEVERITY_WARN, TN_SEVERITY_ERROR };

#endif
