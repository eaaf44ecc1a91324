// SPDX-License-Identifier: Apache-2.0
// Physical memory: created, exported, imported. A handle is a record of ours, because the vendors'
// handles have no query for the size or for whether they were imported. The platform's lock guards
// the list of exported tokens and the reference counts. Any thread may call these functions.
#include <fcntl.h>
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/uncancelled.h"

static struct tn_vendor_phys *phys_of(tarn_backend_phys phys) {
    return (struct tn_vendor_phys *)(uintptr_t)phys;
}

static struct tn_vendor_phys *create_record(struct tn_vendor_phys init) {
    struct tn_vendor_phys *phys = malloc(sizeof *phys);
    if (phys == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the record of physical memory");
        return NULL;
    }
    *phys = init;
    phys->refs = 1;
    return phys;
}

// The device that is current in calls about this memory.
static int phys_device(const struct tn_vendor_phys *phys) {
    return phys->device >= 0 ? phys->device : 0;
}

// ---- create

static tarn_status check_supported(const struct tn_vendor *vendor, bool host, int device) {
    uint32_t features = vendor->devices[host ? 0 : device].features;
    TN_REFUSE((features & TARN_FEATURE_VMM) == 0, TARN_UNSUPPORTED,
              "%s: no virtual memory management: %s", vendor->driver->name,
              vendor->devices[host ? 0 : device].vmm);
    TN_REFUSE(host && (features & TARN_FEATURE_HOST_PHYS) == 0, TARN_UNSUPPORTED,
              "%s creates physical memory on devices only", vendor->driver->name);
    return TARN_OK;
}

static tarn_status create_native(struct tn_vendor *vendor, const struct tn_vendor_phys_desc *desc,
                                 struct tn_vendor_phys *phys) {
    TN_TRY(desc->host ? TARN_OK : tn_vendor_charge(vendor, desc->device, desc->bytes));
    struct tn_native answer =
        TN_VENDOR_CALL(vendor, phys_device(phys), create, desc, &phys->handle);
    tarn_status status = tn_vendor_status(
        vendor, answer, TARN_NATIVE, desc->host ? TARN_NO_HOST_MEMORY : TARN_NO_DEVICE_MEMORY,
        "0x%llx bytes of physical memory on %s %d", (unsigned long long)desc->bytes,
        desc->host ? "node" : "device", desc->device);
    if (status != TARN_OK && !desc->host) tn_vendor_uncharge(vendor, desc->device, desc->bytes);
    return status;
}

tarn_status tn_vendor_phys_create(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                  tarn_backend_phys *out, tarn_backend_phys_info *info) {
    bool host = desc->location.type != TARN_LOCATION_DEVICE;
    const struct tn_vendor_phys_desc native = {
        .bytes = bytes,
        .host = host,
        .device = !host || desc->location.type == TARN_LOCATION_HOST_NUMA ? desc->location.id : -1,
        .shareable = desc->shareable != 0,
    };
    TN_TRY(check_supported(p, host, native.device));
    struct tn_vendor_phys *phys =
        create_record((struct tn_vendor_phys){.bytes = bytes,
                                              .host = host,
                                              .charged = host ? 0 : bytes,
                                              .device = host ? -1 : native.device});
    if (phys == NULL) return TARN_NO_HOST_MEMORY;
    tarn_status status = create_native(p, &native, phys);
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

// Drops one reference. With the last one, the handle leaves the list of tokens.
static bool release_ref(struct tn_vendor *vendor, struct tn_vendor_phys *phys) {
    TN_LOCKED(&vendor->lock);
    bool last = --phys->refs == 0;
    if (last) {
        struct tn_vendor_phys **link = &vendor->tokens;
        while (*link != NULL && *link != phys) link = &(*link)->next;
        if (*link != NULL) *link = phys->next;
    }
    return last;
}

void tn_vendor_phys_destroy(void *p, tarn_backend_phys handle) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_phys *phys = phys_of(handle);
    struct tn_vendor_phys *twin = phys->twin;
    if (twin != NULL) {
        free(phys);
        phys = twin;
    }
    if (!release_ref(vendor, phys)) return;
    (void)TN_VENDOR_CALL(vendor, phys_device(phys), destroy, phys->handle);
    if (phys->charged != 0) tn_vendor_uncharge(vendor, phys->device, phys->charged);
    free(phys);
}

// ---- export

static tarn_status fail_not_shareable(const struct tn_vendor *vendor, uint32_t type) {
    return tn_fail(TARN_UNSUPPORTED, "%s cannot share memory as type 0x%x", vendor->driver->name,
                   type);
}

// Moves the descriptor above the standard streams. Programs that this one starts do not inherit it.
static tarn_status settle_fd(int *fd) {
    int given = *fd;
    if (given > 2)
        return fcntl(given, F_SETFD, FD_CLOEXEC) == 0
                   ? TARN_OK
                   : tn_fail(TARN_SYSTEM, "the exported descriptor %d is not open", given);
    *fd = fcntl(given, F_DUPFD_CLOEXEC, 3);
    tn_close(given);
    return *fd >= 0 ? TARN_OK : tn_fail(TARN_NO_HANDLES, "no descriptor above 2 is free");
}

static tarn_status export_native(struct tn_vendor *vendor, const struct tn_vendor_phys *phys,
                                 tarn_shareable *out) {
    struct tn_native answer = TN_VENDOR_CALL(vendor, phys_device(phys), export, phys->handle, out);
    tarn_status status =
        tn_vendor_status(vendor, answer, TARN_NO_HANDLES, TARN_NO_HANDLES, "export of 0x%llx bytes",
                         (unsigned long long)phys->bytes);
    return status == TARN_OK && out->type == TARN_SHAREABLE_FD ? settle_fd(&out->fd) : status;
}

// Memory has one token: a later export returns the first one. Returns the token, or 0 if there is
// none. If `token` is not 0, stores it first unless there is one.
static uint64_t exported_token(struct tn_vendor *vendor, struct tn_vendor_phys *phys,
                               uint64_t token) {
    TN_LOCKED(&vendor->lock);
    if (token != 0 && phys->token == 0) {
        phys->token = token;
        phys->next = vendor->tokens;
        vendor->tokens = phys;
    }
    return phys->token;
}

tarn_status tn_vendor_phys_export(void *p, tarn_backend_phys handle, uint32_t type,
                                  tarn_shareable *out) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_phys *phys = phys_of(handle);
    tarn_shareable made = {.type = type, .fd = -1, .token = 0};
    if ((vendor->driver->shareable & type) == 0) return fail_not_shareable(vendor, type);
    phys = phys->twin != NULL ? phys->twin : phys;
    made.token = exported_token(vendor, phys, 0);
    TN_TRY(made.token != 0 ? TARN_OK : export_native(vendor, phys, &made));
    (void)exported_token(vendor, phys, made.token);
    *out = made;
    return TARN_OK;
}

tarn_status tn_vendor_phys_allow(void *p, const tarn_shareable *exported, const int *pids,
                                 size_t count) {
    struct tn_vendor *vendor = p;
    TN_REFUSE(vendor->driver->allow == NULL, TARN_UNSUPPORTED,
              "%s has no lists of processes that may import", vendor->driver->name);
    struct tn_native answer = TN_VENDOR_CALL(vendor, 0, allow, exported->token, pids, count);
    return tn_vendor_status(vendor, answer, TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY,
                            "allowing token 0x%llx", (unsigned long long)exported->token);
}

// ---- the size of imported memory

// Vendors have no query for it, so the memory is mapped into a reservation to find out.
struct measure {
    struct tn_vendor *vendor;
    uint64_t handle;
    tarn_addr addr;
    uint64_t room;
};

static bool can_map(const struct measure *at, uint64_t bytes) {
    const struct tn_vendor_driver *driver = at->vendor->driver;
    void *d = at->vendor->d;
    if (bytes > at->room || !tn_native_ok(driver->map(d, at->addr, bytes, at->handle)))
        return false;
    bool mapped = !driver->verify_maps || tn_native_ok(driver->is_mapped(d, at->addr));
    (void)driver->unmap(d, at->addr, bytes);
    return mapped;
}

// Returns the largest multiple of the granularity that can be mapped, by bisection, or 0. A vendor
// that maps allocations only completely accepts one size: all sizes are tried in order.
static uint64_t measure_bytes(const struct measure *at, uint64_t unit) {
    uint64_t low = 0;
    uint64_t high = 1;
    if (at->vendor->driver->whole_maps) {
        while (high * unit <= at->room && !can_map(at, high * unit)) high++;
        return high * unit <= at->room ? high * unit : 0;
    }
    while (can_map(at, high * unit)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (can_map(at, middle * unit))
            low = middle;
        else
            high = middle;
    }
    return low * unit;
}

// ---- import

static tarn_status import_native(struct tn_vendor *vendor, int device, const tarn_shareable *in,
                                 struct tn_vendor_phys *phys) {
    const struct tn_vendor_driver *driver = vendor->driver;
    TN_VENDOR_CURRENT(vendor, device);
    TN_TRY(tn_vendor_status(vendor, driver->import(vendor->d, device, in, &phys->handle),
                            TARN_BAD_HANDLE, TARN_NO_HOST_MEMORY, "import on device %d", device));
    if (driver->owner != NULL) (void)driver->owner(vendor->d, phys->handle, &phys->device);
    // A descriptor may have a size: at least that of the memory.
    off_t end = in->type == TARN_SHAREABLE_FD ? lseek(in->fd, 0, SEEK_END) : -1;
    uint64_t unit = vendor->devices[device].info.granularity_minimum;
    uint64_t room = (end > 0 ? (uint64_t)end : vendor->devices[device].total) / unit * unit;
    struct measure at = {
        .vendor = vendor, .handle = phys->handle, .room = room > unit ? room : unit};
    if (tn_native_ok(driver->reserve(vendor->d, at.room, vendor->granularity, 0, &at.addr))) {
        phys->bytes = measure_bytes(&at, unit);
        (void)driver->unreserve(vendor->d, at.addr, at.room);
    }
    if (phys->bytes == 0) {
        (void)driver->destroy(vendor->d, phys->handle);
        return tn_fail(TARN_BAD_HANDLE, "%s: the imported memory cannot be mapped", driver->name);
    }
    return TARN_OK;
}

// Vendors refuse to import a token in the process that exported it. The import becomes another
// reference to the exported handle. Returns false if the token is not this platform's.
static bool reference_twin(struct tn_vendor *vendor, const tarn_shareable *in,
                           struct tn_vendor_phys *phys) {
    if (in->type != TARN_SHAREABLE_TOKEN || in->token == 0) return false;
    TN_LOCKED(&vendor->lock);
    struct tn_vendor_phys *it = vendor->tokens;
    while (it != NULL && it->token != in->token) it = it->next;
    if (it != NULL) {
        it->refs++;
        *phys = (struct tn_vendor_phys){.handle = it->handle,
                                        .bytes = it->bytes,
                                        .host = it->host,
                                        .device = it->device,
                                        .twin = it};
    }
    return it != NULL;
}

tarn_status tn_vendor_phys_import(void *p, int device, const tarn_shareable *in,
                                  tarn_backend_phys *out, tarn_backend_phys_info *info) {
    struct tn_vendor *vendor = p;
    if ((vendor->driver->shareable & in->type) == 0) return fail_not_shareable(vendor, in->type);
    struct tn_vendor_phys *phys =
        create_record((struct tn_vendor_phys){.device = device, .imported = true});
    if (phys == NULL) return TARN_NO_HOST_MEMORY;
    tarn_status status =
        reference_twin(vendor, in, phys) ? TARN_OK : import_native(vendor, device, in, phys);
    if (status != TARN_OK) {
        free(phys);
        return status;
    }
    *info = (tarn_backend_phys_info){.bytes = phys->bytes,
                                     .location = {TARN_LOCATION_DEVICE, phys->device},
                                     .shareable = vendor->driver->imports_stay ? 0 : in->type};
    *out = (tarn_backend_phys)(uintptr_t)phys;
    return TARN_OK;
}
