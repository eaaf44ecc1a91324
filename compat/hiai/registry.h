// SPDX-License-Identifier: Apache-2.0
// What programs register by name, for the whole process: kinds of messages and engines. One lock
// each, held for a look-up; what is found is a copy.
#ifndef TARN_COMPAT_HIAI_REGISTRY_H
#define TARN_COMPAT_HIAI_REGISTRY_H

#include "compat/hiai/face.h"

// Of a kind of message.
struct tn_hiai_message_type {
    HIAIX_SerializeT serialize;
    HIAIX_DeserializeT deserialize;
    HIAIX_DestroyT destroy; // may be NULL
    void *arg;
};

// Of an engine.
struct tn_hiai_engine_type {
    HIAIX_ProcessT process;
    void *arg;
    uint32_t inputs, outputs;
};

// False: nobody registered that name.
bool tn_hiai_find_message_type(const char *name, struct tn_hiai_message_type *kind);
bool tn_hiai_find_engine_type(const char *name, struct tn_hiai_engine_type *type);

#endif
