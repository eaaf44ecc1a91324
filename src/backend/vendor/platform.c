// SPDX-License-Identifier: Apache-2.0
// Opening a vendor's library and a platform of its devices, and what is asked about a platform.
#include "backend/vendor/vendor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

// ---- libraries that were loaded: for good, each process its own

struct tn_vendor_loaded {
    struct tn_vendor_loaded *next;
    const struct tn_library *library;
    pid_t pid;                      // who loaded it: a child of fork() has to begin anew
    struct tn_vendor_driver driver; // as load() left it
    void *d;
    unsigned platforms; // that use it
};

static struct tn_mutex lock = TN_MUTEX(BACKEND, "drivers"); // guards the list, and `platforms`
static struct tn_vendor_loaded *all;

static struct tn_vendor_loaded *find_loaded(const struct tn_library *library, const char *name) {
    struct tn_vendor_loaded *it = all;
    while (it != NULL &&
           (it->library != library || it->pid != getpid() || strcmp(it->driver.name, name) != 0)) {
        it = it->next;
    }
    return it;
}

static tarn_status load_locked(const struct tn_vendor_driver *driver,
                               const struct tn_library *library, struct tn_vendor_loaded **out) {
    struct tn_vendor_loaded *it = find_loaded(library, driver->name);
    if (it != NULL) {
        *out = it;
        return TARN_OK;
    }
    it = calloc(1, sizeof *it);
    if (it == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for a driver");
    }
    it->library = library;
    it->pid = getpid();
    it->driver = *driver;
    tarn_status status = driver->load(library, &it->driver, &it->d);
    if (status != TARN_OK) {
        free(it);
        return status;
    }
    it->next = all;
    all = it;
    *out = it;
    return TARN_OK;
}

static tarn_status load(struct tn_vendor *vendor, const struct tn_vendor_driver *driver) {
    struct tn_vendor_loaded *loaded = NULL;
    const char *path = vendor->config.library;
    if (path[0] == '\0') {
        path = secure_getenv(driver->library_variable);
    }
    tarn_status status =
        tn_library_open(driver->name, path, driver->sonames, driver->symbol, &vendor->library);
    if (status != TARN_OK) {
        return status;
    }
    tn_mutex_lock(&lock);
    status = load_locked(driver, vendor->library, &loaded);
    if (status == TARN_OK) {
        loaded->platforms++;
    }
    tn_mutex_unlock(&lock);
    if (status == TARN_OK) {
        vendor->loaded = loaded;
        vendor->driver = &loaded->driver;
        vendor->d = loaded->d;
        (void)snprintf(vendor->version, sizeof vendor->version, "%u",
                       (unsigned)loaded->driver.version);
    }
    return status;
}

// The last platform gone, the library may let go of what it holds on their behalf.
static void unload(struct tn_vendor_loaded *loaded) {
    tn_mutex_lock(&lock);
    if (--loaded->platforms == 0 && loaded->driver.rest != NULL) {
        loaded->driver.rest(loaded->d);
    }
    tn_mutex_unlock(&lock);
}

// ---- options

#define FIELD(name) .key = #name, .offset = offsetof(struct tn_vendor_config, name)

static const struct tn_option table[] = {
    {FIELD(library), .kind = TN_OPTION_PATH, .fallback = "",
     .help = "path of the vendor's library; empty: the usual names"},
    {FIELD(memory), .kind = TN_OPTION_SIZE, .fallback = "0",
     .help = "the most to take of each device; 0: all of it"},
    {FIELD(granularity), .kind = TN_OPTION_SIZE, .fallback = "0",
     .help = "minimum granularity; 0: the device's own"},
    {FIELD(ordered), .kind = TN_OPTION_BOOL, .fallback = "no",
     .help = "plain memory from the library's stream-ordered pool, which keeps what is freed"},
};
enum { OPTIONS = sizeof table / sizeof table[0] };

static tarn_status read_options(struct tn_vendor *vendor, const struct tn_vendor_driver *driver,
                                const char *text) {
    tn_options_init(&vendor->options, driver->name, table, OPTIONS, &vendor->config);
    tarn_status status = tn_options_apply_environment(&vendor->options, driver->options_variable);
    if (status == TARN_OK) {
        status = tn_options_apply(&vendor->options, text, TN_ORIGIN_URI);
    }
    uint64_t g = vendor->config.granularity;
    if (status == TARN_OK && (g & (g - 1)) != 0) {
        return tn_fail(TARN_BAD_CONFIG, "%s: granularity=%llu is not a power of two", driver->name,
                       (unsigned long long)g);
    }
    return status;
}

// ---- opening

static tarn_status count_devices(struct tn_vendor *vendor) {
    int count = 0;
    struct tn_native answer = vendor->driver->device_count(vendor->d, &count);
    if (!tn_native_ok(answer)) {
        return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                "%s has no device to offer", vendor->library->path);
    }
    if (count < 1) {
        return tn_fail(TARN_BAD_DEVICE, "%s: %s is here and has no device", vendor->driver->name,
                       vendor->library->path);
    }
    vendor->count = count < TN_VENDOR_DEVICES_MAX ? count : TN_VENDOR_DEVICES_MAX;
    return TARN_OK;
}

static tarn_status probe_all(struct tn_vendor *vendor) {
    tarn_status status = count_devices(vendor);
    for (int i = 0; i < vendor->count && status == TARN_OK; i++) {
        status = tn_vendor_probe(vendor, i);
        if (vendor->devices[i].about.granularity_minimum > vendor->granularity) {
            vendor->granularity = vendor->devices[i].about.granularity_minimum;
        }
    }
    return status;
}

static void free_vendor(struct tn_vendor *vendor) {
    while (vendor->streams != NULL) {
        tn_vendor_stream_release(vendor->streams);
    }
    for (int i = 0; i < vendor->count; i++) {
        tn_vendor_ordered_close(vendor, i);
    }
    tn_vendor_calls_fini(&vendor->calls);
    tn_vendor_ranges_fini(vendor);
    tn_mutex_fini(&vendor->lock);
    if (vendor->loaded != NULL) {
        unload(vendor->loaded);
    }
    free(vendor);
}

static struct tn_vendor *create_vendor(void) {
    struct tn_vendor *vendor = calloc(1, sizeof *vendor);
    if (vendor == NULL) {
        return NULL;
    }
    tn_mutex_init(&vendor->lock, TN_RANK_BACKEND, "card");
    tn_interval_init(&vendor->ranges);
    tn_interval_init(&vendor->maps);
    tn_vendor_calls_init(&vendor->calls);
    return vendor;
}

tarn_status tn_vendor_open(const struct tn_vendor_driver *driver, const char *options, void **p) {
    struct tn_vendor *vendor = create_vendor();
    if (vendor == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for a platform");
    }
    tarn_status status = read_options(vendor, driver, options);
    if (status == TARN_OK) {
        status = load(vendor, driver);
    }
    if (status == TARN_OK) {
        status = probe_all(vendor);
    }
    if (status != TARN_OK) {
        free_vendor(vendor);
        return status;
    }
    *p = vendor;
    return TARN_OK;
}

void tn_vendor_close(void *p) {
    free_vendor(p);
}

// ---- questions

// What plain memory is counted in where there is no other unit.
enum { PLAIN_UNIT = 4096 };

int tn_vendor_device_count(void *p) {
    return ((const struct tn_vendor *)p)->count;
}

tarn_status tn_vendor_caps(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_vendor *vendor = p;
    const struct tn_vendor_device *it = &vendor->devices[device];
    bool vmm = (it->features & TARN_FEATURE_VMM) != 0;
    *caps = (tarn_backend_caps){
        .struct_size = sizeof *caps,
        .memory_bytes = it->total,
        .granularity_minimum = vmm ? it->about.granularity_minimum : PLAIN_UNIT,
        .granularity_recommended = vmm ? it->about.granularity_recommended : PLAIN_UNIT,
        .features = it->features,
        .shareable = it->shareable,
        .caps = vendor->driver->spans ? TARN_CAP_SPANS : 0,
    };
    memcpy(caps->name, it->about.name, sizeof caps->name);
    return TARN_OK;
}

// What was found rather than set.
static tarn_status fact(const struct tn_vendor *vendor, unsigned index, tarn_setting *setting) {
    const tarn_setting facts[] = {
        {"found", vendor->library->path, "library", "the library that was opened"},
        {"version", vendor->version, "library", "its version, as the vendor counts"},
        {"vmm", vendor->devices[0].vmm, "library",
         "virtual memory of the first device, tried at opening"},
    };
    if (index >= sizeof facts / sizeof facts[0]) {
        return TARN_BAD_ARGUMENT;
    }
    *setting = facts[index];
    return TARN_OK;
}

tarn_status tn_vendor_setting(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_vendor *vendor = p;
    if (index >= OPTIONS) {
        return fact(vendor, index - OPTIONS, setting);
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
    struct tn_vendor_scope scope;
    uint64_t left = 0;
    uint64_t total = 0;
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->memory_info(vendor->d, &left, &total);
    tn_vendor_leave(&scope);
    if (!tn_native_ok(answer)) {
        return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE, "memory of device %d",
                                device);
    }
    const struct tn_vendor_device *it = &vendor->devices[device];
    uint64_t used = tn_load_relaxed(&it->used);
    if (vendor->config.memory != 0) {
        uint64_t share = used < it->total ? it->total - used : 0;
        left = left < share ? left : share;
    }
    *free_bytes = left;
    *total_bytes = it->total;
    return TARN_OK;
}

tarn_status tn_vendor_check(void *p) {
    struct tn_vendor *vendor = p;
    tn_mutex_lock(&vendor->lock);
    bool good = tn_interval_check(&vendor->ranges) && tn_interval_check(&vendor->maps);
    tn_mutex_unlock(&vendor->lock);
    return good ? TARN_OK
                : tn_fail(TARN_CORRUPT, "%s: the table of ranges or of mappings is damaged",
                          vendor->driver->name);
}

// ---- fork

void tn_vendor_fork_prepare(void *p) {
    tn_mutex_lock_for_fork(&((struct tn_vendor *)p)->lock);
}

void tn_vendor_fork_done(void *p) {
    tn_mutex_unlock_after_fork(&((struct tn_vendor *)p)->lock);
}
