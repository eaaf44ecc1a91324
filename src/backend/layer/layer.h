// SPDX-License-Identifier: Apache-2.0
// Layers lie between the core and a back-end and change how it behaves: a layer is a table of slots
// whose functions call those of the next table. A platform has layers only if its device name or
// the environment asks for them, so other platforms pay nothing. README.md leads through adding a
// layer. A layer is constant once its platform is open; its slots keep the contract of
// tarn/backend.h, so any thread may call them.
#pragma once

#include <tarn/backend.h>

#include "base/atomic.h"
#include "fail/spec.h"

enum { TN_LAYER_VALUE = 512 }; // bytes of an option's value, with its end

// The first member of each layer's own struct.
struct tn_layer {
    tarn_backend table; // its slots get the layer as their platform
    const tarn_backend *next;
    void *next_p;
    const struct tn_layer_kind *kind;
    bool weak_retain;             // tarn_map_retain() adds no reference
    bool drops_threshold;         // pools behave as if their release threshold were 0
    const char *source;           // "uri" or "environment", for `tarn info`
    char value[TN_LAYER_VALUE];   // of the option, the same; "": not shown
    _Atomic(uint64_t) virtual_ns; // time that the layer added to the device's virtual clock
};

// Calls a slot of the next table. `layer` points to a struct whose first member is the layer.
#define TN_LAYER_NEXT(layer, slot, ...)                                                            \
    (((const struct tn_layer *)(const void *)(layer))                                              \
         ->next->slot(((const struct tn_layer *)(const void *)(layer))->next_p, __VA_ARGS__))

// The same in a macro over the lists of contract/slots.h, whose arguments begin with the platform `p`.
#define TN_LAYER_PASS(layer, slot, arguments) (p = (layer)->next_p, (layer)->next->slot arguments)

struct tn_layered;

struct tn_layer_kind {
    const char *key;      // of the option in device names
    const char *variable; // of the environment, with more specs; may be NULL
    const char *help;     // one line
    const struct tn_fail_grammar *grammar;
    // Puts layers on the platform by tn_layer_push(), or none if nothing asks for one. Called for
    // the specs of the variable and then for those of the option; `text` is what `set` was parsed
    // from. A layer replaces slots of its table; all others call the next table. On an error,
    // layers that are already on the platform stay.
    tarn_status (*add)(const struct tn_fail_set *set, const char *text, const char *source,
                       struct tn_layered *layered);
    void (*release)(struct tn_layer *layer); // what the layer owns, before it is freed; may be NULL
};

// A platform that may have layers.
struct tn_layered {
    const tarn_backend *ops; // the topmost table
    void *p;                 // its platform
    const void *owner;       // the back-end's own platform, which runs host functions
    bool weak_retain;        // of any layer
    bool drops_threshold;    // of any layer
};

// Opens a platform of a back-end. Options that belong to layers are removed from the text that the
// back-end gets. The first back-end or layer that fails decides the status; nothing stays open.
tarn_status tn_layer_open(const tarn_backend *backend, const char *options,
                          struct tn_layered *layered);

// Makes `layer` the topmost one. `value` and `source` are shown as a setting, unless `value` is "".
void tn_layer_push(struct tn_layered *layered, const struct tn_layer_kind *kind,
                   struct tn_layer *layer, const char *value, const char *source);

// Allocates a layer of `bytes`, zeroed, whose slots all call the next table. NULL: out of memory.
struct tn_layer *tn_layer_new(uint64_t bytes);

// The slot platform_close: closes the next table's platform, and frees the layer.
void tn_layer_close(void *p);

// Lets time pass in a slot: on the virtual clock of a device that has one, else by sleeping.
void tn_layer_spend(struct tn_layer *layer, uint64_t ns);

// Returns the sum of the bytes of the items.
uint64_t tn_layer_item_bytes(const tarn_backend_map_item *items, size_t count);
