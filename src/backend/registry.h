// SPDX-License-Identifier: Apache-2.0
// The backends this process knows. Tables are copied in and completed with stubs when they are
// registered, so that no caller ever meets a NULL slot.
#ifndef TARN_BACKEND_REGISTRY_H
#define TARN_BACKEND_REGISTRY_H

#include <tarn/backend.h>

// The backend of that name, complete; NULL when there is none. Valid for ever.
const tarn_backend *tn_backend_find(const char *name, size_t length);

#endif
