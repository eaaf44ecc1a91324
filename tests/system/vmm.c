// SPDX-License-Identifier: Apache-2.0
// Steps about virtual memory: reservations, physical memory and its references, mappings, rights,
// and handles that are exported and imported. A model of units gives the status that each call
// must return. A group has one lock, so several threads work in several groups.
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "system/world.h"

static bool phys_live(const struct phys *p) { return p->refs + p->maps > 0; }

static tarn_addr unit_addr(const struct space *space, unsigned unit) {
    return space->addr + unit * UNIT;
}

static struct phys *draw_phys(struct step *step, struct group *g) {
    return &g->phys[draw_below(&step->draw, PHYS)];
}

// Selects a mapping: returns its first unit, or UNITS if it meets none.
static unsigned draw_mapping(struct step *step, const struct space *space) {
    const struct unit *unit = &space->units[draw_below(&step->draw, UNITS)];
    return space->addr == 0 || unit->phys < 0 ? UNITS : unit->start;
}

static void phys_ended(struct phys *p) {
    if (!phys_live(p)) content_drop(p->content);
}

// ---- reservations

static void space_reserve(struct step *step, struct space *space) {
    tarn_device *device = step->world->devices[draw_below(&step->draw, DEVICES)];
    if (!EXPECT(step, tarn_space_reserve(device, UNITS * UNIT, 0, 0, &space->addr), TARN_OK))
        return;
    range_add(step, space->addr, UNITS * UNIT);
    for (unsigned i = 0; i < UNITS; i++) space->units[i] = (struct unit){.phys = -1};
}

static void space_release(struct step *step, struct space *space) {
    bool mapped = false;
    for (unsigned i = 0; i < UNITS; i++) mapped |= space->units[i].phys >= 0;
    (void)EXPECT(step, tarn_space_release(space->addr + UNIT), TARN_BAD_ADDRESS);
    tarn_addr addr = space->addr;
    if (!mapped) range_remove(step, addr);
    if (EXPECT(step, tarn_space_release(addr), mapped ? TARN_BUSY : TARN_OK)) {
        if (!mapped) space->addr = 0;
    } else if (!mapped) {
        range_add(step, addr, UNITS * UNIT);
    }
}

// ---- physical memory

static void phys_create(struct step *step, struct phys *p) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    unsigned units = 1 + draw_below(&step->draw, 4);
    int device = (int)draw_below(&step->draw, DEVICES);
    desc.shareable = draw_below(&step->draw, 4) & step->world->shareable;
    desc.user[0] = step->number;
    if (phys_live(p) ||
        !EXPECT(step, tarn_phys_create(step->world->devices[device], units * UNIT, &desc, &p->id),
                TARN_OK))
        return;
    *p = (struct phys){p->id, units, 1, 0, device, desc.shareable, content_new(step, NO_STREAM)};
}

static void phys_count(struct step *step, struct phys *p, bool retain) {
    if (p->id == 0) return;
    if (retain) {
        if (EXPECT(step, tarn_phys_retain(p->id), phys_live(p) ? TARN_OK : TARN_BAD_HANDLE))
            p->refs += phys_live(p);
    } else if (EXPECT(step, tarn_phys_release(p->id), p->refs > 0 ? TARN_OK : TARN_BAD_HANDLE) &&
               p->refs > 0) {
        p->refs--;
        phys_ended(p);
    }
}

// A second handle to the same memory.
static void phys_share(struct step *step, struct group *g, const struct phys *p) {
    struct phys *other = draw_phys(step, g);
    tarn_shareable out;
    memset(&out, 0, sizeof out);
    uint32_t type = 1u << draw_below(&step->draw, 2);
    if (!phys_live(p) || phys_live(other)) return;
    bool can = (p->shareable & type) != 0;
    if (!EXPECT(step, tarn_phys_export(p->id, type, &out), can ? TARN_OK : TARN_BAD_ARGUMENT) ||
        !can)
        return;
    if (EXPECT(step, tarn_phys_import(step->world->devices[p->device], &out, &other->id), TARN_OK))
        *other = (struct phys){
            other->id, p->units, 1, 0, p->device, p->shareable, content_share(p->content)};
    if (type == TARN_SHAREABLE_FD) CHECK(step, close(out.fd) == 0);
}

// ---- mappings

static void set_units(struct space *space, unsigned start, unsigned count, int phys) {
    for (unsigned i = start; i < start + count; i++)
        space->units[i] = (struct unit){.phys = phys, .start = start, .count = count};
}

// Maps up to three pieces one after another.
static void map_pieces(struct step *step, struct group *g, struct space *space) {
    tarn_map_item items[3];
    int chosen[3];
    unsigned counts[3], first = draw_below(&step->draw, UNITS), end = first;
    size_t count = 1 + draw_below(&step->draw, 3);
    bool dead = false, longer = false, mapped = false;
    for (size_t i = 0; i < count; i++) {
        struct phys *p = draw_phys(step, g);
        if (p->id == 0) return;
        chosen[i] = (int)(p - g->phys);
        counts[i] = draw_one_in(&step->draw, 4) ? 1 + draw_below(&step->draw, 5) : p->units;
        items[i] = (tarn_map_item){p->id, counts[i] * UNIT};
        if (!dead && !longer) { // the first that is wrong decides
            dead = !phys_live(p);
            longer = !dead && counts[i] > p->units;
        }
        end += counts[i];
    }
    for (unsigned i = first; i < end && i < UNITS; i++) mapped |= space->units[i].phys >= 0;
    tarn_status want = end > UNITS ? TARN_BAD_ADDRESS
                       : mapped    ? TARN_ALREADY_MAPPED
                       : dead      ? TARN_BAD_HANDLE
                       : longer    ? TARN_BAD_ADDRESS
                                   : TARN_OK;
    tarn_addr addr = unit_addr(space, first);
    tarn_status status = count == 1 ? TRY(step, tarn_map(addr, items[0].bytes, items[0].phys))
                                    : TRY(step, tarn_map_many(addr, items, count));
    if (!step_expect(step, status, want, "map") || want != TARN_OK) return;
    for (size_t i = 0; i < count; i++) {
        set_units(space, first, counts[i], chosen[i]);
        g->phys[chosen[i]].maps++;
        first += counts[i];
    }
}

// The streams that use a mapping and for which an unmap does not wait: those of a device that
// neither owns the memory nor has rights.
static uint32_t strangers(const struct group *g, const struct unit *unit) {
    uint32_t set = 0;
    for (int s = 0; s < STREAMS; s++)
        if (stream_device(s) != g->phys[unit->phys].device &&
            unit->rights[stream_device(s)] == TARN_ACCESS_NONE)
            set |= UINT32_C(1) << s;
    return content_users(g->phys[unit->phys].content) & set;
}

static void unmap_run(struct step *step, struct group *g, struct space *space) {
    unsigned first = draw_mapping(step, space), end = first;
    unsigned pieces = 1 + draw_below(&step->draw, 2);
    for (unsigned i = 0; i < pieces && end < UNITS && space->units[end].phys >= 0; i++) {
        stream_wait_all(step, strangers(g, &space->units[end]));
        end += space->units[end].count;
    }
    if (first == UNITS) return;
    if (draw_one_in(&step->draw, 3) &&
        end - first > 1) // the end is inside a mapping, or between two
        end -= space->units[end - 1].count > 1;
    bool inside = end < UNITS && space->units[end].phys >= 0 && space->units[end].start != end;
    tarn_status want = inside ? TARN_BAD_ADDRESS : TARN_OK;
    if (!EXPECT(step, tarn_unmap(unit_addr(space, first), (end - first) * UNIT, 0), want) || inside)
        return;
    while (first < end) {
        struct unit unit = space->units[first];
        struct phys *p = &g->phys[unit.phys];
        set_units(space, first, unit.count, -1);
        p->maps--;
        phys_ended(p);
        first += unit.count;
    }
}

static tarn_access draw_access(struct step *step) {
    static const tarn_access all[] = {TARN_ACCESS_NONE, TARN_ACCESS_READ, TARN_ACCESS_READ_WRITE,
                                      TARN_ACCESS_READ_WRITE};
    return all[draw_below(&step->draw, 4)];
}

static void set_rights(struct step *step, struct group *g, struct space *space) {
    unsigned first = draw_mapping(step, space);
    tarn_grant grants[DEVICES];
    size_t count = 1 + draw_below(&step->draw, DEVICES);
    if (first == UNITS) return;
    struct unit *unit = &space->units[first];
    content_settle(step, g->phys[unit->phys].content); // running work is subject to the new rights
    for (size_t i = 0; i < count; i++)
        grants[i] = (tarn_grant){{TARN_LOCATION_DEVICE, (int)draw_below(&step->draw, DEVICES)},
                                 draw_access(step)};
    if (EXPECT(step,
               tarn_map_set_access(unit_addr(space, first), unit->count * UNIT, grants, count),
               TARN_OK))
        for (unsigned k = unit->start; k < unit->start + unit->count; k++)
            for (size_t i = 0; i < count; i++)
                space->units[k].rights[grants[i].location.id] = grants[i].access;
}

// ---- bytes, by the rights of the device that executes and of the owner

static bool allows(const struct group *g, const struct unit *unit, int device, tarn_access need) {
    return unit->rights[device] >= need || unit->rights[g->phys[unit->phys].device] >= need;
}

static void use_bytes(struct step *step, struct group *g, struct space *space, bool write) {
    unsigned first = draw_mapping(step, space);
    if (first == UNITS) return;
    const struct unit *unit = &space->units[first];
    const struct phys *p = &g->phys[unit->phys];
    int stream = stream_draw(step);
    int device =
        stream == NO_STREAM ? (int)draw_below(&step->draw, DEVICES) : stream_device(stream);
    tarn_addr addr = unit_addr(space, first);
    if (!allows(g, unit, device, write ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_READ)) {
        uint32_t word = 0;
        tarn_device *executes = step->world->devices[device];
        if (write)
            (void)EXPECT(step, tarn_fill(executes, addr, 0, 4, 1, 0), TARN_NO_ACCESS);
        else
            (void)EXPECT(step, tarn_copy(executes, TARN_ADDR(&word), addr, 4, 0), TARN_NO_ACCESS);
    } else if (!write) {
        content_check(step, p->content, addr, unit->count * UNIT, stream, device);
    } else if (unit->count == p->units) {
        content_write(step, p->content, addr, p->units * UNIT, stream, device);
    }
}

static void look_up(struct step *step, struct group *g, struct space *space) {
    unsigned first = draw_mapping(step, space);
    tarn_access access = TARN_ACCESS_NONE;
    tarn_phys id = 0;
    if (first == UNITS) return;
    const struct unit *unit = &space->units[first];
    tarn_addr addr = unit_addr(space, first) + draw_below(&step->draw, (unsigned)UNIT);
    for (int device = 0; device < DEVICES; device++) {
        tarn_location location = {TARN_LOCATION_DEVICE, device};
        INSIST(step, tarn_map_get_access(addr, location, &access));
        CHECK(step, access == unit->rights[device]);
    }
    if (!EXPECT(step, tarn_map_retain(addr, &id), TARN_OK)) return;
    CHECK(step, id == g->phys[unit->phys].id);
    INSIST(step, tarn_phys_release(id));
}

// ---- the comparison, and the end

void vmm_compare(struct step *step, struct group *g) {
    for (int i = 0; i < PHYS; i++) {
        const struct phys *p = &g->phys[i];
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        tarn_status want = p->id != 0 && phys_live(p) ? TARN_OK : TARN_BAD_HANDLE;
        if (!EXPECT(step, tarn_phys_query(p->id, &info), want) || want != TARN_OK) continue;
        CHECK(step, info.user_refs == p->refs && info.map_refs == p->maps);
        CHECK(step, info.bytes == p->units * UNIT && info.shareable == p->shareable);
    }
    for (int i = 0; i < SPACES; i++) {
        const struct space *space = &g->spaces[i];
        for (unsigned k = 0; k < UNITS && space->addr != 0; k++) {
            const struct unit *unit = &space->units[k];
            tarn_address_info info = TARN_INIT(tarn_address_info);
            INSIST(step, tarn_address_query(unit_addr(space, k), &info));
            CHECK(step, info.region_base == space->addr && info.region_bytes == UNITS * UNIT);
            CHECK(step,
                  info.kind == (unit->phys < 0 ? TARN_ADDRESS_RESERVED : TARN_ADDRESS_MAPPED));
            if (unit->phys < 0) continue;
            CHECK(step, info.phys == g->phys[unit->phys].id);
            CHECK(step, info.base == unit_addr(space, unit->start));
            CHECK(step, info.bytes == unit->count * UNIT);
        }
    }
}

void vmm_close(struct step *step, struct group *g) {
    for (int i = 0; i < SPACES; i++) {
        struct space *space = &g->spaces[i];
        for (unsigned k = 0; k < UNITS && space->addr != 0; k++) {
            struct unit unit = space->units[k];
            if (unit.phys < 0) continue;
            content_settle(step, g->phys[unit.phys].content);
            INSIST(step, tarn_unmap(unit_addr(space, k), unit.count * UNIT, 0));
            set_units(space, k, unit.count, -1);
            g->phys[unit.phys].maps--;
            phys_ended(&g->phys[unit.phys]);
        }
        while (space->addr != 0) space_release(step, space);
    }
    for (int i = 0; i < PHYS; i++)
        while (g->phys[i].refs > 0) phys_count(step, &g->phys[i], false);
    vmm_compare(step, g);
}

void vmm_step(struct step *step) {
    struct group *g = &step->world->groups[draw_below(&step->draw, GROUPS)];
    struct space *space = &g->spaces[draw_below(&step->draw, SPACES)];
    unsigned action = draw_below(&step->draw, 32);
    (void)pthread_mutex_lock(&g->lock);
    if (action < 4)
        phys_create(step, draw_phys(step, g));
    else if (action < 7)
        phys_count(step, draw_phys(step, g), action < 5);
    else if (action < 9)
        phys_share(step, g, draw_phys(step, g));
    else if (action < 10)
        vmm_compare(step, g);
    else if (space->addr == 0)
        space_reserve(step, space);
    else if (action < 11)
        space_release(step, space);
    else if (action < 17)
        map_pieces(step, g, space);
    else if (action < 20)
        unmap_run(step, g, space);
    else if (action < 24)
        set_rights(step, g, space);
    else if (action < 30)
        use_bytes(step, g, space, action < 27);
    else
        look_up(step, g, space);
    (void)pthread_mutex_unlock(&g->lock);
}
