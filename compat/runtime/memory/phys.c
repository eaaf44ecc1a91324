// SPDX-License-Identifier: Apache-2.0
// See vmm.h: physical memory. Its 32 bytes of properties are the four user words of Tarn's memory:
// importers receive the first two words, and the last two are valid in this process only. The file
// has no state.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <tarn/software.h>

#include "compat/face/fidelity.h"
#include "compat/face/uncancelled.h"
#include "compat/runtime/device/policy.h"
#include "compat/runtime/memory/multicast.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/vmm.h"

_Static_assert(sizeof(struct tn_rt_phys_prop) == sizeof((tarn_phys_desc *)0)->user,
               "properties are the words");

// The word of Tarn's memory for each word of the properties: types, location, security, and the
// rest.
static const unsigned char word_at[] = {0, 2, 3, 1};

static bool is_type(int type) {
    return type == TN_RT_PHYS_PINNED || type == TN_RT_PHYS_MANAGED ||
           (type != 0 && type == tn_rt_memory_policy.uncached_type);
}

static tn_rt_error check_type(int type) {
    return is_type(type) ? TN_RT_OK
                         : tn_rt_fail(TN_RT_INVALID_VALUE, "memory type %d is unknown", type);
}

// ---- creation

static unsigned handle_types(void) {
    return tn_rt_has_fabric() ? TN_RT_PHYS_FD | TN_RT_PHYS_FABRIC : TN_RT_PHYS_FD;
}

static bool is_handle_type(unsigned type) {
    return type == TN_RT_PHYS_FD || (type == TN_RT_PHYS_FABRIC && tn_rt_has_fabric());
}

// If the CPU accesses the same bytes as the devices, all memory behaves as uncached memory must.
static tn_rt_error check_provided(const struct tn_rt_phys_prop *prop) {
    bool host_access = (tn_rt_devices.of[0].info.features & TARN_FEATURE_HOST_ACCESS) != 0;
    TN_RT_REFUSE(prop->type == TN_RT_PHYS_MANAGED ||
                     (prop->type != TN_RT_PHYS_PINNED && !host_access),
                 TN_RT_NOT_SUPPORTED, "memory of type 0x%x is not supported", (unsigned)prop->type);
    TN_RT_REFUSE((prop->handle_types & ~handle_types()) != 0, TN_RT_NOT_SUPPORTED,
                 "handle type 0x%x: 0x%x is supported%s", prop->handle_types, handle_types(),
                 tn_rt_device_policy.fabric ? ", and 0x8 with fabric=on" : "");
    return TN_RT_OK;
}

// HIP 6 takes a multiple of half a page for a size that it cannot allocate. `device` may be NULL.
static tn_rt_error check_size(size_t size, const struct tn_face_device *device) {
    const size_t unit = tn_rt_memory_policy.phys_unit;
    TN_RT_REFUSE(size % unit != 0,
                 size % (unit / 2) == 0 ? TN_RT_OUT_OF_MEMORY : TN_RT_INVALID_VALUE,
                 "size %zu is not a multiple of %zu", size, unit);
    return device == NULL || size <= device->info.memory_bytes
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "%zu bytes of device %d, which has %llu", size,
                            device->ordinal, (unsigned long long)device->info.memory_bytes);
}

// The location may have any id if it is not a device.
static tn_rt_error create_phys(size_t size, const struct tn_rt_phys_prop *prop, tarn_phys *phys) {
    tarn_device *any = tn_rt_devices.of[0].tarn;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    uint64_t words[sizeof word_at];
    TN_RT_TRY(check_type(prop->type));
    tn_rt_error error = tn_rt_location(prop->location.type, prop->location.id, &desc.location);
    TN_RT_TRY(error == TN_RT_INVALID_DEVICE ? tn_rt_memory_policy.phys_device_error : error);
    TN_RT_TRY(check_provided(prop));
    const struct tn_face_device *device =
        desc.location.type == TARN_LOCATION_DEVICE ? tn_rt_device(prop->location.id) : NULL;
    TN_RT_TRY(check_size(size, device));
    if ((prop->handle_types & TN_RT_PHYS_FD) != 0) desc.shareable |= TARN_SHAREABLE_FD;
    if ((prop->handle_types & TN_RT_PHYS_FABRIC) != 0) desc.shareable |= TARN_SHAREABLE_TOKEN;
    if ((prop->usage & TN_RT_PHYS_TILES) != 0) desc.usage = TARN_USAGE_TILE_POOL;
    memcpy(words, prop, sizeof words);
    for (size_t i = 0; i < sizeof word_at; i++) desc.user[word_at[i]] = words[i];
    tarn_status status = tarn_phys_create(any, size, &desc, phys);
    if (status == TARN_NO_DEVICE_MEMORY && device != NULL && tn_rt_pool_reclaim(device))
        status = tarn_phys_create(any, size, &desc, phys);
    // A bad device is a NUMA node, because devices were checked before.
    return status == TARN_BAD_DEVICE ? tn_rt_error_or(status, TN_RT_INVALID_VALUE)
                                     : tn_rt_error_of(status);
}

tn_rt_error tn_rt_phys_create(void *handle, size_t size, const void *prop,
                              unsigned long long flags) {
    struct tn_rt_phys_prop own;
    tarn_phys phys = 0;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(handle == NULL || prop == NULL || size == 0 || flags != 0, TN_RT_INVALID_VALUE,
                 "handle %p, size %zu, prop %p, flags 0x%llx", handle, size, prop, flags);
    memcpy(&own, prop, sizeof own);
    TN_RT_TRY(create_phys(size, &own, &phys));
    TN_FACE_DIFFERS(create_host, own.location.type != (int)TARN_LOCATION_DEVICE);
    memcpy(handle, &phys, sizeof phys);
    return TN_RT_OK;
}

// ---- references

tn_rt_error tn_rt_phys_release(const void *handle) {
    const tarn_phys phys = tn_rt_phys_of(handle);
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_TRY(tn_rt_multicast_check_release(phys));
    TN_RT_TRY(tn_rt_error_or(tarn_phys_release(phys), TN_RT_INVALID_VALUE));
    tn_rt_multicast_sweep();
    return TN_RT_OK;
}

tn_rt_error tn_rt_phys_retain(void *handle, const void *ptr) {
    tarn_phys phys = 0;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(handle == NULL || ptr == NULL, TN_RT_INVALID_VALUE, "handle %p, addr %p", handle,
                 ptr);
    TN_RT_TRY(tn_rt_error_or(tarn_map_retain(TARN_ADDR(ptr), &phys), TN_RT_INVALID_VALUE));
    memcpy(handle, &phys, sizeof phys);
    return TN_RT_OK;
}

// ---- properties

// Returns the types of handles that imported memory may be exported by.
static unsigned shared_types(const tarn_phys_info *info) {
    const unsigned types = ((info->shareable & TARN_SHAREABLE_FD) != 0 ? TN_RT_PHYS_FD : 0u) |
                           ((info->shareable & TARN_SHAREABLE_TOKEN) != 0 ? TN_RT_PHYS_FABRIC : 0u);
    return tn_rt_memory_policy.imports_stay ? TN_RT_PHYS_NO_HANDLE : types & handle_types();
}

// The words of imported memory come from another program, which may not use this runtime. The type
// is kept if it is valid, and Tarn provides the location. The words that importers do not receive
// are 0.
tn_rt_error tn_rt_phys_properties(void *prop, const void *handle) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    struct tn_rt_phys_prop own;
    uint64_t words[sizeof word_at];
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_TRY(tn_rt_check_pointer(prop, "prop"));
    TN_RT_TRY(tn_rt_multicast_refuse_handle(tn_rt_phys_of(handle)));
    TN_RT_TRY(tn_rt_error_or(tarn_phys_query(tn_rt_phys_of(handle), &info), TN_RT_INVALID_VALUE));
    for (size_t i = 0; i < sizeof word_at; i++) words[i] = info.user[word_at[i]];
    memcpy(&own, words, sizeof own);
    TN_FACE_DIFFERS(imported_properties, info.imported);
    if (info.imported) {
        if (!is_type(own.type)) own.type = TN_RT_PHYS_PINNED;
        own.handle_types = shared_types(&info);
        own.location = (struct tn_rt_location){(int)info.location.type, info.location.id};
        if (info.location.type == TARN_LOCATION_DEVICE) {
            int ordinal = tn_rt_ordinal_of(info.location.id); // of a device that is not visible: -1
            own.location.id = ordinal >= 0 ? ordinal : tn_rt_current()->ordinal;
        }
    }
    memcpy(prop, &own, sizeof own);
    return TN_RT_OK;
}

tn_rt_error tn_rt_phys_granularity(size_t *granularity, const void *prop, int option) {
    const tarn_device_info *info = &tn_rt_devices.of[0].info; // one for the platform
    struct tn_rt_phys_prop own;
    tarn_location location;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(granularity == NULL || prop == NULL, TN_RT_INVALID_VALUE,
                 "granularity %p, prop %p", (void *)granularity, prop);
    memcpy(&own, prop, sizeof own);
    if (!tn_rt_memory_policy.granularity_anywhere) TN_RT_TRY(check_type(own.type));
    if (!tn_rt_memory_policy.granularity_anywhere &&
        tn_rt_location(own.location.type, own.location.id, &location) != TN_RT_OK)
        return TN_RT_INVALID_VALUE;
    TN_RT_REFUSE(option != 0 && option != 1, TN_RT_INVALID_VALUE,
                 "option %d is neither minimum nor recommended", option);
    TN_FACE_DIFFERS(granularity_minimum, option == 0);
    TN_FACE_DIFFERS(granularity_recommended, option == 1);
    *granularity = option == 0 ? info->granularity_minimum : info->granularity_recommended;
    return TN_RT_OK;
}

// ---- sharing

static tarn_status check_export(tarn_phys phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_status status = tn_rt_memory_policy.imports_stay ? tarn_phys_query(phys, &info) : TARN_OK;
    return info.imported ? TARN_UNSUPPORTED : status;
}

static tarn_status export_fd(void *fd, tarn_phys phys) {
    tarn_shareable out = {0, -1, 0};
    tarn_status status = check_export(phys);
    if (status == TARN_OK) status = tarn_phys_export(phys, TARN_SHAREABLE_FD, &out);
    if (status == TARN_OK) memcpy(fd, &out.fd, sizeof out.fd);
    return status;
}

// A handle of the fabric. Any process of the user may import it, as a descriptor that it was sent.
struct fabric_handle {
    char magic[8];
    uint64_t token;
    unsigned char rest[48]; // 0
};
static const char fabric_magic[8] = "TARNFAB";

static tarn_status export_fabric(void *handle, tarn_phys phys) {
    const int anybody = TARN_PROCESS_ANY;
    struct fabric_handle own = {.token = 0};
    tarn_shareable out = {0, -1, 0};
    tarn_status status = check_export(phys);
    if (status == TARN_OK) status = tarn_phys_export(phys, TARN_SHAREABLE_TOKEN, &out);
    if (status == TARN_OK) status = tarn_phys_allow(tn_rt_devices.of[0].tarn, &out, &anybody, 1);
    memcpy(own.magic, fabric_magic, sizeof own.magic);
    own.token = out.token;
    if (status == TARN_OK) memcpy(handle, &own, sizeof own);
    return status;
}

// Any refusal is INVALID_VALUE, as in HIP, also if descriptors are exhausted.
tn_rt_error tn_rt_phys_export(void *out, const void *handle, unsigned type,
                              unsigned long long flags) {
    const tarn_phys phys = tn_rt_phys_of(handle);
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(out == NULL || flags != 0, TN_RT_INVALID_VALUE, "shareableHandle %p, flags 0x%llx",
                 out, flags);
    TN_RT_REFUSE(!is_handle_type(type), TN_RT_INVALID_VALUE,
                 "handle type 0x%x: memory can be created for 0x%x", type, handle_types());
    tarn_status status = type == TN_RT_PHYS_FD ? export_fd(out, phys) : export_fabric(out, phys);
    return tn_rt_error_of(status) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

tn_rt_error tn_rt_phys_export_range(void *fd, const void *ptr, size_t size, unsigned type,
                                    unsigned long long flags) {
    struct tn_rt_block block;
    int made = -1;
    TN_RT_REFUSE(fd == NULL || ptr == NULL || size == 0, TN_RT_INVALID_VALUE,
                 "handle %p, dptr %p, size %zu", fd, ptr, size);
    TN_RT_REFUSE(type != TN_RT_PHYS_FD || flags != 0, TN_RT_INVALID_VALUE,
                 "handle type 0x%x (only 0x1), flags 0x%llx", type, flags);
    TN_RT_REFUSE(!tn_rt_block_query(ptr, &block) ||
                     size > block.bytes - (size_t)(TARN_ADDR(ptr) - block.start),
                 TN_RT_INVALID_VALUE, "%zu bytes at %p are not in one block or mapping", size, ptr);
    TN_RT_REFUSE((block.kind & (TN_RT_BLOCK_MAPPED | TN_RT_BLOCK_DEVICE)) == 0 ||
                     block.start != TARN_ADDR(ptr),
                 TN_RT_NOT_SUPPORTED,
                 "only a range from the start of device memory or of a mapping has a descriptor");
    tarn_status status = block.kind == TN_RT_BLOCK_MAPPED ? check_export(block.phys) : TARN_OK;
    if (status == TARN_OK) status = tarn_memory_export_fd(block.start, &made);
    if (status == TARN_OK) memcpy(fd, &made, sizeof made);
    return tn_rt_error_or(status, TN_RT_NOT_SUPPORTED);
}

// Values below this limit are descriptors, others are addresses. The limit is above the default of
// fs.nr_open and below every mapped address.
#define FD_LIMIT 0x100000

// Reads through a pipe, for systems that forbid process_vm_readv().
static bool read_by_pipe(const void *from, int *value) {
    TN_FACE_UNCANCELLED;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool done = write(ends[1], from, sizeof *value) == (ssize_t)sizeof *value &&
                read(ends[0], value, sizeof *value) == (ssize_t)sizeof *value;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return done;
}

// Reads an int at an address that may be invalid.
static bool read_int(void *from, int *value) {
    struct iovec mine = {value, sizeof *value};
    struct iovec there = {from, sizeof *value};
    if (process_vm_readv(getpid(), &mine, 1, &there, 1, 0) == (ssize_t)sizeof *value) return true;
    return errno != EFAULT && read_by_pipe(from, value);
}

static tn_rt_error read_fabric(const void *given, tarn_shareable *in) {
    struct fabric_handle own;
    memcpy(&own, given, sizeof own);
    TN_RT_REFUSE(memcmp(own.magic, fabric_magic, sizeof own.magic) != 0,
                 tn_rt_memory_policy.import_error,
                 "the 64 bytes at %p are no handle of the fabric of this machine", given);
    *in = (tarn_shareable){TARN_SHAREABLE_TOKEN, -1, own.token};
    return TN_RT_OK;
}

tn_rt_error tn_rt_phys_import(void *handle, void *given, unsigned type) {
    tarn_shareable in = {TARN_SHAREABLE_FD, (int)(uintptr_t)given, 0};
    tarn_phys phys = 0;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(handle == NULL || given == NULL, TN_RT_INVALID_VALUE, "handle %p, osHandle %p",
                 handle, given);
    TN_RT_REFUSE(!is_handle_type(type), TN_RT_NOT_SUPPORTED, "handle type 0x%x: 0x%x is supported",
                 type, handle_types());
    if (type == TN_RT_PHYS_FABRIC) TN_RT_TRY(read_fabric(given, &in));
    TN_RT_REFUSE(type == TN_RT_PHYS_FD && (uintptr_t)given >= FD_LIMIT && !read_int(given, &in.fd),
                 tn_rt_memory_policy.import_error,
                 "osHandle %p is not a descriptor, and no int can be read there", given);
    TN_RT_TRY(tn_rt_error_or(tarn_phys_import(tn_rt_current()->tarn, &in, &phys),
                             tn_rt_memory_policy.import_error));
    TN_RT_TRY(tn_rt_multicast_import(&phys));
    memcpy(handle, &phys, sizeof phys);
    return TN_RT_OK;
}
