// SPDX-License-Identifier: Apache-2.0
// Physical memory: created, exported, imported. A name is a record of ours, because the vendors'
// handles tell neither the size nor whether they were imported.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/card/card.h"
#include "base/error.h"

static struct tn_card_phys *phys_of(tarn_backend_phys phys) {
    return (struct tn_card_phys *)(uintptr_t)phys;
}

static tarn_status no_record(void) {
    return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of physical memory");
}

static int turn_device(const struct tn_card_phys *phys) {
    return phys->device >= 0 ? phys->device : 0;
}

// ---- create

static tarn_status check_wish(const struct tn_card *card, const tarn_phys_desc *desc) {
    bool host = desc->location.type != TARN_LOCATION_DEVICE;
    uint32_t features = card->devices[host ? 0 : desc->location.id].features;
    if ((features & TARN_FEATURE_VMM) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s: no virtual memory management: %s", card->driver->name,
                       card->devices[host ? 0 : desc->location.id].vmm);
    }
    if (host && (features & TARN_FEATURE_HOST_PHYS) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s creates physical memory on devices only",
                       card->driver->name);
    }
    return TARN_OK;
}

static tarn_status create_native(struct tn_card *card, const struct tn_card_wish *wish,
                                 struct tn_card_phys *phys) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, wish->host ? 0 : wish->device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->create(card->d, wish, &phys->handle);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NATIVE,
                              wish->host ? TARN_NO_HOST_MEMORY : TARN_NO_DEVICE_MEMORY,
                              "0x%llx bytes of physical memory on %s %d",
                              (unsigned long long)wish->bytes, wish->host ? "node" : "device",
                              wish->device);
}

static tarn_status create(struct tn_card *card, const struct tn_card_wish *wish,
                          struct tn_card_phys *phys) {
    if (wish->host) {
        return create_native(card, wish, phys);
    }
    tarn_status status = tn_card_take(card, wish->device, wish->bytes);
    if (status != TARN_OK) {
        return status;
    }
    phys->charged = wish->bytes;
    status = create_native(card, wish, phys);
    if (status != TARN_OK) {
        tn_card_give_back(card, wish->device, wish->bytes);
    }
    return status;
}

tarn_status tn_card_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                tarn_backend_phys *out, tarn_backend_phys_info *info) {
    struct tn_card *card = p;
    bool host = desc->location.type != TARN_LOCATION_DEVICE;
    tarn_status status = check_wish(card, desc);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_card_phys *phys = calloc(1, sizeof *phys);
    if (phys == NULL) {
        return no_record();
    }
    const struct tn_card_wish wish = {
        .bytes = bytes,
        .host = host,
        .device = !host                                            ? desc->location.id
                  : desc->location.type == TARN_LOCATION_HOST_NUMA ? desc->location.id
                                                                   : -1,
        .shareable = desc->shareable != 0,
    };
    phys->names = 1;
    phys->bytes = bytes;
    phys->host = host;
    phys->device = host ? -1 : wish.device;
    status = create(card, &wish, phys);
    if (status != TARN_OK) {
        free(phys);
        return status;
    }
    *info = (tarn_backend_phys_info){.bytes = bytes,
                                     .location = desc->location,
                                     .shareable = desc->shareable,
                                     .usage = desc->usage,
                                     .page_class = desc->page_class};
    *out = (tarn_backend_phys)(uintptr_t)phys;
    return TARN_OK;
}

// Under the lock. Takes it out of the list of those with a token, if it is there.
static void unlist(struct tn_card *card, const struct tn_card_phys *phys) {
    struct tn_card_phys **link = &card->tokens;
    while (*link != NULL && *link != phys) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = phys->next;
    }
}

// One name less. False: others are left.
static bool drop_name(struct tn_card *card, struct tn_card_phys *phys) {
    tn_mutex_lock(&card->lock);
    bool last = --phys->names == 0;
    if (last) {
        unlist(card, phys);
    }
    tn_mutex_unlock(&card->lock);
    return last;
}

void tn_card_phys_destroy(void *p, tarn_backend_phys name) {
    struct tn_card *card = p;
    struct tn_card_phys *phys = phys_of(name);
    struct tn_card_turn turn;
    if (phys->twin != NULL) {
        struct tn_card_phys *twin = phys->twin;
        free(phys);
        phys = twin;
    }
    if (!drop_name(card, phys)) {
        return;
    }
    if (tn_card_begin(card, turn_device(phys), &turn) == TARN_OK) {
        (void)card->driver->destroy(card->d, phys->handle);
        tn_card_end(&turn);
    }
    if (phys->charged != 0) {
        tn_card_give_back(card, phys->device, phys->charged);
    }
    free(phys);
}

// ---- export

// Above the standard streams, and not for programs that this one starts.
static tarn_status settle_fd(int *fd) {
    int wanted = *fd;
    if (wanted > 2) {
        return fcntl(wanted, F_SETFD, FD_CLOEXEC) == 0
                   ? TARN_OK
                   : tn_fail(TARN_SYSTEM, "the exported descriptor %d is not open", wanted);
    }
    int other = fcntl(wanted, F_DUPFD_CLOEXEC, 3);
    (void)close(wanted);
    *fd = other;
    return other >= 0 ? TARN_OK : tn_fail(TARN_NO_HANDLES, "no descriptor above 2 is free");
}

static tarn_status export_native(struct tn_card *card, const struct tn_card_phys *phys,
                                 tarn_shareable *out) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, turn_device(phys), &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->export(card->d, phys->handle, out);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NO_HANDLES, TARN_NO_HANDLES,
                              "export of 0x%llx bytes", (unsigned long long)phys->bytes);
}

// A token is made once, and told again. 0: none yet.
static uint64_t token_of(struct tn_card *card, const struct tn_card_phys *phys) {
    tn_mutex_lock(&card->lock);
    uint64_t token = phys->token;
    tn_mutex_unlock(&card->lock);
    return token;
}

static void note_token(struct tn_card *card, struct tn_card_phys *phys, uint64_t token) {
    tn_mutex_lock(&card->lock);
    if (token != 0 && phys->token == 0) {
        phys->token = token;
        phys->next = card->tokens;
        card->tokens = phys;
    }
    tn_mutex_unlock(&card->lock);
}

tarn_status tn_card_phys_export(void *p, tarn_backend_phys name, uint32_t type,
                                tarn_shareable *out) {
    struct tn_card *card = p;
    struct tn_card_phys *phys = phys_of(name);
    tarn_shareable made = {.type = type, .fd = -1, .token = 0};
    if ((card->driver->shareable & type) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s does not share memory like that", card->driver->name);
    }
    phys = phys->twin != NULL ? phys->twin : phys;
    made.token = token_of(card, phys);
    tarn_status status = made.token != 0 ? TARN_OK : export_native(card, phys, &made);
    if (status == TARN_OK && type == TARN_SHAREABLE_FD) {
        status = settle_fd(&made.fd);
    }
    if (status == TARN_OK) {
        note_token(card, phys, made.token);
        *out = made;
    }
    return status;
}

tarn_status tn_card_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                               size_t count) {
    struct tn_card *card = p;
    if (card->driver->allow == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "%s has no lists of who may import", card->driver->name);
    }
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, 0, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->allow(card->d, exported->token, pids, count);
    tn_card_end(&turn);
    return tn_card_good(answer)
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY,
                              "allowing token 0x%llx", (unsigned long long)exported->token);
}

// ---- import: its size

// Vendors do not say how large imported memory is, so it is mapped at a place of ours to see.
struct measure {
    struct tn_card *card;
    uint64_t handle;
    tarn_addr addr;
    uint64_t room;
};

static bool fits(const struct measure *at, uint64_t bytes) {
    const struct tn_card_driver *driver = at->card->driver;
    void *d = at->card->d;
    if (bytes > at->room || !tn_card_good(driver->map(d, at->addr, bytes, at->handle))) {
        return false;
    }
    bool good = !driver->verify_maps || tn_card_good(driver->is_mapped(d, at->addr));
    (void)driver->unmap(d, at->addr, bytes);
    return good;
}

// The largest multiple of the granularity that can be mapped, by halving.
static uint64_t measure_by_halves(const struct measure *at, uint64_t unit) {
    uint64_t least = 0;
    uint64_t most = 1;
    while (fits(at, most * unit)) {
        least = most;
        most *= 2;
    }
    while (most - least > 1) {
        uint64_t middle = least + (most - least) / 2;
        if (fits(at, middle * unit)) {
            least = middle;
        } else {
            most = middle;
        }
    }
    return least * unit;
}

// The only size that can be mapped, one after the other.
static uint64_t measure_by_steps(const struct measure *at, uint64_t unit) {
    uint64_t bytes = unit;
    while (bytes <= at->room && !fits(at, bytes)) {
        bytes += unit;
    }
    return bytes <= at->room ? bytes : 0;
}

static uint64_t measure(struct measure *at, uint64_t unit) {
    return at->card->driver->whole_maps ? measure_by_steps(at, unit) : measure_by_halves(at, unit);
}

// A descriptor of a buffer tells its size, if perhaps with something behind it.
static uint64_t size_of_fd(const tarn_shareable *in, uint64_t otherwise) {
    off_t end = in->type == TARN_SHAREABLE_FD ? lseek(in->fd, 0, SEEK_END) : -1;
    return end > 0 ? (uint64_t)end : otherwise;
}

static tarn_status import_native(struct tn_card *card, int device, const tarn_shareable *in,
                                 struct tn_card_phys *phys) {
    const struct tn_card_driver *driver = card->driver;
    struct tn_native answer = driver->import(card->d, device, in, &phys->handle);
    if (!tn_card_good(answer)) {
        return tn_card_fail(card, answer, TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY,
                            "import on device %d", device);
    }
    if (driver->owner != NULL) {
        (void)driver->owner(card->d, phys->handle, &phys->device);
    }
    uint64_t unit = card->devices[device].about.granularity_minimum;
    struct measure at = {.card = card, .handle = phys->handle};
    at.room = size_of_fd(in, card->devices[device].total) / unit * unit;
    at.room = at.room > unit ? at.room : unit;
    answer = driver->reserve(card->d, at.room, card->granularity, 0, &at.addr);
    if (tn_card_good(answer)) {
        phys->bytes = measure(&at, unit);
        (void)driver->unreserve(card->d, at.addr, at.room);
    }
    if (phys->bytes == 0) {
        (void)driver->destroy(card->d, phys->handle);
        return tn_fail(TARN_BAD_HANDLE, "%s: imported memory that cannot be mapped", driver->name);
    }
    return TARN_OK;
}

// A token of this platform names memory that is here already: vendors do not import it, so it gets
// one more name. False: it is no such token.
static bool name_twin(struct tn_card *card, const tarn_shareable *in, struct tn_card_phys *phys) {
    if (in->type != TARN_SHAREABLE_TOKEN || in->token == 0) {
        return false;
    }
    tn_mutex_lock(&card->lock);
    struct tn_card_phys *it = card->tokens;
    while (it != NULL && it->token != in->token) {
        it = it->next;
    }
    if (it != NULL) {
        it->names++;
        *phys = (struct tn_card_phys){
            .handle = it->handle, .bytes = it->bytes, .host = it->host, .device = it->device};
        phys->twin = it;
    }
    tn_mutex_unlock(&card->lock);
    return it != NULL;
}

tarn_status tn_card_phys_import(void *p, int device, const tarn_shareable *in,
                                tarn_backend_phys *out, tarn_backend_phys_info *info) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    if ((card->driver->shareable & in->type) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s does not share memory like that", card->driver->name);
    }
    struct tn_card_phys *phys = calloc(1, sizeof *phys);
    if (phys == NULL) {
        return no_record();
    }
    phys->device = device;
    phys->imported = true;
    phys->names = 1;
    tarn_status status = TARN_OK;
    if (!name_twin(card, in, phys)) {
        status = tn_card_begin(card, device, &turn);
        if (status == TARN_OK) {
            status = import_native(card, device, in, phys);
            tn_card_end(&turn);
        }
    }
    if (status != TARN_OK) {
        free(phys);
        return status;
    }
    *info = (tarn_backend_phys_info){.bytes = phys->bytes,
                                     .location = {TARN_LOCATION_DEVICE, phys->device},
                                     .shareable = in->type};
    *out = (tarn_backend_phys)(uintptr_t)phys;
    return TARN_OK;
}
