// SPDX-License-Identifier: Apache-2.0
// Input bytes become calls about two sparse arrays, a deferred one and three handles. A simple
// model, with a table of tiles, reference counts and one byte for each page of a handle, gives the
// expected results. Each operation is complete before the next call; some are submitted to a
// stream.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/array.h>
#include <tarn/tarn.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A sparse array has 2 layers, each of 3 x 2 tiles of level 0, 2 of level 1, and one page of a tail
// that begins with level 2. The deferred one is two pages.
enum { ARRAYS = 3, DEFERRED = 2, LAYERS = 2, LAYER_TILES = 9, TILES = LAYERS * LAYER_TILES };
enum { HANDLES = 3, PAGES = 5, PAGE = 64 << 10 };

struct tile {
    int handle; // -1: none
    unsigned page;
};

struct array {
    tarn_array id;
    struct tile tiles[TILES]; // of the deferred one the first is all of it
};

struct handle {
    tarn_phys id; // 0: never made
    unsigned user_refs, map_refs;
    unsigned char bytes[PAGES]; // the first of each page
};

struct world {
    tarn_device *device;
    tarn_stream stream;
    struct array arrays[ARRAYS];
    struct handle handles[HANDLES];
};

struct input {
    const uint8_t *data;
    size_t left;
};

static unsigned next(struct input *in, unsigned below) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->data++ % below;
}

static void must(bool good, const char *what) {
    if (!good) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)fprintf(stderr, "model and library differ: %s (last error: %s)\n", what,
                      error.message);
        abort();
    }
}

static bool live(const struct handle *h) { return h->user_refs + h->map_refs != 0; }

// ---- arrays

static void make(struct world *w, int index) {
    struct array *a = &w->arrays[index];
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    // Levels of 768 x 512, 384 x 256, 192 x 128, ...
    desc.extent = (tarn_extent){768, 512, 0};
    desc.layers = LAYERS;
    desc.levels = 10;
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED;
    if (index == DEFERRED) {
        desc = (tarn_array_desc)TARN_INIT(tarn_array_desc);
        desc.extent.width = 2 * PAGE;
        desc.element_bytes = 1;
        desc.flags = TARN_ARRAY_DEFERRED;
    }
    must(tarn_array_create(w->device, &desc, &a->id) == TARN_OK, "create an array");
    for (int i = 0; i < TILES; i++) a->tiles[i].handle = -1;
}

static void let_go(struct world *w, struct tile *tile) {
    if (tile->handle >= 0) {
        w->handles[tile->handle].map_refs--;
        tile->handle = -1;
    }
}

static void destroy(struct world *w, int index) {
    must(tarn_array_destroy(w->arrays[index].id) == TARN_OK, "destroy an array");
    for (int i = 0; i < TILES; i++) let_go(w, &w->arrays[index].tiles[i]);
}

// ---- handles

static void create(struct world *w, struct handle *h) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    desc.usage = TARN_USAGE_TILE_POOL;
    if (live(h)) return;
    must(tarn_phys_create(w->device, (uint64_t)PAGES * PAGE, &desc, &h->id) == TARN_OK, "create");
    memset(h->bytes, 0, sizeof h->bytes);
    h->user_refs = 1;
}

static void release(struct handle *h) {
    must(tarn_phys_release(h->id) == (h->user_refs > 0 ? TARN_OK : TARN_BAD_HANDLE), "release");
    h->user_refs -= h->user_refs > 0;
}

static void check_handle(const struct handle *h) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    must(tarn_phys_query(h->id, &info) == (live(h) ? TARN_OK : TARN_BAD_HANDLE), "query");
    must(!live(h) || (info.user_refs == h->user_refs && info.map_refs == h->map_refs), "counts");
}

// ---- maps: an item and what it means, in units of tiles

struct part {
    int array, handle; // handle -1: unmap
    unsigned page, layer, x, y, width, height;
    unsigned kind; // 0 level 0, 1 level 1, 2 the tail
};

static struct part read_part(struct input *in) {
    struct part p = {.array = (int)next(in, ARRAYS), .handle = (int)next(in, HANDLES + 1) - 1};
    p.page = p.handle >= 0 ? next(in, PAGES + 1) : 0;
    p.kind = next(in, 3);
    p.layer = next(in, LAYERS + 1);
    p.x = next(in, 4);
    p.y = next(in, 3);
    p.width = next(in, 4);
    p.height = next(in, 3);
    return p;
}

static tarn_array_map_item item_of(const struct world *w, const struct part *p) {
    tarn_array_map_item item = {.array = w->arrays[p->array].id,
                                .op = p->handle >= 0 ? TARN_ARRAY_MAP : TARN_ARRAY_UNMAP,
                                .phys = p->handle >= 0 ? w->handles[p->handle].id : 0,
                                .phys_offset = (uint64_t)p->page * PAGE,
                                .part = p->kind == 2 ? TARN_ARRAY_TAIL : TARN_ARRAY_TILES,
                                .level = p->kind,
                                .layer = p->layer};
    // Level 1 is a tile and a half wide.
    uint64_t right = (uint64_t)(p->x + p->width) * 256;
    right = p->kind == 1 && right == 512 ? 384 : right;
    item.offset[0] = (uint64_t)p->x * 256;
    item.offset[1] = (uint64_t)p->y * 256;
    item.extent = (tarn_extent){right > item.offset[0] ? right - item.offset[0] : 0,
                                (uint64_t)p->height * 256, 1};
    item.tail_offset = (uint64_t)p->x * PAGE;
    item.tail_bytes = (uint64_t)p->width * PAGE;
    return item;
}

static unsigned tiles_of(const struct part *p) {
    return p->array == DEFERRED ? 1 : p->kind == 2 ? p->width : p->width * p->height;
}

static tarn_status check_shape(const struct part *p) {
    static const unsigned across[3] = {3, 2, 1}; // the tail has one page
    static const unsigned down[3] = {2, 1, 0};
    bool inside = p->layer < LAYERS && p->width > 0 && p->x + p->width <= across[p->kind];
    if (p->kind != 2) inside = inside && p->height > 0 && p->y + p->height <= down[p->kind];
    return inside || p->array == DEFERRED ? TARN_OK : TARN_BAD_ARGUMENT;
}

static tarn_status check_part(const struct world *w, const struct part *p) {
    tarn_status status = check_shape(p);
    unsigned pages = p->array == DEFERRED ? 2 : tiles_of(p);
    if (status != TARN_OK || p->handle < 0) return status;
    return !live(&w->handles[p->handle]) ? TARN_BAD_HANDLE
           : p->page + pages > PAGES     ? TARN_BAD_ADDRESS
                                         : TARN_OK;
}

// Returns the index in the model of the n-th tile of a part.
static unsigned index_of(const struct part *p, unsigned n) {
    if (p->array == DEFERRED) return 0;
    unsigned layer = p->layer * LAYER_TILES;
    return p->kind == 2   ? layer + 8
           : p->kind == 1 ? layer + 6 + p->x + n
                          : layer + (p->y + n / p->width) * 3 + p->x + n % p->width;
}

static void apply(struct world *w, const struct part *p) {
    for (unsigned i = 0; i < tiles_of(p); i++) {
        struct tile *tile = &w->arrays[p->array].tiles[index_of(p, i)];
        let_go(w, tile);
        if (p->handle >= 0) {
            *tile = (struct tile){p->handle, p->page + i};
            w->handles[p->handle].map_refs++;
        }
    }
}

static void map(struct world *w, struct input *in) {
    struct part parts[3];
    tarn_array_map_item items[3];
    unsigned count = 1 + next(in, 3);
    tarn_stream stream = next(in, 2) * w->stream;
    tarn_status want = TARN_OK;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = read_part(in);
        items[i] = item_of(w, &parts[i]);
        want = want == TARN_OK ? check_part(w, &parts[i]) : want;
    }
    must(tarn_array_map(items, count, stream) == want, "map");
    must(tarn_stream_synchronize(w->stream, TARN_FOREVER) == TARN_OK, "synchronize");
    for (unsigned i = 0; i < count && want == TARN_OK; i++) apply(w, &parts[i]);
}

// ---- bytes

static tarn_array_place place_of(const struct world *w, int array, unsigned index) {
    unsigned tile = index % LAYER_TILES;
    tarn_array_place place = {.array = w->arrays[array].id, .z = index / LAYER_TILES};
    if (array == DEFERRED) {
        place.z = 0;
        place.x = index % 2 * PAGE;
    } else if (tile == 8) {
        place.level = 2;
    } else if (tile >= 6) {
        place.level = 1;
        place.x = (tile - 6) * 256;
    } else {
        place.x = tile % 3 * 256;
        place.y = tile / 3 * 256;
    }
    return place;
}

// Returns the model's byte behind the first element of a tile, or NULL if no memory is mapped.
static unsigned char *byte_of(struct world *w, int array, unsigned index) {
    const struct tile *tile = &w->arrays[array].tiles[array == DEFERRED ? 0 : index];
    unsigned page = tile->page + (array == DEFERRED ? index % 2 : 0);
    return tile->handle >= 0 ? &w->handles[tile->handle].bytes[page] : NULL;
}

static void access_byte(struct world *w, struct input *in, bool write) {
    int array = (int)next(in, ARRAYS);
    unsigned index = next(in, TILES);
    unsigned char value = (unsigned char)(write ? next(in, 256) : 0xa5);
    unsigned char *model = byte_of(w, array, index);
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    tarn_array_place *there = write ? &desc.dst : &desc.src;
    tarn_array_place *here = write ? &desc.src : &desc.dst;
    *there = place_of(w, array, index);
    here->addr = (tarn_addr)(uintptr_t)&value;
    desc.width = 1;
    tarn_status want = array == DEFERRED && model == NULL ? TARN_NOT_MAPPED : TARN_OK;
    must(tarn_array_copy(w->device, &desc, next(in, 2) * w->stream) == want, "copy");
    must(tarn_stream_synchronize(w->stream, TARN_FOREVER) == TARN_OK, "synchronize");
    if (write && model != NULL)
        *model = value;
    else if (!write && want == TARN_OK)
        must(value == (model != NULL ? *model : 0), "a byte");
}

// ---- all of it

static void step(struct world *w, struct input *in) {
    int array;
    switch (next(in, 6)) {
    case 0: create(w, &w->handles[next(in, HANDLES)]); break;
    case 1: release(&w->handles[next(in, HANDLES)]); break;
    case 2:
        array = (int)next(in, ARRAYS);
        destroy(w, array);
        make(w, array);
        break;
    case 3: access_byte(w, in, true); break;
    case 4: access_byte(w, in, false); break;
    default: map(w, in); break;
    }
}

static void finish(struct world *w) {
    uint64_t left = 0;
    uint64_t total = 0;
    for (int i = 0; i < ARRAYS; i++) destroy(w, i);
    for (int i = 0; i < HANDLES; i++) {
        check_handle(&w->handles[i]);
        while (w->handles[i].user_refs > 0) release(&w->handles[i]);
    }
    must(tarn_stream_destroy(w->stream) == TARN_OK, "destroy the stream");
    must(tarn_device_query_memory(w->device, &left, &total) == TARN_OK && left == total, "memory");
    must(tarn_device_close(w->device) == TARN_OK, "close");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct world w;
    struct input in = {data, size};
    memset(&w, 0, sizeof w);
    must(tarn_device_open("host:0,memory=64M", &w.device) == TARN_OK, "open");
    must(tarn_stream_create(w.device, &w.stream) == TARN_OK, "create a stream");
    for (int i = 0; i < ARRAYS; i++) make(&w, i);
    while (in.left > 0) {
        step(&w, &in);
        for (int i = 0; i < HANDLES; i++) check_handle(&w.handles[i]);
    }
    must(tarn_platform_verify(w.device) == TARN_OK, "check");
    finish(&w);
    return 0;
}
