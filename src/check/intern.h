// SPDX-License-Identifier: Apache-2.0
// Interned strings: one copy of each, never freed, so that a report can name heaps and regions that
// have ended. The model's lock guards the table.
#ifndef TARN_CHECK_INTERN_H
#define TARN_CHECK_INTERN_H

// Returns the copy, or NULL for NULL.
const char *tn_check_intern(const char *name);

#endif
