// SPDX-License-Identifier: Apache-2.0
// Input bytes become calls about one reservation and a few handles. A simple model of pages gives
// the expected results.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { G = 4096, PAGES = 32, HANDLES = 6, DEVICES = 2 };

struct handle {
    tarn_phys id; // 0: never made
    unsigned pages, user_refs, map_refs;
};

struct page {
    int handle;          // -1: nothing mapped
    unsigned start, end; // of its mapping
    tarn_access rights[DEVICES];
};

struct world {
    tarn_device *device;
    tarn_addr base;
    struct handle handles[HANDLES];
    struct page pages[PAGES];
};

static void must(bool good, const char *what) {
    if (!good) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)fprintf(stderr, "model and library differ: %s (last error: %s)\n", what,
                      error.message);
        abort();
    }
}

static tarn_addr address(const struct world *w, unsigned page) {
    return w->base + (tarn_addr)page * G;
}

static bool live(const struct handle *h) { return h->user_refs + h->map_refs != 0; }

// ---- handles

static void create(struct world *w, struct handle *h, unsigned pages) {
    if (live(h)) return;
    must(tarn_phys_create(w->device, (uint64_t)pages * G, NULL, &h->id) == TARN_OK, "create");
    h->pages = pages;
    h->user_refs = 1;
}

static void retain(struct handle *h) {
    must(tarn_phys_retain(h->id) == (live(h) ? TARN_OK : TARN_BAD_HANDLE), "retain");
    h->user_refs += live(h);
}

static void release(struct handle *h) {
    must(tarn_phys_release(h->id) == (h->user_refs > 0 ? TARN_OK : TARN_BAD_HANDLE), "release");
    h->user_refs -= h->user_refs > 0;
}

// ---- mappings

static void map(struct world *w, unsigned page, unsigned pages, int index) {
    struct handle *h = &w->handles[index];
    bool mapped = false;
    for (unsigned i = page; i < page + pages && i < PAGES; i++) mapped |= w->pages[i].handle >= 0;
    tarn_status want = page + pages > PAGES ? TARN_BAD_ADDRESS
                       : mapped             ? TARN_ALREADY_MAPPED
                       : !live(h)           ? TARN_BAD_HANDLE
                       : pages > h->pages   ? TARN_BAD_ADDRESS
                                            : TARN_OK;
    must(tarn_map(address(w, page), (uint64_t)pages * G, h->id) == want, "map");
    for (unsigned i = page; want == TARN_OK && i < page + pages; i++)
        w->pages[i] = (struct page){index, page, page + pages, {TARN_ACCESS_NONE}};
    h->map_refs += want == TARN_OK;
}

// Returns the expected status of a call that requires complete mappings.
static tarn_status whole(const struct world *w, unsigned page, unsigned pages) {
    if (page + pages > PAGES) return TARN_BAD_ADDRESS;
    for (unsigned i = page; i < page + pages; i++)
        if (w->pages[i].handle < 0) return TARN_NOT_MAPPED;
    bool cut = w->pages[page].start != page || w->pages[page + pages - 1].end != page + pages;
    return cut ? TARN_BAD_ADDRESS : TARN_OK;
}

static void unmap(struct world *w, unsigned page, unsigned pages) {
    tarn_status want = whole(w, page, pages);
    must(tarn_unmap(address(w, page), (uint64_t)pages * G, page % 2) == want, "unmap");
    for (unsigned i = page; want == TARN_OK && i < page + pages; i++)
        w->handles[w->pages[i].handle].map_refs -= w->pages[i].start == i;
    for (unsigned i = page; want == TARN_OK && i < page + pages; i++) w->pages[i].handle = -1;
}

static void set_access(struct world *w, unsigned page, unsigned pages, unsigned how) {
    static const tarn_access kinds[] = {TARN_ACCESS_NONE, TARN_ACCESS_READ, TARN_ACCESS_READ_WRITE};
    int device = (int)(how % DEVICES);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, device}, kinds[how / DEVICES % 3]};
    tarn_status want = whole(w, page, pages);
    must(tarn_map_set_access(address(w, page), (uint64_t)pages * G, &grant, 1) == want,
         "set_access");
    for (unsigned i = page; want == TARN_OK && i < page + pages; i++)
        w->pages[i].rights[device] = grant.access;
}

// Copies out of the range. All of it must be mapped and readable for device 0, its owner.
static void copy_out(struct world *w, unsigned page, unsigned pages) {
    static char sink[PAGES * G];
    tarn_status want = page + pages > PAGES ? TARN_BAD_ADDRESS : TARN_OK;
    for (unsigned i = page; want == TARN_OK && i < page + pages; i++) {
        want = w->pages[i].handle < 0                            ? TARN_NOT_MAPPED
               : (w->pages[i].rights[0] & TARN_ACCESS_READ) == 0 ? TARN_NO_ACCESS
                                                                 : TARN_OK;
    }
    must(tarn_copy(w->device, TARN_ADDR(sink), address(w, page), (uint64_t)pages * G, 0) == want,
         "copy");
}

// ---- the whole state

static void compare_page(const struct world *w, unsigned page) {
    const struct page *p = &w->pages[page];
    tarn_address_info info = TARN_INIT(tarn_address_info);
    must(tarn_address_query(address(w, page) + 17, &info) == TARN_OK, "query");
    must((info.kind == TARN_ADDRESS_MAPPED) == (p->handle >= 0), "kind");
    for (int d = 0; d < DEVICES && p->handle >= 0; d++) {
        tarn_access access = (tarn_access)9;
        tarn_location location = {TARN_LOCATION_DEVICE, d};
        must(tarn_map_get_access(address(w, page), location, &access) == TARN_OK, "get_access");
        must(access == p->rights[d], "rights");
    }
    must(p->handle < 0 ||
             (info.base == address(w, p->start) && info.phys == w->handles[p->handle].id),
         "mapping");
}

static void compare(const struct world *w) {
    uint64_t held = 0;
    uint64_t free_bytes = 0;
    uint64_t total = 0;
    for (unsigned i = 0; i < PAGES; i++) compare_page(w, i);
    for (unsigned i = 0; i < HANDLES; i++)
        held += live(&w->handles[i]) ? (uint64_t)w->handles[i].pages * G : 0;
    must(tarn_device_query_memory(w->device, &free_bytes, &total) == TARN_OK, "memory");
    must(total - free_bytes == held, "bytes held");
    must(tarn_platform_verify(w->device) == TARN_OK, "check");
}

static void step(struct world *w, const uint8_t *op) {
    unsigned page = op[1] % (PAGES + 2);
    unsigned pages = 1 + op[2] % 8;
    int index = op[3] % HANDLES;
    switch (op[0] % 8) {
    case 0: create(w, &w->handles[index], pages); break;
    case 1: retain(&w->handles[index]); break;
    case 2: release(&w->handles[index]); break;
    case 3:
    case 4: map(w, page, pages, index); break;
    case 5: unmap(w, page, pages); break;
    case 6: set_access(w, page, pages, op[3]); break;
    default: copy_out(w, page, pages); break;
    }
}

static void finish(struct world *w) {
    for (unsigned i = 0; i < PAGES; i++)
        if (w->pages[i].handle >= 0) unmap(w, i, w->pages[i].end - i);
    for (unsigned i = 0; i < HANDLES; i++)
        while (w->handles[i].user_refs > 0) release(&w->handles[i]);
    compare(w);
    must(tarn_space_release(w->base) == TARN_OK, "release");
    must(tarn_device_close(w->device) == TARN_OK, "close");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct world w = {0};
    must(tarn_device_open("sim:0,memory=1M,granularity=4K,devices=2", &w.device) == TARN_OK,
         "open");
    must(tarn_space_reserve(w.device, PAGES * G, 0, 0, &w.base) == TARN_OK, "reserve");
    for (unsigned i = 0; i < PAGES; i++) w.pages[i].handle = -1;
    for (; size >= 4; data += 4, size -= 4) {
        step(&w, data);
        if (size % 16 < 4) compare(&w);
    }
    finish(&w);
    return 0;
}
