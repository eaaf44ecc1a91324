// SPDX-License-Identifier: Apache-2.0
// Opening a vendor's library and a platform of its devices, and what is asked about a platform.
#include "backend/card/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

// ---- libraries that were loaded: for good, each process its own

struct tn_card_loaded {
    struct tn_card_loaded *next;
    const struct tn_library *library;
    pid_t pid;                    // who loaded it: a child of fork() has to begin anew
    struct tn_card_driver driver; // as load() left it
    void *d;
    unsigned platforms; // that use it
};

static struct tn_mutex lock = TN_MUTEX(BACKEND, "drivers"); // guards the list, and `platforms`
static struct tn_card_loaded *all;

static struct tn_card_loaded *find_loaded(const struct tn_library *library, const char *name) {
    struct tn_card_loaded *it = all;
    while (it != NULL &&
           (it->library != library || it->pid != getpid() || strcmp(it->driver.name, name) != 0)) {
        it = it->next;
    }
    return it;
}

static tarn_status load_locked(const struct tn_card_driver *driver,
                               const struct tn_library *library, struct tn_card_loaded **out) {
    struct tn_card_loaded *it = find_loaded(library, driver->name);
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

static tarn_status load(struct tn_card *card, const struct tn_card_driver *driver) {
    struct tn_card_loaded *loaded = NULL;
    const char *path = card->config.library;
    if (path[0] == '\0') {
        path = secure_getenv(driver->library_variable);
    }
    tarn_status status =
        tn_library_open(driver->name, path, driver->sonames, driver->symbol, &card->library);
    if (status != TARN_OK) {
        return status;
    }
    tn_mutex_lock(&lock);
    status = load_locked(driver, card->library, &loaded);
    if (status == TARN_OK) {
        loaded->platforms++;
    }
    tn_mutex_unlock(&lock);
    if (status == TARN_OK) {
        card->loaded = loaded;
        card->driver = &loaded->driver;
        card->d = loaded->d;
        (void)snprintf(card->version, sizeof card->version, "%u", (unsigned)loaded->driver.version);
    }
    return status;
}

// The last platform gone, the library may let go of what it holds on their behalf.
static void unload(struct tn_card_loaded *loaded) {
    tn_mutex_lock(&lock);
    if (--loaded->platforms == 0 && loaded->driver.rest != NULL) {
        loaded->driver.rest(loaded->d);
    }
    tn_mutex_unlock(&lock);
}

// ---- options

#define FIELD(name) .key = #name, .offset = offsetof(struct tn_card_config, name)

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

static tarn_status read_options(struct tn_card *card, const struct tn_card_driver *driver,
                                const char *text) {
    tn_options_init(&card->options, driver->name, table, OPTIONS, &card->config);
    tarn_status status = tn_options_apply_environment(&card->options, driver->options_variable);
    if (status == TARN_OK) {
        status = tn_options_apply(&card->options, text, TN_ORIGIN_URI);
    }
    uint64_t g = card->config.granularity;
    if (status == TARN_OK && (g & (g - 1)) != 0) {
        return tn_fail(TARN_BAD_CONFIG, "%s: granularity=%llu is not a power of two", driver->name,
                       (unsigned long long)g);
    }
    return status;
}

// ---- opening

static tarn_status count_devices(struct tn_card *card) {
    int count = 0;
    struct tn_native answer = card->driver->device_count(card->d, &count);
    if (!tn_card_good(answer)) {
        return tn_card_fail(card, answer, TARN_NATIVE, TARN_NATIVE, "%s has no device to offer",
                            card->library->path);
    }
    if (count < 1) {
        return tn_fail(TARN_BAD_DEVICE, "%s: %s is here and has no device", card->driver->name,
                       card->library->path);
    }
    card->count = count < TN_CARD_DEVICES_MAX ? count : TN_CARD_DEVICES_MAX;
    return TARN_OK;
}

static tarn_status probe_all(struct tn_card *card) {
    tarn_status status = count_devices(card);
    for (int i = 0; i < card->count && status == TARN_OK; i++) {
        status = tn_card_probe(card, i);
        if (card->devices[i].about.granularity_minimum > card->granularity) {
            card->granularity = card->devices[i].about.granularity_minimum;
        }
    }
    return status;
}

static void free_card(struct tn_card *card) {
    while (card->streams != NULL) {
        tn_card_stream_put(card->streams);
    }
    for (int i = 0; i < card->count; i++) {
        tn_card_ordered_close(card, i);
    }
    tn_card_calls_fini(&card->calls);
    tn_card_free_books(card);
    tn_mutex_fini(&card->lock);
    if (card->loaded != NULL) {
        unload(card->loaded);
    }
    free(card);
}

static struct tn_card *new_card(void) {
    struct tn_card *card = calloc(1, sizeof *card);
    if (card == NULL) {
        return NULL;
    }
    tn_mutex_init(&card->lock, TN_RANK_BACKEND, "card");
    tn_interval_init(&card->ranges);
    tn_interval_init(&card->maps);
    tn_card_calls_init(&card->calls);
    return card;
}

tarn_status tn_card_open(const struct tn_card_driver *driver, const char *options, void **p) {
    struct tn_card *card = new_card();
    if (card == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for a platform");
    }
    tarn_status status = read_options(card, driver, options);
    if (status == TARN_OK) {
        status = load(card, driver);
    }
    if (status == TARN_OK) {
        status = probe_all(card);
    }
    if (status != TARN_OK) {
        free_card(card);
        return status;
    }
    *p = card;
    return TARN_OK;
}

void tn_card_close(void *p) {
    free_card(p);
}

// ---- questions

// What plain memory is counted in where there is no other unit.
enum { PLAIN_UNIT = 4096 };

int tn_card_device_count(void *p) {
    return ((const struct tn_card *)p)->count;
}

tarn_status tn_card_caps(void *p, int device, tarn_backend_caps *caps) {
    const struct tn_card *card = p;
    const struct tn_card_device *it = &card->devices[device];
    bool vmm = (it->features & TARN_FEATURE_VMM) != 0;
    *caps = (tarn_backend_caps){
        .struct_size = sizeof *caps,
        .memory_bytes = it->total,
        .granularity_minimum = vmm ? it->about.granularity_minimum : PLAIN_UNIT,
        .granularity_recommended = vmm ? it->about.granularity_recommended : PLAIN_UNIT,
        .features = it->features,
        .shareable = it->shareable,
        .caps = card->driver->spans ? TARN_CAP_SPANS : 0,
    };
    memcpy(caps->name, it->about.name, sizeof caps->name);
    return TARN_OK;
}

// What was found rather than set.
static tarn_status fact(const struct tn_card *card, unsigned index, tarn_setting *setting) {
    const tarn_setting facts[] = {
        {"found", card->library->path, "library", "the library that was opened"},
        {"version", card->version, "library", "its version, as the vendor counts"},
        {"vmm", card->devices[0].vmm, "library",
         "virtual memory of the first device, tried at opening"},
    };
    if (index >= sizeof facts / sizeof facts[0]) {
        return TARN_BAD_ARGUMENT;
    }
    *setting = facts[index];
    return TARN_OK;
}

tarn_status tn_card_setting(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_card *card = p;
    if (index >= OPTIONS) {
        return fact(card, index - OPTIONS, setting);
    }
    *setting = (tarn_setting){.key = table[index].key,
                              .value = tn_options_text(&card->options, index),
                              .source = tn_options_source(&card->options, index),
                              .help = table[index].help};
    return TARN_OK;
}

tarn_status tn_card_memory_info(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    uint64_t left = 0;
    uint64_t total = 0;
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->memory_info(card->d, &left, &total);
    tn_card_end(&turn);
    if (!tn_card_good(answer)) {
        return tn_card_fail(card, answer, TARN_NATIVE, TARN_NATIVE, "memory of device %d", device);
    }
    const struct tn_card_device *it = &card->devices[device];
    uint64_t used = tn_load_relaxed(&it->used);
    if (card->config.memory != 0) {
        uint64_t share = used < it->total ? it->total - used : 0;
        left = left < share ? left : share;
    }
    *free_bytes = left;
    *total_bytes = it->total;
    return TARN_OK;
}

tarn_status tn_card_check(void *p) {
    struct tn_card *card = p;
    tn_mutex_lock(&card->lock);
    bool good = tn_interval_check(&card->ranges) && tn_interval_check(&card->maps);
    tn_mutex_unlock(&card->lock);
    return good ? TARN_OK
                : tn_fail(TARN_CORRUPT, "%s: the table of ranges or of mappings is damaged",
                          card->driver->name);
}

// ---- fork

void tn_card_fork_prepare(void *p) {
    tn_mutex_lock_for_fork(&((struct tn_card *)p)->lock);
}

void tn_card_fork_done(void *p) {
    tn_mutex_unlock_after_fork(&((struct tn_card *)p)->lock);
}
