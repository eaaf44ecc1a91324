// SPDX-License-Identifier: Apache-2.0
// A seal is eight random bytes at the start of a region and at its end. A smaller region is one
// seal. More seals would page in memory that the program may never touch. They are written by
// instructions to the memory of Tarn's pools, once a system call has written there; elsewhere by
// system calls, which fail where an instruction would fault. They are read by system calls.
#include "check/seal.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "annotate/subscriber.h"

enum { WIDTH = 8, MAX_SEALS = 2, ENOUGH = 4 };

// A seal's bytes.
union seal {
    uint64_t word;
    unsigned char bytes[WIDTH];
} __attribute__((packed, may_alias)); // at any address

static _Atomic uint64_t pattern; // 0 until it is generated

// Any byte may be zero, but not the first one.
static union seal make_pattern(void) {
    union seal seal = {0};
    uint64_t none = 0;
    if (getrandom(seal.bytes, WIDTH, GRND_NONBLOCK) != WIDTH)
        seal.word = UINT64_C(0xf42a86c70be3519d);
    seal.bytes[0] |= 1;
    return tn_cas_relaxed(&pattern, &none, seal.word) ? seal : (union seal){none};
}

static union seal get_pattern(void) {
    uint64_t word = tn_load_relaxed(&pattern);
    return word != 0 ? (union seal){word} : make_pattern();
}

// Stores the addresses of the region's seals. Returns their number.
static unsigned seal_places(const struct tn_check_region *region, uint64_t place[MAX_SEALS]) {
    place[0] = region->seals.lo;
    if (region->seals.hi - region->seals.lo < UINT64_C(2) * WIDTH) return 1;
    place[1] = region->seals.hi - WIDTH;
    return 2;
}

static size_t width_of(const struct tn_check_region *region) {
    uint64_t bytes = region->seals.hi - region->seals.lo;
    return bytes < WIDTH ? (size_t)bytes : WIDTH;
}

// ---- writing

static bool write_by_system(const uint64_t *place, unsigned count, size_t width) {
    struct iovec there[MAX_SEALS];
    struct iovec here[MAX_SEALS];
    union seal seal = get_pattern();
    for (unsigned i = 0; i < count; i++) {
        there[i] = (struct iovec){(void *)(uintptr_t)place[i], width};
        here[i] = (struct iovec){seal.bytes, width};
    }
    return process_vm_writev(getpid(), here, count, there, count, 0) == (ssize_t)(width * count);
}

// Tools count the bytes as unallocated until their own subscriber has seen the event.
__attribute__((no_sanitize("address", "thread"))) static void write_by_instructions(uint64_t place,
                                                                                    size_t width) {
    union seal seal = get_pattern();
    volatile union seal *to = (volatile union seal *)(uintptr_t)place;
    if (width == WIDTH) to->word = seal.word;
    for (size_t i = 0; width != WIDTH && i < width; i++) to->bytes[i] = seal.bytes[i];
}

// *entry is the entry of another place, or empty, and may become that of this one.
static enum tn_check_backing backing_of(uint64_t place, size_t width,
                                        struct tn_interval_entry *entry) {
    bool found = (entry->start <= place && place < entry->end) ||
                 tn_interval_find(&tn_check_model.backing, place, entry);
    return found && place + width <= entry->end ? (enum tn_check_backing)entry->value
                                                : TN_CHECK_BACKING_OTHER;
}

// The call gave up its lock since it wrote the seal. Memory that changed meanwhile may be gone.
// Valgrind would report a write by an instruction.
void tn_check_seal_reached(const struct tn_check_call *call) {
    struct tn_interval_entry entry;
    if (call->probed_when == tn_check_model.backing_changes &&
        tn_interval_find(&tn_check_model.backing, call->probed, &entry) &&
        entry.value == TN_CHECK_BACKING_OWN && !tn_subscriber_valgrind.detect())
        (void)tn_interval_set(&tn_check_model.backing, entry.start, TN_CHECK_BACKING_REACHED);
}

bool tn_check_seal_write(struct tn_check_call *call, struct tn_check_region *region, uint64_t lo,
                         uint64_t hi) {
    uint64_t place[MAX_SEALS];
    region->seals = (struct tn_check_run){lo, hi};
    size_t width = width_of(region);
    unsigned count = seal_places(region, place);
    bool reached = true;
    struct tn_interval_entry entry = {0};
    for (unsigned i = 0; i < count; i++) {
        enum tn_check_backing backing = backing_of(place[i], width, &entry);
        reached = reached && backing == TN_CHECK_BACKING_REACHED;
        call->probed = backing == TN_CHECK_BACKING_OWN ? place[i] : call->probed;
    }
    call->probed_when = tn_check_model.backing_changes;
    if (!reached && !write_by_system(place, count, width)) {
        call->probed = 0;
        return false;
    }
    for (unsigned i = 0; reached && i < count; i++) write_by_instructions(place[i], width);
    return true;
}

// ---- reading

enum look { NOT_THERE, INTACT, CHANGED };

// Looks at the part of a seal that lies in the range, if that part is long enough to recognise it, and
// stores that part.
static enum look look_at_seal(const struct tn_check_region *region, struct tn_check_seal seal,
                              uint64_t lo, uint64_t hi, struct tn_check_seal *part) {
    unsigned char found[WIDTH];
    union seal bytes = get_pattern();
    uint64_t from = seal.place.lo > lo ? seal.place.lo : lo;
    uint64_t to = seal.place.hi < hi ? seal.place.hi : hi;
    if (from >= to || (to - from < ENOUGH && to - from < width_of(region)) ||
        tn_check_written_touches(&region->written, from, to))
        return NOT_THERE;
    struct iovec here = {found, (size_t)(to - from)};
    struct iovec there = {(void *)(uintptr_t)from, (size_t)(to - from)};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)(to - from))
        return NOT_THERE;
    *part = (struct tn_check_seal){{from, to}, seal.from + (unsigned)(from - seal.place.lo)};
    return memcmp(found, bytes.bytes + part->from, (size_t)(to - from)) == 0 ? INTACT : CHANGED;
}

static bool is_carried_over(const struct tn_check_carried *carried, uint64_t lo, uint64_t hi) {
    bool over = false;
    for (unsigned i = 0; carried != NULL && i < carried->count; i++)
        over = over || (carried->bytes[i].lo < hi && lo < carried->bytes[i].hi);
    return over;
}

// Stores all seals that the region may have. Returns their number.
static unsigned list_seals(const struct tn_check_region *region,
                           struct tn_check_seal seal[TN_CHECK_SEALS]) {
    uint64_t place[MAX_SEALS];
    const struct tn_check_carried *carried = region->written.carried;
    unsigned own = region->sealed ? seal_places(region, place) : 0;
    unsigned count = 0;
    for (unsigned i = 0; i < own; i++) {
        uint64_t end = place[i] + width_of(region);
        if (!is_carried_over(carried, place[i], end))
            seal[count++] = (struct tn_check_seal){{place[i], end}, 0};
    }
    for (unsigned i = 0; carried != NULL && i < carried->count; i++)
        if (carried->bytes[i].seal.lo < carried->bytes[i].seal.hi)
            seal[count++] =
                (struct tn_check_seal){carried->bytes[i].seal, carried->bytes[i].seal_from};
    return count;
}

unsigned tn_check_seals_intact(const struct tn_check_region *region, uint64_t lo, uint64_t hi,
                               struct tn_check_seal seal[TN_CHECK_SEALS], bool *changed) {
    unsigned count = list_seals(region, seal);
    unsigned intact = 0;
    *changed = false;
    for (unsigned i = 0; i < count; i++) {
        enum look look = look_at_seal(region, seal[i], lo, hi, &seal[intact]);
        *changed = *changed || look == CHANGED;
        intact += look == INTACT;
    }
    return intact;
}

struct tn_check_seals tn_check_seals_in(const struct tn_check_region *region, uint64_t lo,
                                        uint64_t hi) {
    struct tn_check_seal seal[TN_CHECK_SEALS];
    struct tn_check_seals seals = {0};
    if (tn_check_seals_intact(region, lo, hi, seal, &seals.changed) != 0)
        seals.intact = seal[0].place;
    return seals;
}

bool tn_check_seal_is_hidden(const struct tn_check_region *region) {
    char byte;
    struct iovec here = {&byte, 1};
    struct iovec there = {(void *)(uintptr_t)region->lo, 1};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == -1 && errno == EFAULT;
}

const struct tn_check_carried_bytes *tn_check_carried_at(const struct tn_check_region *region,
                                                         uint64_t address) {
    const struct tn_check_carried *carried = region->written.carried;
    for (unsigned i = carried != NULL ? carried->count : 0; i-- > 0;)
        if (carried->bytes[i].lo <= address && address < carried->bytes[i].hi)
            return &carried->bytes[i];
    return NULL;
}
