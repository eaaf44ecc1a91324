// SPDX-License-Identifier: Apache-2.0
// The backends that are registered in this process. Registration copies a table and fills absent
// slots with stubs, so every slot can be called.
#pragma once

#include <tarn/backend.h>

// Returns the backend of that name, or NULL if there is none. It is never freed.
const tarn_backend *tn_backend_find(const char *name, size_t length);

// Checks the options that the environment has for the library's own backends, also for those that the
// process does not use. BAD_CONFIG: a variable has a bad value.
tarn_status tn_backend_check_environment(void);
