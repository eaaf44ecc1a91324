// SPDX-License-Identifier: Apache-2.0
// What a device can do, found by doing it once with a granule: attributes have promised too much
// before. What was made is taken back; a device whose virtual memory fails is used without it.
#include <stdio.h>
#include <unistd.h>

#include "backend/card/card.h"
#include "base/error.h"

// One granule on its way: what exists of it is undone at the end.
struct trial {
    struct tn_card *card;
    int device;
    uint64_t unit;
    tarn_addr addr;  // two granules; 0: none
    uint64_t handle; // if `created`
    bool created;
    bool mapped[2];
};

static struct tn_native try_reserve(struct trial *trial) {
    return trial->card->driver->reserve(trial->card->d, 2 * trial->unit, trial->unit, 0,
                                        &trial->addr);
}

static struct tn_native try_create(struct trial *trial) {
    const struct tn_card_wish wish = {.bytes = trial->unit, .device = trial->device};
    struct tn_native answer = trial->card->driver->create(trial->card->d, &wish, &trial->handle);
    trial->created = tn_card_good(answer);
    return answer;
}

static struct tn_native try_map(struct trial *trial, unsigned at) {
    const struct tn_card_driver *driver = trial->card->driver;
    tarn_addr addr = trial->addr + at * trial->unit;
    struct tn_native answer = driver->map(trial->card->d, addr, trial->unit, trial->handle);
    trial->mapped[at] = tn_card_good(answer);
    if (trial->mapped[at] && driver->verify_maps) {
        answer = driver->is_mapped(trial->card->d, addr);
    }
    return answer;
}

static struct tn_native try_right(struct trial *trial, bool host) {
    const struct tn_card_driver *driver = trial->card->driver;
    const struct tn_card_right right = {host, host ? -1 : trial->device, TARN_ACCESS_READ_WRITE};
    return driver->set_access == NULL || (driver->grants_owner && !host)
               ? TN_NATIVE_GOOD
               : driver->set_access(trial->card->d, trial->addr, trial->unit, &right, 1);
}

static struct tn_native try_unmap(struct trial *trial, unsigned at) {
    struct tn_native answer =
        trial->card->driver->unmap(trial->card->d, trial->addr + at * trial->unit, trial->unit);
    trial->mapped[at] = false;
    return answer;
}

static void end(struct trial *trial) {
    const struct tn_card_driver *driver = trial->card->driver;
    for (unsigned at = 0; at < 2; at++) {
        if (trial->mapped[at]) {
            (void)try_unmap(trial, at);
        }
    }
    if (trial->created) {
        (void)driver->destroy(trial->card->d, trial->handle);
    }
    if (trial->addr != 0) {
        (void)driver->unreserve(trial->card->d, trial->addr, 2 * trial->unit);
    }
}

// ---- the parts

static struct tn_native try_vmm(struct trial *trial) {
    struct tn_native answer = try_reserve(trial);
    if (tn_card_good(answer)) {
        answer = try_create(trial);
    }
    if (tn_card_good(answer)) {
        answer = try_map(trial, 0);
    }
    if (tn_card_good(answer)) {
        answer = try_right(trial, false);
    }
    return answer;
}

static uint32_t habits(const struct tn_card_driver *driver) {
    return (driver->whole_maps ? 0u : TARN_FEATURE_PARTIAL) |
           (driver->one_owner ? 0u : TARN_FEATURE_MIXED) |
           (driver->full_rights_only ? 0u : TARN_FEATURE_RIGHTS);
}

static uint32_t try_extras(struct trial *trial) {
    uint32_t possible = trial->card->driver->features_possible;
    uint32_t features = 0;
    if (tn_card_good(try_map(trial, 1))) {
        features |= TARN_FEATURE_ALIAS;
        (void)try_unmap(trial, 1);
    }
    if ((possible & TARN_FEATURE_HOST_ACCESS) != 0 && trial->card->driver->set_access != NULL &&
        tn_card_good(try_right(trial, true))) {
        features |= TARN_FEATURE_HOST_ACCESS;
    }
    return features | habits(trial->card->driver);
}

static bool can_host_phys(struct tn_card *card, uint64_t unit) {
    const struct tn_card_wish wish = {.bytes = unit, .host = true, .device = -1};
    uint64_t handle = 0;
    if ((card->driver->features_possible & TARN_FEATURE_HOST_PHYS) == 0 ||
        !tn_card_good(card->driver->create(card->d, &wish, &handle))) {
        return false;
    }
    (void)card->driver->destroy(card->d, handle);
    return true;
}

static uint32_t probe_vmm(struct tn_card *card, int device) {
    struct tn_card_device *it = &card->devices[device];
    struct trial trial = {.card = card, .device = device};
    trial.unit = it->about.granularity_minimum;
    if (card->driver->reserve == NULL || trial.unit == 0) {
        (void)snprintf(it->vmm, sizeof it->vmm, "not in this version");
        return 0;
    }
    uint32_t features = 0;
    struct tn_native answer = try_vmm(&trial);
    if (tn_card_good(answer)) {
        (void)snprintf(it->vmm, sizeof it->vmm, "works");
        features = TARN_FEATURE_VMM | try_extras(&trial);
        features |= can_host_phys(card, trial.unit) ? TARN_FEATURE_HOST_PHYS : 0u;
    } else {
        (void)snprintf(it->vmm, sizeof it->vmm, "%s: %s (%lld)", answer.call,
                       card->driver->error_name(card->d, answer.code), (long long)answer.code);
    }
    end(&trial);
    return features;
}

// A granule on its way out and back in. A token is believed: its import may be another process's.
static uint32_t probe_sharing(struct tn_card *card, int device) {
    const struct tn_card_driver *driver = card->driver;
    const struct tn_card_wish wish = {.bytes = card->devices[device].about.granularity_minimum,
                                      .device = device,
                                      .shareable = true};
    tarn_shareable out = {TARN_SHAREABLE_FD, -1, 0};
    uint64_t handle = 0;
    uint64_t twin = 0;
    if (driver->import == NULL || driver->shareable != TARN_SHAREABLE_FD) {
        return driver->import != NULL ? driver->shareable : 0;
    }
    if (!tn_card_good(driver->create(card->d, &wish, &handle))) {
        return 0;
    }
    bool good = tn_card_good(driver->export(card->d, handle, &out));
    if (good) {
        good = tn_card_good(driver->import(card->d, device, &out, &twin));
        (void)close(out.fd);
    }
    if (good) {
        (void)driver->destroy(card->d, twin);
    }
    (void)driver->destroy(card->d, handle);
    return good ? driver->shareable : 0;
}

static uint32_t probe_peers(struct tn_card *card, int device) {
    for (int i = 0; i < card->count; i++) {
        if (tn_card_peer_can(card, device, i)) {
            return TARN_FEATURE_PEER;
        }
    }
    return 0;
}

// ---- all of it, with the device current

static tarn_status ask(struct tn_card *card, int device) {
    struct tn_card_device *it = &card->devices[device];
    uint64_t left = 0;
    struct tn_native answer = card->driver->about(card->d, device, &it->about);
    if (tn_card_good(answer)) {
        answer = card->driver->memory_info(card->d, &left, &it->total);
    }
    return tn_card_good(answer) ? TARN_OK
                                : tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                               "asking what device %d is", device);
}

static tarn_status apply_config(struct tn_card *card, int device) {
    struct tn_card_device *it = &card->devices[device];
    uint64_t wish = card->config.granularity;
    if (card->config.memory != 0 && card->config.memory < it->total) {
        it->total = card->config.memory;
    }
    if (wish != 0 && wish < it->about.granularity_minimum) {
        return tn_fail(TARN_UNSUPPORTED,
                       "%s:%d: granularity=0x%llx is below the device's own, 0x%llx",
                       card->driver->name, device, (unsigned long long)wish,
                       (unsigned long long)it->about.granularity_minimum);
    }
    if (wish != 0) {
        it->about.granularity_minimum = wish;
    }
    if (it->about.granularity_recommended < it->about.granularity_minimum) {
        it->about.granularity_recommended = it->about.granularity_minimum;
    }
    return TARN_OK;
}

tarn_status tn_card_probe(struct tn_card *card, int device) {
    struct tn_card_device *it = &card->devices[device];
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    status = ask(card, device);
    if (status == TARN_OK) {
        status = apply_config(card, device);
    }
    if (status == TARN_OK) {
        it->features = TARN_FEATURE_BYTES | TARN_FEATURE_ASYNC | probe_vmm(card, device) |
                       probe_peers(card, device);
        it->shareable = (it->features & TARN_FEATURE_VMM) != 0 ? probe_sharing(card, device) : 0u;
        it->features |= card->driver->host_alloc != NULL ? TARN_FEATURE_PINNED : 0u;
    }
    if (status == TARN_OK) {
        status = tn_card_ordered_open(card, device);
    }
    tn_card_end(&turn);
    return status;
}
