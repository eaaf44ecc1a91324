// SPDX-License-Identifier: Apache-2.0
// The C library's own dlsym(), for this library, which replaces it in the program. Any thread.
#ifndef TARN_RECORD_NEXT_H
#define TARN_RECORD_NEXT_H

typedef void *(*tn_record_dlsym)(void *handle, const char *symbol);

// Returns the C library's function, or NULL if it has none.
tn_record_dlsym tn_record_next_dlsym(void);

#endif
