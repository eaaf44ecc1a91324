// SPDX-License-Identifier: Apache-2.0
// Words that callers told, kept once each and for ever, so that a report may print them when the
// thing itself is gone. The model's lock guards them.
#ifndef TARN_CHECK_INTERN_H
#define TARN_CHECK_INTERN_H

// The kept copy; NULL stays NULL.
const char *tn_check_intern(const char *name);

#endif
