// SPDX-License-Identifier: Apache-2.0
// Bytes become calls of HIP about a small arena of addresses, a few handles and a few descriptors.
// A naive model of pages says what each call must answer, every code of it, and what every byte
// must be. After a call that failed the whole state is asked for: nothing may have changed.
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hip/hip_runtime_api.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { G = 4096, HALF = G / 2, PAGES = 40, HALVES = 2 * PAGES }; // copies go by half a page
enum { HANDLES = 6, MEMORIES = 64, FDS = 3, CAPACITY = 48, FRESH = 165 };
enum { DEVICES = 2, HOST = DEVICES, HOLDERS }; // who has rights

// Physical memory, alive while a handle, a mapping or a descriptor is.
struct memory {
    unsigned pages;
    int device;
    bool shareable;
    unsigned char halves[HALVES];
};

// One slot of the caller's. Dead: 0 references, but its value stays to be tried.
struct handle {
    hipMemGenericAllocationHandle_t value;
    int memory;
    bool imported;
    unsigned user_refs, map_refs;
};

struct page {
    bool reserved;
    unsigned first, last; // of the reservation, one past the end
    int handle;           // -1: nothing mapped
    unsigned start, end;  // of the mapping
    unsigned rights[HOLDERS];
};

struct world {
    char *arena;
    int memories; // made so far
    struct memory memory[MEMORIES];
    struct handle handles[HANDLES];
    struct page pages[PAGES];
    int fds[FDS]; // -1: none
    int fd_memory[FDS];
    int current; // device
};

static bool failed; // the last call did, as it had to

static void must(bool good, const char *what) {
    if (!good) {
        (void)fprintf(stderr, "model and library differ: %s (last text: %s)\n", what,
                      hipExtGetLastErrorText());
        abort();
    }
}

static void answers(hipError_t got, hipError_t want, const char *what) {
    if (got != want) {
        (void)fprintf(stderr, "%s: %s, not %s\n", what, hipGetErrorName(got),
                      hipGetErrorName(want));
    }
    must(got == want, what);
    failed = want != hipSuccess;
}

static hipError_t value_if(bool bad) { return bad ? hipErrorInvalidValue : hipSuccess; }

static char *address(const struct world *w, unsigned page) { return w->arena + (size_t)page * G; }

static bool live(const struct handle *h) { return h->user_refs + h->map_refs != 0; }

static struct memory *memory_of(struct world *w, const struct page *page) {
    return &w->memory[w->handles[page->handle].memory];
}

// ---- ranges

static void reserve(struct world *w, unsigned page, unsigned pages) {
    void *at = NULL;
    bool taken = page + pages > PAGES;
    for (unsigned i = page; i < page + pages && i < PAGES; i++) taken |= w->pages[i].reserved;
    answers(hipMemAddressReserve(&at, (size_t)pages * G, 0, address(w, page), 0),
            value_if(pages == 0), "reserve");
    if (pages == 0) return;
    if (page + pages <= PAGES) // beside the arena is the kernel's to say
        must((at == address(w, page)) == !taken, "a hint that is free is honoured, another is not");
    if (taken) {
        answers(hipMemAddressFree(at, (size_t)pages * G), hipSuccess, "free elsewhere");
        return;
    }
    for (unsigned i = page; i < page + pages; i++)
        w->pages[i] = (struct page){true, page, page + pages, -1, 0, 0, {0}};
}

static void free_range(struct world *w, unsigned page, unsigned pages) {
    bool good = page < PAGES && w->pages[page].reserved && w->pages[page].first == page &&
                w->pages[page].last == page + pages;
    for (unsigned i = page; good && i < page + pages; i++) good = w->pages[i].handle < 0;
    answers(hipMemAddressFree(address(w, page), (size_t)pages * G), value_if(!good), "free");
    for (unsigned i = page; good && i < page + pages; i++) w->pages[i].reserved = false;
}

// ---- memory

static unsigned held(const struct world *w, int device) {
    unsigned pages = 0;
    for (int i = 0; i < HANDLES; i++) {
        const struct handle *h = &w->handles[i];
        const struct memory *m = &w->memory[h->memory];
        pages += live(h) && !h->imported && m->device == device ? m->pages : 0;
    }
    return pages;
}

static struct handle *first_dead(struct world *w) {
    for (int i = 0; i < HANDLES; i++)
        if (!live(&w->handles[i])) return &w->handles[i];
    return NULL;
}

// What is wrong with a call of create, by number; others are good.
enum { FLAGS = 24, TYPE, PLACE, NO_DEVICE, LAST_DEVICE, KIND, ODD_SIZE, NO_PROP };

static hipError_t expect_create(const struct world *w, unsigned pages, int device, unsigned wrong) {
    bool bad = pages == 0 || wrong == FLAGS || wrong == TYPE || wrong == PLACE || wrong == NO_PROP;
    return bad                                          ? hipErrorInvalidValue
           : wrong == NO_DEVICE || wrong == LAST_DEVICE ? hipErrorInvalidDevice
           : wrong == KIND                              ? hipErrorNotSupported
           : pages + (wrong == ODD_SIZE) > CAPACITY     ? hipErrorOutOfMemory
           : wrong == ODD_SIZE                          ? hipErrorInvalidValue
           : pages + held(w, device) > CAPACITY         ? hipErrorOutOfMemory
                                                        : hipSuccess;
}

static void create(struct world *w, unsigned pages, unsigned how) {
    struct handle *h = first_dead(w);
    int device = (int)(how & 1);
    bool shareable = (how & 2) != 0;
    unsigned wrong = how % 32;
    hipMemAllocationProp prop;
    hipMemGenericAllocationHandle_t value = NULL;
    if (h == NULL || w->memories == MEMORIES) return;
    memset(&prop, 0, sizeof prop);
    prop.type = wrong == TYPE ? hipMemAllocationTypeInvalid : hipMemAllocationTypePinned;
    prop.location.type = wrong == PLACE ? hipMemLocationTypeInvalid : hipMemLocationTypeDevice;
    prop.location.id = wrong == NO_DEVICE ? -1 : wrong == LAST_DEVICE ? DEVICES : device;
    prop.requestedHandleType = (hipMemAllocationHandleType)(wrong == KIND ? 3 : shareable);
    hipError_t want = expect_create(w, pages, device, wrong);
    answers(hipMemCreate(&value, (size_t)pages * G + (wrong == ODD_SIZE),
                         wrong == NO_PROP ? NULL : &prop, wrong == FLAGS),
            want, "create");
    if (want == hipSuccess) {
        struct memory *m = &w->memory[w->memories];
        *m = (struct memory){pages, device, shareable, {0}};
        memset(m->halves, FRESH, sizeof m->halves);
        *h = (struct handle){value, w->memories++, false, 1, 0};
    }
}

static void release(struct handle *h) {
    answers(hipMemRelease(h->value), value_if(h->user_refs == 0), "release");
    h->user_refs -= h->user_refs > 0;
}

static void retain(struct world *w, unsigned page, unsigned byte) {
    hipMemGenericAllocationHandle_t value = NULL;
    bool mapped = page < PAGES && w->pages[page].handle >= 0;
    answers(hipMemRetainAllocationHandle(&value, address(w, page) + byte), value_if(!mapped),
            "retain");
    if (mapped) {
        struct handle *h = &w->handles[w->pages[page].handle];
        must(value == h->value, "the handle that was mapped");
        h->user_refs++;
    }
}

static void ask_properties(struct world *w, const struct handle *h) {
    hipMemAllocationProp prop;
    answers(hipMemGetAllocationPropertiesFromHandle(&prop, h->value), value_if(!live(h)),
            "properties");
    if (live(h)) {
        const struct memory *m = &w->memory[h->memory];
        must(prop.location.type == hipMemLocationTypeDevice && prop.location.id == m->device &&
                 (int)prop.requestedHandleType == (int)m->shareable,
             "properties");
    }
}

// ---- between processes, as far as one process can

static void export_to(struct world *w, const struct handle *h, int slot, int type) {
    int fd = -1;
    bool good = live(h) && w->memory[h->memory].shareable && type == 1;
    answers(hipMemExportToShareableHandle(&fd, h->value, (hipMemAllocationHandleType)type, 0),
            value_if(!good), "export");
    if (good) {
        must(fd > 2 && fcntl(fd, F_GETFD) == FD_CLOEXEC, "a descriptor of the caller's");
        if (w->fds[slot] >= 0) must(close(w->fds[slot]) == 0, "close");
        w->fds[slot] = fd;
        w->fd_memory[slot] = h->memory;
    }
}

static void import_from(struct world *w, int slot, bool by_pointer) {
    struct handle *h = first_dead(w);
    int fd = w->fds[slot] >= 0 ? w->fds[slot] : 0xfffff; // which nobody has
    hipMemGenericAllocationHandle_t value = NULL;
    if (h == NULL) return;
    answers(hipMemImportFromShareableHandle(&value,
                                            by_pointer ? (void *)&fd : (void *)(uintptr_t)fd,
                                            hipMemHandleTypePosixFileDescriptor),
            value_if(w->fds[slot] < 0), "import");
    if (w->fds[slot] >= 0) *h = (struct handle){value, w->fd_memory[slot], true, 1, 0};
}

static void close_fd(struct world *w, int slot) {
    if (w->fds[slot] >= 0) {
        must(close(w->fds[slot]) == 0, "close");
        w->fds[slot] = -1;
    }
}

// ---- mappings

static void map(struct world *w, unsigned page, unsigned pages, int index, unsigned odd) {
    struct handle *h = &w->handles[index];
    bool bad = pages == 0 || odd != 0 || page + pages > PAGES || !live(h) ||
               pages > w->memory[h->memory].pages;
    for (unsigned i = page; !bad && i < page + pages; i++) {
        bad = !w->pages[i].reserved || w->pages[i].handle >= 0 ||
              w->pages[i].first != w->pages[page].first;
    }
    answers(hipMemMap(address(w, page) + (odd == 1), (size_t)pages * G + (odd == 2),
                      odd == 3 ? G : 0, h->value, odd == 4),
            value_if(bad), "map");
    for (unsigned i = page; !bad && i < page + pages; i++) {
        w->pages[i].handle = index;
        w->pages[i].start = page;
        w->pages[i].end = page + pages;
        memset(w->pages[i].rights, 0, sizeof w->pages[i].rights);
    }
    h->map_refs += !bad;
}

// A run of whole mappings of one reservation.
static bool whole(const struct world *w, unsigned page, unsigned pages) {
    bool good = pages > 0 && page + pages <= PAGES;
    for (unsigned i = page; good && i < page + pages; i++)
        good = w->pages[i].handle >= 0 && w->pages[i].first == w->pages[page].first;
    return good && w->pages[page].start == page && w->pages[page + pages - 1].end == page + pages;
}

static void unmap(struct world *w, unsigned page, unsigned pages, unsigned odd) {
    bool good = whole(w, page, pages) && odd == 0;
    answers(hipMemUnmap(address(w, page) + (odd == 1), (size_t)pages * G - (odd == 2)),
            value_if(!good), "unmap");
    for (unsigned i = page; good && i < page + pages; i++)
        w->handles[w->pages[i].handle].map_refs -= w->pages[i].start == i;
    for (unsigned i = page; good && i < page + pages; i++) w->pages[i].handle = -1;
}

// ---- rights

static hipMemLocation location_of(unsigned holder) {
    return holder == HOST ? (hipMemLocation){hipMemLocationTypeHost, 0}
                          : (hipMemLocation){hipMemLocationTypeDevice, (int)holder};
}

// Up to 3 descriptions; some bits of `how` spoil the last one.
static void set_access(struct world *w, unsigned page, unsigned pages, unsigned how) {
    static const unsigned kinds[] = {0, 1, 3};
    hipMemAccessDesc desc[3];
    unsigned holder[3];
    size_t count = 1 + how % 3;
    bool bad = how / 64 == 3;
    for (size_t i = 0; i < count; i++) {
        holder[i] = (how / 3 + (unsigned)i * 2) % HOLDERS;
        desc[i].location = location_of(holder[i]);
        desc[i].flags = (hipMemAccessFlags)kinds[(how / 9 + (unsigned)i) % 3];
    }
    if (bad && how % 2 == 0)
        desc[count - 1].flags = (hipMemAccessFlags)2;
    else if (bad)
        desc[count - 1].location = (hipMemLocation){hipMemLocationTypeDevice, DEVICES};
    bool good = whole(w, page, pages) && !bad;
    answers(hipMemSetAccess(address(w, page), (size_t)pages * G, desc, count), value_if(!good),
            "set access");
    for (unsigned i = page; good && i < page + pages; i++)
        for (size_t k = 0; k < count; k++) w->pages[i].rights[holder[k]] = (unsigned)desc[k].flags;
}

// ---- bytes

// The current device, the device that runs the copy and the owner of the page are asked.
static bool may(struct world *w, const struct page *page, int runs, unsigned right) {
    return page->handle >= 0 && ((page->rights[w->current] | page->rights[runs] |
                                  page->rights[memory_of(w, page)->device]) &
                                 right) != 0;
}

static unsigned char *half_of(struct world *w, unsigned half) {
    struct page *page = &w->pages[half / 2];
    return &memory_of(w, page)->halves[half - 2 * page->start];
}

// Over borders of mappings, but not into another reservation. The owner of the first page runs the
// copy.
static bool may_all(struct world *w, unsigned half, unsigned halves, unsigned right) {
    const struct page *first = &w->pages[half / 2];
    int runs = first->handle >= 0 ? memory_of(w, first)->device : w->current;
    bool good = half + halves <= HALVES;
    for (unsigned i = half; good && i < half + halves; i++) {
        const struct page *page = &w->pages[i / 2];
        good = may(w, page, runs, right) && page->first == first->first;
    }
    return good;
}

// What begins in no reservation is the program's own memory to HIP, and would be followed.
static bool is_ours(const struct world *w, unsigned half) { return w->pages[half / 2].reserved; }

static void copy_in(struct world *w, unsigned half, unsigned halves, unsigned char byte) {
    static unsigned char bytes[HALVES * HALF];
    if (!is_ours(w, half)) return;
    bool good = may_all(w, half, halves, 2);
    memset(bytes, byte, (size_t)halves * HALF);
    answers(hipMemcpyHtoD(w->arena + (size_t)half * HALF, bytes, (size_t)halves * HALF),
            value_if(!good), "copy in");
    for (unsigned i = half; good && i < half + halves; i++) *half_of(w, i) = byte;
}

static void copy_out(struct world *w, unsigned half, unsigned halves) {
    static unsigned char bytes[HALVES * HALF];
    if (!is_ours(w, half)) return;
    bool good = may_all(w, half, halves, 1);
    answers(hipMemcpyDtoH(bytes, w->arena + (size_t)half * HALF, (size_t)halves * HALF),
            value_if(!good), "copy out");
    for (unsigned i = 0; good && i < halves; i++) {
        must(bytes[i * HALF] == *half_of(w, half + i) &&
                 bytes[(i + 1) * HALF - 1] == *half_of(w, half + i),
             "bytes");
    }
}

// ---- the whole state

static void compare_rights(const struct world *w, unsigned page, bool mapped) {
    for (unsigned i = 0; i < HOLDERS; i++) {
        unsigned long long flags = 77;
        hipMemLocation location = location_of(i);
        hipError_t error = hipMemGetAccess(&flags, &location, address(w, page) + 5);
        must(error == (mapped ? hipSuccess : hipErrorInvalidValue), "get access");
        must(flags == (mapped ? w->pages[page].rights[i] : 77), "rights");
    }
}

static void compare_page(struct world *w, unsigned index) {
    const struct page *page = &w->pages[index];
    bool mapped = page->handle >= 0;
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    hipPointerAttribute_t attributes;
    hipError_t error = hipMemGetAddressRange(&base, &size, address(w, index) + G - 1);
    must(error == (mapped ? hipSuccess : hipErrorNotFound), "address range");
    must(!mapped || (base == address(w, page->start) && size == (page->end - page->start) * G),
         "range of the mapping");
    must(hipPointerGetAttributes(&attributes, address(w, index) + 1) == hipSuccess, "attributes");
    must(attributes.device == (mapped ? memory_of(w, page)->device : -2), "device of the memory");
    compare_rights(w, index, mapped);
}

static void compare_bytes(struct world *w) {
    for (unsigned i = 0, run = 1; i < HALVES; i += run) {
        for (run = 1; may_all(w, i, run + 1, 1);) // what can be had in one piece
            run++;
        copy_out(w, i, run);
    }
}

static void compare_memory(struct world *w) {
    for (int i = 0; i < HANDLES; i++) ask_properties(w, &w->handles[i]);
    for (int i = 0; i < DEVICES; i++) {
        size_t free_bytes = 0;
        must(hipSetDevice(i) == hipSuccess, "set device");
        must(hipMemGetInfo(&free_bytes, NULL) == hipSuccess, "memory");
        must(free_bytes == (CAPACITY - held(w, i)) * (size_t)G, "free bytes");
    }
    must(hipSetDevice(w->current) == hipSuccess, "set device");
}

static void compare(struct world *w) {
    for (unsigned i = 0; i < PAGES; i++) compare_page(w, i);
    compare_bytes(w);
    compare_memory(w);
}

// After a call that failed: both ends of its range. Comparing everything costs as much as 30 calls.
static void compare_ends(struct world *w, unsigned page, unsigned pages) {
    const unsigned ends[] = {page, page + pages - 1, page + pages};
    for (int i = 0; i < 3; i++)
        if (ends[i] < PAGES) compare_page(w, ends[i]);
}

// ---- one run

static void share(struct world *w, unsigned how, int index) {
    int slot = (int)(how % FDS);
    switch (how / FDS % 5) {
    case 0:
    case 1: export_to(w, &w->handles[index], slot, how > 240 ? 2 : 1); break;
    case 2:
    case 3: import_from(w, slot, how % 2 == 0); break;
    default: close_fd(w, slot); break;
    }
}

static void step(struct world *w, const uint8_t *op) {
    unsigned page = op[1] % (PAGES + 2);
    unsigned pages = op[2] % 12;
    int index = op[3] % HANDLES;
    unsigned odd = op[3] >= 240 ? op[3] % 5 : 0;
    failed = false;
    switch (op[0] % 13) {
    case 0: reserve(w, page, pages); break;
    case 1: free_range(w, page, pages); break;
    case 2: create(w, op[2] % (CAPACITY + 2), op[3]); break;
    case 3: release(&w->handles[index]); break;
    case 4: retain(w, page, (op[2] * 16u + op[3]) % G); break;
    case 5:
    case 6: map(w, page, pages, index, odd); break;
    case 7: unmap(w, page, pages, odd % 3); break;
    case 8: set_access(w, page, pages, op[3]); break;
    case 9: share(w, op[2], index); break;
    case 10:
        w->current = op[3] % DEVICES;
        must(hipSetDevice(w->current) == hipSuccess, "set device");
        break;
    case 11: copy_in(w, op[1] % HALVES, 1 + op[2] % 20u, op[3]); break;
    default: copy_out(w, op[1] % HALVES, 1 + op[2] % 20u); break;
    }
}

static void begin(struct world *w) {
    static bool known;
    const size_t space = (size_t)64 << 30;
    void *at = NULL;
    memset(w, 0, sizeof *w);
    if (!known) {
        known = true;
        must(setenv("TARN_HIP_DEVICE", "host:0,devices=2,memory=192K,granularity=4K,poison=165",
                    1) == 0 &&
                 setenv("TARN_HIP_COMPAT", "7", 1) == 0 && unsetenv("HIP_VISIBLE_DEVICES") == 0,
             "environment");
    }
    must(hipSetDevice(0) == hipSuccess, "set device");
    // In the midst of a hole so large that nobody else gets there.
    must(hipMemAddressReserve(&at, space, 0, NULL, 0) == hipSuccess, "arena");
    must(hipMemAddressFree(at, space) == hipSuccess, "arena");
    w->arena = (char *)at + space / 2;
    for (int i = 0; i < FDS; i++) w->fds[i] = -1;
    for (int i = 0; i < PAGES; i++) w->pages[i].handle = -1;
    for (int i = 0; i < HANDLES; i++)
        w->handles[i].value = (hipMemGenericAllocationHandle_t)(uintptr_t)0xdeadbeef;
}

static void end(struct world *w) {
    for (unsigned i = 0; i < PAGES; i++)
        if (w->pages[i].handle >= 0) unmap(w, i, w->pages[i].end - i, 0);
    for (unsigned i = 0; i < PAGES; i++)
        if (w->pages[i].reserved) free_range(w, i, w->pages[i].last - i);
    for (int i = 0; i < HANDLES; i++)
        while (w->handles[i].user_refs > 0) release(&w->handles[i]);
    for (int i = 0; i < FDS; i++) close_fd(w, i);
    compare(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct world world;
    begin(&world);
    for (; size >= 4; data += 4, size -= 4) {
        step(&world, data);
        if (size % 128 < 4)
            compare(&world);
        else if (failed)
            compare_ends(&world, data[1] % (PAGES + 2), data[2] % 12);
    }
    end(&world);
    return 0;
}
