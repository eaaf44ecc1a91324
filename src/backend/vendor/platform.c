// SPDX-License-Identifier: Apache-2.0
// Opens a vendor's library and a platform of its devices, and answers queries about a platform.
// Libraries stay loaded until the process ends. `lock` guards their list. Everything else here
// belongs to the thread that opens or closes the platform, or is constant while it is open.
#include "backend/vendor/vendor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/vendor/environment.h"
#include "base/error.h"

// ---- loaded libraries

struct tn_vendor_loaded {
    struct tn_vendor_loaded *next;
    const struct tn_library *library;
    pid_t pid;                      // the process that loaded it: a child of fork() loads it again
    struct tn_vendor_driver driver; // as load() left it
    void *d;
    unsigned platforms; // that use it
};

static struct tn_mutex lock = TN_MUTEX(BACKEND, "drivers"); // guards the list, and `platforms`
static struct tn_vendor_loaded *all;

tarn_status tn_vendor_resolve(struct tn_vendor_driver *driver, const struct tn_library *library,
                              const char *noun, const struct tn_symbol *symbols, size_t count,
                              size_t bytes, void **d) {
    static void (*const none)(void) = NULL;
    void *functions = calloc(1, bytes);
    TN_REFUSE(functions == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the functions of %s",
              noun);
    tarn_status status = tn_library_resolve(driver->name, library, symbols, count, functions);
    if (status != TARN_OK) {
        free(functions);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        if (symbols[i].optional >= TN_VENDOR_FOR(device_count) &&
            memcmp((char *)functions + symbols[i].offset, &none, sizeof none) == 0)
            memcpy((char *)driver + symbols[i].optional, &none, sizeof none);
    if (driver->export == NULL || driver->import == NULL) {
        driver->export = NULL;
        driver->import = NULL;
        driver->shareable = 0;
    }
    *d = functions;
    return TARN_OK;
}

// Under the lock. Finds the loaded library, or loads it.
static tarn_status load_locked(const struct tn_vendor_driver *driver,
                               const struct tn_library *library, struct tn_vendor_loaded **out) {
    struct tn_vendor_loaded *it = all;
    while (it != NULL && (it->library != library || it->pid != getpid() ||
                          strcmp(it->driver.name, driver->name) != 0))
        it = it->next;
    if (it == NULL) {
        it = calloc(1, sizeof *it);
        TN_REFUSE(it == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a driver");
        *it = (struct tn_vendor_loaded){all, library, getpid(), *driver, NULL, 0};
        tarn_status status = driver->load(library, &it->driver, &it->d);
        if (status != TARN_OK) {
            free(it);
            return status;
        }
        all = it;
    }
    it->platforms++;
    *out = it;
    return TARN_OK;
}

static tarn_status load_library(struct tn_vendor *vendor, const struct tn_vendor_driver *driver) {
    const char *path = vendor->config.library;
    if (path[0] == '\0') path = secure_getenv(driver->library_variable);
    TN_TRY(tn_library_open(driver->name, path, driver->sonames, driver->symbol, &vendor->library));
    tn_mutex_lock(&lock);
    tarn_status status = load_locked(driver, vendor->library, &vendor->loaded);
    tn_mutex_unlock(&lock);
    if (status == TARN_OK) {
        vendor->driver = &vendor->loaded->driver;
        vendor->d = vendor->loaded->d;
        (void)snprintf(vendor->version, sizeof vendor->version, "%u",
                       (unsigned)vendor->driver->version);
    }
    return status;
}

// ---- options

#define FIELD(name) .key = #name, .offset = offsetof(struct tn_vendor_config, name)

static const struct tn_option table[] = {
    {FIELD(library), .kind = TN_OPTION_PATH, .fallback = "",
     .help = "path of the vendor's library; empty: try the usual names"},
    {FIELD(memory), .kind = TN_OPTION_SIZE, .fallback = "0",
     .help = "memory limit of each device; 0: no limit"},
    {FIELD(granularity), .kind = TN_OPTION_SIZE, .fallback = "0",
     .help = "minimum granularity; 0: the device's own"},
    {FIELD(ordered), .kind = TN_OPTION_BOOL, .fallback = "no",
     .help =
         "allocate plain memory from the library's stream-ordered pool, which keeps freed memory"},
};
enum { OPTIONS = sizeof table / sizeof table[0] };

static tarn_status read_options(struct tn_vendor *vendor, const struct tn_vendor_driver *driver,
                                const char *text) {
    tn_options_init(&vendor->options, driver->name, table, OPTIONS, &vendor->config);
    tarn_status status = tn_options_apply_environment(&vendor->options, driver->options_variable);
    if (status == TARN_OK) status = tn_options_apply(&vendor->options, text, TN_ORIGIN_URI);
    uint64_t g = vendor->config.granularity;
    TN_REFUSE(status == TARN_OK && (g & (g - 1)) != 0, TARN_BAD_CONFIG,
              "%s: granularity=%llu is not a power of two", driver->name, (unsigned long long)g);
    return status;
}

tarn_status tn_vendor_check_environment(const char *variable) {
    struct tn_vendor_config config;
    struct tn_options options;
    return tn_options_check_environment(&options, "vendor", variable, table, OPTIONS, &config);
}

// ---- opening

static tarn_status probe_devices(struct tn_vendor *vendor) {
    int count = 0;
    tarn_status status =
        tn_vendor_status(vendor, vendor->driver->device_count(vendor->d, &count), TARN_NATIVE,
                         TARN_NATIVE, "%s has no usable device", vendor->library->path);
    if (status == TARN_OK && count < 1)
        status = tn_fail(TARN_BAD_DEVICE, "%s: %s is loaded and has no device",
                         vendor->driver->name, vendor->library->path);
    if (status != TARN_OK) return status;
    vendor->count = count < TN_VENDOR_DEVICES_MAX ? count : TN_VENDOR_DEVICES_MAX;
    for (int i = 0; i < vendor->count && status == TARN_OK; i++) {
        status = tn_vendor_probe(vendor, i);
        if (vendor->devices[i].info.granularity_minimum > vendor->granularity)
            vendor->granularity = vendor->devices[i].info.granularity_minimum;
    }
    return status;
}

void tn_vendor_platform_close(void *p) {
    struct tn_vendor *vendor = p;
    while (vendor->streams != NULL) tn_vendor_stream_release(vendor->streams);
    for (int i = 0; i < vendor->count; i++) tn_vendor_pool_close(vendor, i);
    tn_vendor_calls_fini(&vendor->calls);
    tn_vendor_ranges_fini(vendor);
    tn_mutex_fini(&vendor->lock);
    struct tn_vendor_loaded *loaded = vendor->loaded;
    if (loaded != NULL) {
        tn_mutex_lock(&lock);
        if (--loaded->platforms == 0 && loaded->driver.idle != NULL)
            loaded->driver.idle(loaded->d); // releases the resources of platforms
        tn_mutex_unlock(&lock);
    }
    free(vendor);
}

tarn_status tn_vendor_open(const struct tn_vendor_driver *driver, const char *options, void **p) {
    struct tn_vendor *vendor = calloc(1, sizeof *vendor);
    TN_REFUSE(vendor == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a platform");
    tn_mutex_init(&vendor->lock, TN_RANK_BACKEND, "platform of a vendor");
    tn_interval_init(&vendor->ranges);
    tn_interval_init(&vendor->maps);
    tn_vendor_calls_init(&vendor->calls);
    tarn_status status = read_options(vendor, driver, options);
    if (status == TARN_OK) status = load_library(vendor, driver);
    if (status == TARN_OK) status = probe_devices(vendor);
    if (status == TARN_OK)
        *p = vendor;
    else
        tn_vendor_platform_close(vendor);
    return status;
}

// ---- queries

enum { PLAIN_UNIT = 4096 }; // the granularity of a device without virtual memory

int tn_vendor_device_count(void *p) { return ((const struct tn_vendor *)p)->count; }

tarn_status tn_vendor_caps(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_vendor *vendor = p;
    const struct tn_vendor_device *it = &vendor->devices[device];
    bool vmm = (it->features & TARN_FEATURE_VMM) != 0;
    *caps = (tarn_backend_caps){
        .struct_size = sizeof *caps,
        .memory_bytes = it->total,
        .granularity_minimum = vmm ? it->info.granularity_minimum : PLAIN_UNIT,
        .granularity_recommended = vmm ? it->info.granularity_recommended : PLAIN_UNIT,
        .features = it->features,
        .shareable = it->shareable,
        .caps = TARN_CAP_LATE_RECORDS | (vendor->driver->spans ? TARN_CAP_SPANS : 0u),
    };
    memcpy(caps->name, it->info.name, sizeof caps->name);
    return TARN_OK;
}

// The settings are the options, followed by facts that were found while opening.
tarn_status tn_vendor_setting(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_vendor *vendor = p;
    const tarn_setting facts[] = {
        {"found", vendor->library->path, "library", "the library that was opened"},
        {"version", vendor->version, "library", "its version, in the vendor's format"},
        {"vmm", vendor->devices[0].vmm, "library",
         "virtual memory of the first device, tried while opening"},
    };
    if (index >= OPTIONS + sizeof facts / sizeof facts[0]) return TARN_BAD_ARGUMENT;
    if (index >= OPTIONS) {
        *setting = facts[index - OPTIONS];
        return TARN_OK;
    }
    *setting = (tarn_setting){.key = table[index].key,
                              .value = tn_options_text(&vendor->options, index),
                              .source = tn_options_source(&vendor->options, index),
                              .help = table[index].help};
    return TARN_OK;
}

tarn_status tn_vendor_memory_info(void *p, int device, uint64_t *free_bytes,
                                  uint64_t *total_bytes) {
    struct tn_vendor *vendor = p;
    const struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t left = 0;
    uint64_t total = 0;
    struct tn_native answer = TN_VENDOR_CALL(vendor, device, memory_info, &left, &total);
    TN_TRY(
        tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE, "memory of device %d", device));
    uint64_t used = tn_load_relaxed(&it->used);
    uint64_t limit = used < it->total ? it->total - used : 0;
    *free_bytes = vendor->config.memory != 0 && limit < left ? limit : left;
    *total_bytes = it->total;
    return TARN_OK;
}

tarn_status tn_vendor_check(void *p) {
    struct tn_vendor *vendor = p;
    TN_LOCKED(&vendor->lock);
    bool intact = tn_interval_check(&vendor->ranges) && tn_interval_check(&vendor->maps);
    return intact ? TARN_OK
                  : tn_fail(TARN_CORRUPT, "%s: the table of ranges or of mappings is damaged",
                            vendor->driver->name);
}

// ---- fork

void tn_vendor_fork_prepare(void *p) { tn_mutex_lock_for_fork(&((struct tn_vendor *)p)->lock); }

void tn_vendor_fork_done(void *p) { tn_mutex_unlock_after_fork(&((struct tn_vendor *)p)->lock); }
