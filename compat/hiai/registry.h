// SPDX-License-Identifier: Apache-2.0
// The message types and engine types that programs register by name, for the whole process. One
// lock is held during a look-up, which returns a copy.
#ifndef TARN_COMPAT_HIAI_REGISTRY_H
#define TARN_COMPAT_HIAI_REGISTRY_H

#include <hiaiengine/hiaix_hooks.h>

#include "compat/hiai/face.h"

struct tn_hiai_message_type {
    HIAIX_SerializeT serialize; // NULL: `hooks`
    HIAIX_DeserializeT deserialize;
    HIAIX_DestroyT destroy; // may be NULL
    void *arg;
    struct HIAIX_MessageType hooks;
};

struct tn_hiai_engine_type {
    HIAIX_ProcessT process; // NULL: `hooks`
    void *arg;
    uint32_t inputs, outputs;
    struct HIAIX_EngineClass hooks;
};

// Return false if the name is not registered.
bool tn_hiai_find_message_type(const char *name, enum HIAIX_Path path,
                               struct tn_hiai_message_type *type);
bool tn_hiai_find_engine_type(const char *name, struct tn_hiai_engine_type *type);

#endif
