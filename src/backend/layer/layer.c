// SPDX-License-Identifier: Apache-2.0
// The slots of a layer that change nothing: each calls the next table. See layer.h. No state.
#include "backend/layer/layer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend/contract/slots.h"
#include "base/clock.h"
#include "base/error.h"

// ---- slots that call the next table: each is called pass_<slot>

#define PASS_STATUS(slot, group, parameters, arguments, address, size)                             \
    static tarn_status pass_##slot parameters {                                                    \
        const struct tn_layer *layer = (const struct tn_layer *)p;                                 \
        return TN_LAYER_PASS(layer, slot, arguments);                                              \
    }
#define PASS_VOID(slot, group, parameters, arguments, address, size)                               \
    static void pass_##slot parameters {                                                           \
        const struct tn_layer *layer = (const struct tn_layer *)p;                                 \
        TN_LAYER_PASS(layer, slot, arguments);                                                     \
    }
TN_BACKEND_STATUS_SLOTS(PASS_STATUS)
TN_BACKEND_VOID_SLOTS(PASS_VOID)

static int pass_device_count(void *p) {
    const struct tn_layer *layer = (const struct tn_layer *)p;
    return layer->next->device_count(layer->next_p);
}

static bool pass_peer_can(void *p, int device, int peer) {
    const struct tn_layer *layer = (const struct tn_layer *)p;
    return layer->next->peer_can(layer->next_p, device, peer);
}

void tn_layer_close(void *p) {
    struct tn_layer *layer = (struct tn_layer *)p;
    layer->next->platform_close(layer->next_p);
    if (layer->kind->release != NULL) layer->kind->release(layer);
    free(layer);
}

static tarn_status pass_setting(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_layer *layer = (const struct tn_layer *)p;
    return layer->next->setting(layer->next_p, index, setting);
}

// The layer's option follows the settings of the next table.
static tarn_status show_option(void *p, unsigned index, tarn_setting *setting) {
    const struct tn_layer *layer = (const struct tn_layer *)p;
    tarn_setting before;
    tarn_status status = pass_setting(p, index, setting);
    if (status == TARN_BAD_ARGUMENT && layer->value[0] != '\0' &&
        (index == 0 || pass_setting(p, index - 1, &before) == TARN_OK)) {
        *setting = (tarn_setting){layer->kind->key, layer->value, layer->source, layer->kind->help};
        status = TARN_OK;
    }
    return status;
}

// The time that the layer added counts too.
static void count_time(void *p, tarn_backend_counters *counters) {
    const struct tn_layer *layer = (const struct tn_layer *)p;
    pass_counters(p, counters);
    counters->virtual_ns += tn_load_relaxed(&layer->virtual_ns);
}

struct tn_layer *tn_layer_new(uint64_t bytes) {
    struct tn_layer *layer = (struct tn_layer *)calloc(1, bytes);
    if (layer == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a layer of %llu bytes",
                      (unsigned long long)bytes);
        return NULL;
    }
#define USE(slot, ...) layer->table.slot = pass_##slot;
    TN_BACKEND_STATUS_SLOTS(USE)
    TN_BACKEND_VOID_SLOTS(USE)
    layer->table.device_count = pass_device_count;
    layer->table.peer_can = pass_peer_can;
    layer->table.platform_close = tn_layer_close;
    layer->table.setting = show_option;
    layer->table.counters = count_time;
    return layer;
}

void tn_layer_push(struct tn_layered *layered, const struct tn_layer_kind *kind,
                   struct tn_layer *layer, const char *value, const char *source) {
    layer->table.struct_size = sizeof layer->table;
    layer->table.abi = TARN_BACKEND_ABI;
    layer->table.name = layered->ops->name;
    layer->table.summary = layered->ops->summary;
    layer->next = layered->ops;
    layer->next_p = layered->p;
    layer->kind = kind;
    layer->source = source;
    (void)snprintf(layer->value, sizeof layer->value, "%s", value);
    layered->ops = &layer->table;
    layered->p = layer;
    layered->weak_retain = layered->weak_retain || layer->weak_retain;
    layered->drops_threshold = layered->drops_threshold || layer->drops_threshold;
}

static bool has_virtual_time(const struct tn_layer *layer) {
    tarn_backend_caps caps = {.struct_size = sizeof caps};
    return layer->next->caps(layer->next_p, 0, &caps) == TARN_OK &&
           (caps.features & TARN_FEATURE_VIRTUAL_TIME) != 0;
}

void tn_layer_spend(struct tn_layer *layer, uint64_t ns) {
    if (has_virtual_time(layer)) {
        (void)tn_add_relaxed(&layer->virtual_ns, ns);
        return;
    }
    uint64_t end = tn_deadline(ns);
    const struct timespec until = {.tv_sec = (time_t)(end / 1000000000u),
                                   .tv_nsec = (long)(end % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

uint64_t tn_layer_item_bytes(const tarn_backend_map_item *items, size_t count) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += items[i].size;
    return bytes;
}
