// SPDX-License-Identifier: Apache-2.0
// See multicast.h. The list of objects is guarded by a lock, which is held while a copy is submitted
// to each device, so that no binding ends meanwhile. Each binding maps the memory at an address of
// its own, its window, to which copies and fills are redirected. An object ends when the reference
// that the list holds is the last one.
#include "compat/runtime/memory/multicast.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/vmm.h"
#include "src/base/list.h"

struct binding {
    struct binding *next;
    int device; // ordinal
    size_t at;  // in the object
    size_t bytes;
    tarn_addr window;
    size_t window_bytes;
    size_t skipped; // bytes of the window before the binding
};

struct object {
    struct object *next;
    tarn_phys phys;
    size_t bytes;
    uint64_t identity; // second user word of the memory, by which imports find the object
    unsigned team;     // devices
    unsigned joined;
    uint32_t members; // one bit for each ordinal
    bool shareable;
    struct binding *bindings;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct object *objects;
static _Atomic bool some; // a copy without objects costs this load

// The first user word of an object's memory.
#define MARK UINT64_C(0x74736163696d)

// ---- the list

static struct object *find_object(tarn_phys phys) {
    struct object *object = objects;
    while (object != NULL && object->phys != phys) object = object->next;
    return object;
}

static void end_binding(struct binding *binding) {
    (void)tarn_unmap(binding->window, binding->window_bytes, 0);
    (void)tarn_space_release(binding->window);
    free(binding);
}

static void end_object(struct object *object) {
    TN_CHAIN_DRAIN(struct binding, binding, object->bindings, next) end_binding(binding);
    (void)tarn_phys_release(object->phys);
    free(object);
}

void tn_rt_multicast_sweep(void) {
    if (!some) return;
    TN_FACE_LOCKED(&lock);
    for (struct object **at = &objects; *at != NULL;) {
        struct object *object = *at;
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        (void)tarn_phys_query(object->phys, &info);
        if (info.user_refs > 1 || info.map_refs > 0) {
            at = &object->next;
            continue;
        }
        *at = object->next;
        end_object(object);
    }
    some = objects != NULL;
    (void)pthread_cond_broadcast(&changed);
}

// Finds an object and waits for its team, which other threads complete. Another thread may end the
// object meanwhile.
static tn_rt_error find_complete(tarn_phys phys, struct object **found) {
    struct object *object;
    while ((object = find_object(phys)) != NULL && object->joined < object->team)
        (void)pthread_cond_wait(&changed, &lock);
    *found = object;
    return object != NULL ? TN_RT_OK
                          : tn_rt_fail(TN_RT_INVALID_VALUE, "0x%llx is not a multicast object",
                                       (unsigned long long)phys);
}

static tn_rt_error check_fabric(void) {
    return tn_rt_has_fabric()
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NOT_SUPPORTED,
                            "multicast objects need fabric=on, an option of the device");
}

// ---- creation

static size_t unit(void) { return tn_rt_devices.of[0].info.granularity_minimum; }

static tn_rt_error read_prop(const void *given, struct tn_rt_multicast_prop *prop) {
    const unsigned known = TN_RT_PHYS_FD | TN_RT_PHYS_FABRIC;
    TN_RT_TRY(tn_rt_check_pointer(given, "prop"));
    memcpy(prop, given, sizeof *prop);
    TN_RT_REFUSE(prop->devices == 0 || prop->devices > (unsigned)tn_rt_devices.count,
                 TN_RT_INVALID_VALUE, "a team of %u devices, there are %d", prop->devices,
                 tn_rt_devices.count);
    TN_RT_REFUSE((prop->handle_types & ~(unsigned long long)known) != 0 || prop->flags != 0,
                 TN_RT_INVALID_VALUE, "handle types 0x%llx, flags 0x%llx", prop->handle_types,
                 prop->flags);
    return TN_RT_OK;
}

static tn_rt_error make_object(const struct tn_rt_multicast_prop *prop, struct object *object) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    *object = (struct object){
        .bytes = prop->size, .team = prop->devices, .shareable = prop->handle_types != 0};
    TN_RT_REFUSE(getrandom(&object->identity, sizeof object->identity, 0) !=
                     (ssize_t)sizeof object->identity,
                 TN_RT_OPERATING_SYSTEM, "no random number for a multicast object");
    desc.location.type = TARN_LOCATION_HOST;
    if ((prop->handle_types & TN_RT_PHYS_FD) != 0) desc.shareable |= TARN_SHAREABLE_FD;
    if ((prop->handle_types & TN_RT_PHYS_FABRIC) != 0) desc.shareable |= TARN_SHAREABLE_TOKEN;
    desc.user[0] = MARK;
    desc.user[1] = object->identity;
    TN_RT_TRY(tn_rt_error_of(
        tarn_phys_create(tn_rt_devices.of[0].tarn, prop->size, &desc, &object->phys)));
    tn_rt_error error =
        tn_rt_error_of(tarn_phys_retain(object->phys)); // one reference is the list's
    if (error != TN_RT_OK) (void)tarn_phys_release(object->phys);
    return error;
}

tn_rt_error tn_rt_multicast_create(void *handle, const void *given) {
    struct tn_rt_multicast_prop prop;
    TN_RT_TRY(check_fabric());
    TN_RT_TRY(tn_rt_check_pointer(handle, "mcHandle"));
    TN_RT_TRY(read_prop(given, &prop));
    TN_RT_REFUSE(prop.size == 0 || prop.size % unit() != 0, TN_RT_INVALID_VALUE,
                 "size %zu is 0 or not a multiple of the granularity %zu", prop.size, unit());
    struct object *object = (struct object *)malloc(sizeof *object);
    TN_RT_REFUSE(object == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a multicast object");
    tn_rt_error error = make_object(&prop, object);
    if (error != TN_RT_OK) {
        free(object);
        return error;
    }
    memcpy(handle, &object->phys, sizeof object->phys);
    TN_FACE_LOCKED(&lock);
    object->next = objects;
    objects = object;
    some = true;
    return TN_RT_OK;
}

tn_rt_error tn_rt_multicast_granularity(size_t *granularity, const void *given, int option) {
    struct tn_rt_multicast_prop prop;
    TN_RT_TRY(check_fabric());
    TN_RT_TRY(tn_rt_check_pointer(granularity, "granularity"));
    TN_RT_TRY(read_prop(given, &prop));
    TN_RT_REFUSE(option != 0 && option != 1, TN_RT_INVALID_VALUE,
                 "option %d is neither minimum nor recommended", option);
    *granularity = option == 0 ? unit() : tn_rt_devices.of[0].info.granularity_recommended;
    return TN_RT_OK;
}

// ---- the team

tn_rt_error tn_rt_multicast_add(const void *handle, int ordinal) {
    TN_RT_TRY(check_fabric());
    TN_RT_TRY(tn_rt_check_device(ordinal));
    TN_FACE_LOCKED(&lock);
    struct object *object = find_object(tn_rt_phys_of(handle));
    TN_RT_REFUSE(object == NULL, TN_RT_INVALID_VALUE, "%p is not a multicast object", handle);
    TN_RT_REFUSE((object->members >> ordinal & 1) != 0 || object->joined == object->team,
                 TN_RT_INVALID_VALUE, "device %d: the team has %u of %u devices%s", ordinal,
                 object->joined, object->team,
                 (object->members >> ordinal & 1) != 0 ? ", and this one" : "");
    object->members |= UINT32_C(1) << ordinal;
    object->joined++;
    (void)pthread_cond_broadcast(&changed);
    return TN_RT_OK;
}

tn_rt_error tn_rt_multicast_wait(tarn_phys phys) {
    struct object *object;
    if (!some) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    return find_object(phys) != NULL ? find_complete(phys, &object) : TN_RT_OK;
}

// ---- bindings

static tn_rt_error check_range(const struct object *object, size_t offset, size_t size) {
    TN_RT_REFUSE(size == 0 || size % unit() != 0 || offset % unit() != 0 ||
                     offset > object->bytes || size > object->bytes - offset,
                 TN_RT_INVALID_VALUE, "%zu bytes at %zu of an object of %zu, in multiples of %zu",
                 size, offset, object->bytes, unit());
    return TN_RT_OK;
}

static tn_rt_error check_memory(const struct object *object, const tarn_phys_info *info,
                                const struct binding *made) {
    TN_RT_REFUSE(made->device < 0 || (object->members >> made->device & 1) == 0,
                 TN_RT_INVALID_VALUE, "the memory is of no device of the team");
    TN_RT_REFUSE(made->skipped % unit() != 0 || made->skipped > info->bytes ||
                     made->bytes > info->bytes - made->skipped,
                 TN_RT_INVALID_VALUE, "%zu bytes at %zu of memory of %llu", made->bytes,
                 made->skipped, (unsigned long long)info->bytes);
    TN_RT_REFUSE(object->shareable && info->shareable == 0, TN_RT_INVALID_VALUE,
                 "an object with handle types takes only memory with handle types");
    for (const struct binding *other = object->bindings; other != NULL; other = other->next)
        TN_RT_REFUSE(other->device == made->device && other->at < made->at + made->bytes &&
                         made->at < other->at + other->bytes,
                     TN_RT_INVALID_VALUE, "device %d has bound %zu bytes at %zu", other->device,
                     other->bytes, other->at);
    return TN_RT_OK;
}

// Maps the memory in a new window, with rights for all devices of the platform.
static tn_rt_error make_window(struct binding *made, tarn_phys memory) {
    tarn_device *device = tn_rt_devices.of[0].tarn;
    tarn_grant grants[TN_RT_DEVICES];
    const size_t count = (size_t)tn_rt_devices.of[0].info.device_count;
    for (size_t i = 0; i < count; i++)
        grants[i] = (tarn_grant){{TARN_LOCATION_DEVICE, (int)i}, TARN_ACCESS_READ_WRITE};
    made->window_bytes = made->skipped + made->bytes;
    TN_RT_TRY(tn_rt_error_of(tarn_space_reserve(device, made->window_bytes, 0, 0, &made->window)));
    tn_rt_error error = tn_rt_error_of(tarn_map(made->window, made->window_bytes, memory));
    if (error == TN_RT_OK) {
        error =
            tn_rt_error_of(tarn_map_set_access(made->window, made->window_bytes, grants, count));
        if (error == TN_RT_OK) return TN_RT_OK;
        (void)tarn_unmap(made->window, made->window_bytes, 0);
    }
    (void)tarn_space_release(made->window);
    return error;
}

static tn_rt_error bind_memory(const void *handle, tarn_phys memory, const struct binding *wanted) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    struct object *object;
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(find_complete(tn_rt_phys_of(handle), &object));
    TN_RT_TRY(check_range(object, wanted->at, wanted->bytes));
    TN_RT_TRY(tn_rt_error_or(tarn_phys_query(memory, &info), TN_RT_INVALID_VALUE));
    struct binding *made = (struct binding *)malloc(sizeof *made);
    TN_RT_REFUSE(made == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a binding");
    *made = *wanted;
    made->device =
        info.location.type == TARN_LOCATION_DEVICE ? tn_rt_ordinal_of(info.location.id) : -1;
    tn_rt_error error = check_memory(object, &info, made);
    if (error == TN_RT_OK) error = make_window(made, memory);
    if (error != TN_RT_OK) {
        free(made);
        return error;
    }
    made->next = object->bindings;
    object->bindings = made;
    return TN_RT_OK;
}

tn_rt_error tn_rt_multicast_bind(const void *handle, size_t offset, const void *memory,
                                 size_t memory_offset, size_t size, unsigned long long flags) {
    TN_RT_TRY(check_fabric());
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%llx are not 0", flags);
    return bind_memory(handle, tn_rt_phys_of(memory),
                       &(struct binding){.at = offset, .bytes = size, .skipped = memory_offset});
}

tn_rt_error tn_rt_multicast_bind_address(const void *handle, size_t offset, const void *ptr,
                                         size_t size, unsigned long long flags) {
    struct tn_rt_block block;
    tarn_phys memory = 0;
    TN_RT_TRY(check_fabric());
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%llx are not 0", flags);
    bool known = tn_rt_block_query(ptr, &block);
    TN_RT_REFUSE(known && block.kind == TN_RT_BLOCK_POOLED, TN_RT_NOT_SUPPORTED,
                 "%p is memory of a pool: only memory of cuMemCreate can be bound", ptr);
    TN_RT_REFUSE(!known || block.kind != TN_RT_BLOCK_MAPPED, TN_RT_INVALID_VALUE,
                 "%p is not mapped memory", ptr);
    TN_RT_REFUSE(size > block.bytes - (size_t)(TARN_ADDR(ptr) - block.start), TN_RT_INVALID_VALUE,
                 "%zu bytes at %p leave the mapping of %zu", size, ptr, block.bytes);
    TN_RT_TRY(tn_rt_error_or(tarn_map_retain(block.start, &memory), TN_RT_INVALID_VALUE));
    tn_rt_error error = bind_memory(
        handle, memory,
        &(struct binding){.at = offset, .bytes = size, .skipped = TARN_ADDR(ptr) - block.start});
    (void)tarn_phys_release(memory);
    return error;
}

tn_rt_error tn_rt_multicast_unbind(const void *handle, int ordinal, size_t offset, size_t size) {
    struct object *object;
    TN_RT_TRY(check_fabric());
    TN_RT_TRY(tn_rt_check_device(ordinal));
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(find_complete(tn_rt_phys_of(handle), &object));
    struct binding **at = &object->bindings;
    while (*at != NULL && ((*at)->device != ordinal || (*at)->at != offset || (*at)->bytes != size))
        at = &(*at)->next;
    TN_RT_REFUSE(*at == NULL, TN_RT_INVALID_VALUE, "device %d has not bound %zu bytes at %zu",
                 ordinal, size, offset);
    struct binding *binding = *at;
    *at = binding->next;
    end_binding(binding);
    return TN_RT_OK;
}

// ---- the rest of the runtime

tn_rt_error tn_rt_multicast_check_release(tarn_phys phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (!some) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    if (find_object(phys) == NULL) return TN_RT_OK;
    (void)tarn_phys_query(phys, &info);
    TN_RT_REFUSE(info.user_refs <= 1, TN_RT_INVALID_VALUE, "0x%llx was released before",
                 (unsigned long long)phys);
    return TN_RT_OK;
}

tn_rt_error tn_rt_multicast_refuse_handle(tarn_phys phys) {
    if (!some) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(find_object(phys) != NULL, TN_RT_INVALID_VALUE,
                 "0x%llx is a multicast object, not memory", (unsigned long long)phys);
    return TN_RT_OK;
}

// Returns the mapped handle, or 0.
static tarn_phys mapped_at(tarn_addr addr, struct tn_rt_block *block) {
    return some && addr != 0 && tn_rt_block_query((const void *)(uintptr_t)addr, block) &&
                   block->kind == TN_RT_BLOCK_MAPPED
               ? block->phys
               : 0;
}

tn_rt_error tn_rt_multicast_refuse_address(tarn_addr addr) {
    struct tn_rt_block block;
    const tarn_phys phys = mapped_at(addr, &block);
    if (phys == 0) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    TN_RT_REFUSE(find_object(phys) != NULL, TN_RT_NOT_SUPPORTED,
                 "0x%llx is a multicast address: only copies and fills of linear memory reach it",
                 (unsigned long long)addr);
    return TN_RT_OK;
}

tn_rt_error tn_rt_multicast_import(tarn_phys *phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    TN_RT_TRY(tn_rt_error_or(tarn_phys_query(*phys, &info), TN_RT_INVALID_VALUE));
    if (info.user[0] != MARK) return TN_RT_OK;
    (void)tarn_phys_release(*phys);
    TN_FACE_LOCKED(&lock);
    struct object *object = objects;
    while (object != NULL && object->identity != info.user[1]) object = object->next;
    TN_RT_REFUSE(object == NULL, TN_RT_NOT_SUPPORTED,
                 "the handle is of a multicast object of another process");
    *phys = object->phys;
    return tn_rt_error_or(tarn_phys_retain(object->phys), TN_RT_INVALID_VALUE);
}

// ---- copies and fills

// A write to an object. `submit` submits its bytes [skip, skip + bytes), to `dst` instead.
struct spread {
    tarn_device *device;
    tarn_stream stream;
    const void *desc;
    uint64_t bytes; // from the first to behind the last
    bool one_row;
    tarn_status (*submit)(const struct spread *spread, tarn_addr dst, uint64_t skip,
                          uint64_t bytes);
};

// Walks the bindings of a device in a range. With `dry` it only checks that they cover it.
static tn_rt_error spread_to(const struct object *object, int device, const struct spread *spread,
                             uint64_t from, bool dry) {
    for (uint64_t done = 0; done < spread->bytes;) {
        const struct binding *b = object->bindings;
        const uint64_t at = from + done;
        while (b != NULL && (b->device != device || at < b->at || at - b->at >= b->bytes))
            b = b->next;
        TN_RT_REFUSE(b == NULL, TN_RT_INVALID_VALUE, "device %d has bound nothing at %llu", device,
                     (unsigned long long)at);
        uint64_t bytes = b->bytes - (at - b->at);
        if (bytes > spread->bytes - done) bytes = spread->bytes - done;
        TN_RT_REFUSE(bytes < spread->bytes && !spread->one_row, TN_RT_INVALID_VALUE,
                     "the rows lie in several bindings of device %d", device);
        if (!dry)
            TN_RT_TRY(tn_rt_error_of(
                spread->submit(spread, b->window + b->skipped + (at - b->at), done, bytes)));
        done += bytes;
    }
    return TN_RT_OK;
}

static tn_rt_error write_object(tarn_addr dst, const struct spread *spread, bool *is_object) {
    struct tn_rt_block block;
    const tarn_phys phys = mapped_at(dst, &block);
    *is_object = false;
    if (phys == 0) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    const struct object *object = find_object(phys);
    if (object == NULL) return TN_RT_OK;
    *is_object = true;
    for (int pass = 0; pass < 2; pass++)
        for (int device = 0; device < tn_rt_devices.count; device++)
            if ((object->members >> device & 1) != 0)
                TN_RT_TRY(spread_to(object, device, spread, dst - block.start, pass == 0));
    return TN_RT_OK;
}

static uint64_t span_of(uint64_t row, uint64_t height, uint64_t pitch, uint64_t depth,
                        uint64_t slice) {
    return row + (height > 1 ? (height - 1) * pitch : 0) + (depth > 1 ? (depth - 1) * slice : 0);
}

static tarn_status submit_copy(const struct spread *spread, tarn_addr dst, uint64_t skip,
                               uint64_t bytes) {
    tarn_copy_desc desc = *(const tarn_copy_desc *)spread->desc;
    desc.dst = dst;
    desc.src += skip;
    if (spread->one_row) desc.width = bytes;
    return tarn_copy_box(spread->device, &desc, spread->stream);
}

tn_rt_error tn_rt_multicast_copy(tarn_device *device, const tarn_copy_desc *desc,
                                 tarn_stream stream, bool *spread) {
    const struct spread copy = {
        device,
        stream,
        desc,
        span_of(desc->width, desc->height, desc->dst_pitch, desc->depth, desc->dst_slice_pitch),
        desc->height <= 1 && desc->depth <= 1,
        submit_copy};
    *spread = false;
    if (!some) return TN_RT_OK;
    TN_RT_TRY(tn_rt_multicast_refuse_address(desc->src));
    return write_object(desc->dst, &copy, spread);
}

static tarn_status submit_fill(const struct spread *spread, tarn_addr dst, uint64_t skip,
                               uint64_t bytes) {
    tarn_fill_desc desc = *(const tarn_fill_desc *)spread->desc;
    (void)skip;
    desc.dst = dst;
    if (spread->one_row) desc.width = bytes / desc.element_bytes;
    return tarn_fill_box(spread->device, &desc, spread->stream);
}

tn_rt_error tn_rt_multicast_fill(tarn_device *device, const tarn_fill_desc *desc,
                                 tarn_stream stream, bool *spread) {
    const struct spread fill = {device,
                                stream,
                                desc,
                                span_of(desc->width * desc->element_bytes, desc->height,
                                        desc->pitch, desc->depth, desc->slice_pitch),
                                desc->height <= 1 && desc->depth <= 1,
                                submit_fill};
    *spread = false;
    return some ? write_object(desc->dst, &fill, spread) : TN_RT_OK;
}

// The objects belong to the parent.
static void forget_objects(void) {
    TN_CHAIN_DRAIN(struct object, object, objects, next) free(object);
    some = false;
}
TN_FACE_ON_FORK(TN_RT_LOCK_MULTICAST, &lock, forget_objects);
