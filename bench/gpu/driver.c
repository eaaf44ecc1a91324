// SPDX-License-Identifier: Apache-2.0
// Opens the vendor's driver: see driver.h.
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void find_calls(struct driver *driver, void *library) {
#define FIND(field, symbol, parameters)                                                            \
    {                                                                                              \
        void *found = dlsym(library, symbol);                                                      \
        memcpy(&driver->field, &found, sizeof found);                                              \
    }
    DRIVER_CALLS(FIND)
#undef FIND
}

static bool begin_stream(struct driver *driver, int ordinal) {
    void *context = NULL;
    if (driver->init == NULL || driver->device_get == NULL || driver->retain == NULL ||
        driver->push_context == NULL || driver->stream_create == NULL ||
        driver->stream_synchronize == NULL)
        return false;
    return driver->init(0) == 0 && driver->device_get(&driver->device, ordinal) == 0 &&
           driver->retain(&context, driver->device) == 0 && driver->push_context(context) == 0 &&
           driver->stream_create(&driver->stream, 1 /* does not wait for the default stream */) ==
               0;
}

// Freed memory stays in the driver's pool, as with a framework.
static void keep_freed_memory(const struct driver *driver) {
    uint64_t threshold = UINT64_MAX;
    void *pool = NULL;
    if (driver->default_pool != NULL && driver->pool_set != NULL &&
        driver->default_pool(&pool, driver->device) == 0)
        (void)driver->pool_set(pool, CU_POOL_RELEASE_THRESHOLD, &threshold);
}

void driver_open(struct driver *driver, int ordinal) {
    memset(driver, 0, sizeof *driver);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    find_calls(driver, library);
    driver->there = begin_stream(driver, ordinal);
    if (driver->there) keep_freed_memory(driver);
}
