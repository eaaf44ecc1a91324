// SPDX-License-Identifier: Apache-2.0
// Physical memory: created, exported, imported. A name is a record of ours, because the vendors'
// handles tell neither the size nor whether they were imported.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

static struct tn_vendor_phys *phys_of(tarn_backend_phys phys) {
    return (struct tn_vendor_phys *)(uintptr_t)phys;
}

static tarn_status no_record(void) {
    return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of physical memory");
}

static int scope_device(const struct tn_vendor_phys *phys) {
    return phys->device >= 0 ? phys->device : 0;
}

// ---- create

static tarn_status check_wish(const struct tn_vendor *vendor, const tarn_phys_desc *desc) {
    bool host = desc->location.type != TARN_LOCATION_DEVICE;
    uint32_t features = vendor->devices[host ? 0 : desc->location.id].features;
    if ((features & TARN_FEATURE_VMM) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s: no virtual memory management: %s",
                       vendor->driver->name, vendor->devices[host ? 0 : desc->location.id].vmm);
    }
    if (host && (features & TARN_FEATURE_HOST_PHYS) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s creates physical memory on devices only",
                       vendor->driver->name);
    }
    return TARN_OK;
}

static tarn_status create_native(struct tn_vendor *vendor, const struct tn_vendor_phys_desc *wish,
                                 struct tn_vendor_phys *phys) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, wish->host ? 0 : wish->device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->create(vendor->d, wish, &phys->handle);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE,
                                  wish->host ? TARN_NO_HOST_MEMORY : TARN_NO_DEVICE_MEMORY,
                                  "0x%llx bytes of physical memory on %s %d",
                                  (unsigned long long)wish->bytes, wish->host ? "node" : "device",
                                  wish->device);
}

static tarn_status create(struct tn_vendor *vendor, const struct tn_vendor_phys_desc *wish,
                          struct tn_vendor_phys *phys) {
    if (wish->host) {
        return create_native(vendor, wish, phys);
    }
    tarn_status status = tn_vendor_charge(vendor, wish->device, wish->bytes);
    if (status != TARN_OK) {
        return status;
    }
    phys->charged = wish->bytes;
    status = create_native(vendor, wish, phys);
    if (status != TARN_OK) {
        tn_vendor_uncharge(vendor, wish->device, wish->bytes);
    }
    return status;
}

tarn_status tn_vendor_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                  tarn_backend_phys *out, tarn_backend_phys_info *info) {
    struct tn_vendor *vendor = p;
    bool host = desc->location.type != TARN_LOCATION_DEVICE;
    tarn_status status = check_wish(vendor, desc);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_vendor_phys *phys = calloc(1, sizeof *phys);
    if (phys == NULL) {
        return no_record();
    }
    const struct tn_vendor_phys_desc wish = {
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
    status = create(vendor, &wish, phys);
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
static void unlist(struct tn_vendor *vendor, const struct tn_vendor_phys *phys) {
    struct tn_vendor_phys **link = &vendor->tokens;
    while (*link != NULL && *link != phys) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = phys->next;
    }
}

// One name less. False: others are left.
static bool drop_name(struct tn_vendor *vendor, struct tn_vendor_phys *phys) {
    tn_mutex_lock(&vendor->lock);
    bool last = --phys->names == 0;
    if (last) {
        unlist(vendor, phys);
    }
    tn_mutex_unlock(&vendor->lock);
    return last;
}

void tn_vendor_phys_destroy(void *p, tarn_backend_phys name) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_phys *phys = phys_of(name);
    struct tn_vendor_scope scope;
    if (phys->twin != NULL) {
        struct tn_vendor_phys *twin = phys->twin;
        free(phys);
        phys = twin;
    }
    if (!drop_name(vendor, phys)) {
        return;
    }
    if (tn_vendor_enter(vendor, scope_device(phys), &scope) == TARN_OK) {
        (void)vendor->driver->destroy(vendor->d, phys->handle);
        tn_vendor_leave(&scope);
    }
    if (phys->charged != 0) {
        tn_vendor_uncharge(vendor, phys->device, phys->charged);
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

static tarn_status export_native(struct tn_vendor *vendor, const struct tn_vendor_phys *phys,
                                 tarn_shareable *out) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, scope_device(phys), &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->export(vendor->d, phys->handle, out);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NO_HANDLES, TARN_NO_HANDLES,
                                  "export of 0x%llx bytes", (unsigned long long)phys->bytes);
}

// A token is made once, and told again. 0: none yet.
static uint64_t token_of(struct tn_vendor *vendor, const struct tn_vendor_phys *phys) {
    tn_mutex_lock(&vendor->lock);
    uint64_t token = phys->token;
    tn_mutex_unlock(&vendor->lock);
    return token;
}

static void note_token(struct tn_vendor *vendor, struct tn_vendor_phys *phys, uint64_t token) {
    tn_mutex_lock(&vendor->lock);
    if (token != 0 && phys->token == 0) {
        phys->token = token;
        phys->next = vendor->tokens;
        vendor->tokens = phys;
    }
    tn_mutex_unlock(&vendor->lock);
}

tarn_status tn_vendor_phys_export(void *p, tarn_backend_phys name, uint32_t type,
                                  tarn_shareable *out) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_phys *phys = phys_of(name);
    tarn_shareable made = {.type = type, .fd = -1, .token = 0};
    if ((vendor->driver->shareable & type) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s does not share memory like that",
                       vendor->driver->name);
    }
    phys = phys->twin != NULL ? phys->twin : phys;
    made.token = token_of(vendor, phys);
    tarn_status status = made.token != 0 ? TARN_OK : export_native(vendor, phys, &made);
    if (status == TARN_OK && type == TARN_SHAREABLE_FD) {
        status = settle_fd(&made.fd);
    }
    if (status == TARN_OK) {
        note_token(vendor, phys, made.token);
        *out = made;
    }
    return status;
}

tarn_status tn_vendor_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                                 size_t count) {
    struct tn_vendor *vendor = p;
    if (vendor->driver->allow == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "%s has no lists of who may import", vendor->driver->name);
    }
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, 0, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->allow(vendor->d, exported->token, pids, count);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY,
                                  "allowing token 0x%llx", (unsigned long long)exported->token);
}

// ---- import: its size

// Vendors do not say how large imported memory is, so it is mapped at a place of ours to see.
struct measure {
    struct tn_vendor *vendor;
    uint64_t handle;
    tarn_addr addr;
    uint64_t room;
};

static bool fits(const struct measure *at, uint64_t bytes) {
    const struct tn_vendor_driver *driver = at->vendor->driver;
    void *d = at->vendor->d;
    if (bytes > at->room || !tn_native_ok(driver->map(d, at->addr, bytes, at->handle))) {
        return false;
    }
    bool good = !driver->verify_maps || tn_native_ok(driver->is_mapped(d, at->addr));
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
    return at->vendor->driver->whole_maps ? measure_by_steps(at, unit)
                                          : measure_by_halves(at, unit);
}

// A descriptor of a buffer tells its size, if perhaps with something behind it.
static uint64_t size_of_fd(const tarn_shareable *in, uint64_t otherwise) {
    off_t end = in->type == TARN_SHAREABLE_FD ? lseek(in->fd, 0, SEEK_END) : -1;
    return end > 0 ? (uint64_t)end : otherwise;
}

static tarn_status import_native(struct tn_vendor *vendor, int device, const tarn_shareable *in,
                                 struct tn_vendor_phys *phys) {
    const struct tn_vendor_driver *driver = vendor->driver;
    struct tn_native answer = driver->import(vendor->d, device, in, &phys->handle);
    if (!tn_native_ok(answer)) {
        return tn_vendor_status(vendor, answer, TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY,
                                "import on device %d", device);
    }
    if (driver->owner != NULL) {
        (void)driver->owner(vendor->d, phys->handle, &phys->device);
    }
    uint64_t unit = vendor->devices[device].about.granularity_minimum;
    struct measure at = {.vendor = vendor, .handle = phys->handle};
    at.room = size_of_fd(in, vendor->devices[device].total) / unit * unit;
    at.room = at.room > unit ? at.room : unit;
    answer = driver->reserve(vendor->d, at.room, vendor->granularity, 0, &at.addr);
    if (tn_native_ok(answer)) {
        phys->bytes = measure(&at, unit);
        (void)driver->unreserve(vendor->d, at.addr, at.room);
    }
    if (phys->bytes == 0) {
        (void)driver->destroy(vendor->d, phys->handle);
        return tn_fail(TARN_BAD_HANDLE, "%s: imported memory that cannot be mapped", driver->name);
    }
    return TARN_OK;
}

// A token of this platform names memory that is here already: vendors do not import it, so it gets
// one more name. False: it is no such token.
static bool name_twin(struct tn_vendor *vendor, const tarn_shareable *in,
                      struct tn_vendor_phys *phys) {
    if (in->type != TARN_SHAREABLE_TOKEN || in->token == 0) {
        return false;
    }
    tn_mutex_lock(&vendor->lock);
    struct tn_vendor_phys *it = vendor->tokens;
    while (it != NULL && it->token != in->token) {
        it = it->next;
    }
    if (it != NULL) {
        it->names++;
        *phys = (struct tn_vendor_phys){
            .handle = it->handle, .bytes = it->bytes, .host = it->host, .device = it->device};
        phys->twin = it;
    }
    tn_mutex_unlock(&vendor->lock);
    return it != NULL;
}

tarn_status tn_vendor_phys_import(void *p, int device, const tarn_shareable *in,
                                  tarn_backend_phys *out, tarn_backend_phys_info *info) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_scope scope;
    if ((vendor->driver->shareable & in->type) == 0) {
        return tn_fail(TARN_UNSUPPORTED, "%s does not share memory like that",
                       vendor->driver->name);
    }
    struct tn_vendor_phys *phys = calloc(1, sizeof *phys);
    if (phys == NULL) {
        return no_record();
    }
    phys->device = device;
    phys->imported = true;
    phys->names = 1;
    tarn_status status = TARN_OK;
    if (!name_twin(vendor, in, phys)) {
        status = tn_vendor_enter(vendor, device, &scope);
        if (status == TARN_OK) {
            status = import_native(vendor, device, in, phys);
            tn_vendor_leave(&scope);
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
