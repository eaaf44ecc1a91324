// SPDX-License-Identifier: Apache-2.0
// Interned strings: one copy of each, kept forever, so that a report can name things that have
// ended. The model's lock guards the table.
#ifndef TARN_CHECK_INTERN_H
#define TARN_CHECK_INTERN_H

// Returns the copy; NULL for NULL.
const char *tn_check_intern(const char *name);

#endif
