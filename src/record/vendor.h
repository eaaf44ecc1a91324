// SPDX-License-Identifier: Apache-2.0
// The functions of a vendor's library that the recorder replaces in a program that calls them
// itself. cuda.c, hip.c and acl.c each have one table: a row names a function, its parameters, and
// the memory event that follows from its arguments. A replacement calls the vendor's function and
// returns its result. Any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*tn_record_code)(void);

// Returns the C library's own dlsym(), which the recorder replaces in the program, or NULL.
typedef void *(*tn_record_dlsym)(void *handle, const char *symbol);
tn_record_dlsym tn_record_next_dlsym(void);

// A row of a table.
struct tn_record_function {
    const char *symbol;
    const char *base;             // the name without a version, for cuGetProcAddress()
    int since;                    // the version of CUDA that first gave the base name this meaning
    bool per_thread;              // for programs with a default stream for each thread
    tn_record_code replacement;   // NULL for a function that the recorder only calls
    _Atomic(tn_record_code) next; // the vendor's function, or NULL until it is found
};

// The first row writes the number of the current device, the second one the properties of physical
// memory, the third one the free and the whole memory of the device.
struct tn_record_vendor {
    const char *prefix;           // of all symbols
    const char *const *libraries; // names of the library, until NULL
    struct tn_record_function *rows;
    size_t count;
    bool is_acl;               // the second row takes the handle first, the third one a kind first
    size_t type_at, number_at; // in the properties: 32-bit numbers of the location
};

extern const struct tn_record_vendor tn_record_cuda, tn_record_hip, tn_record_acl;

// Returns the row of a symbol that has a replacement, or NULL.
struct tn_record_function *tn_record_find_row(const struct tn_record_vendor *vendor,
                                              const char *symbol);

// Returns the vendor's function, or NULL if no such library is loaded.
tn_record_code tn_record_find_next(const struct tn_record_vendor *vendor,
                                   struct tn_record_function *row);

// Replaces the function with which a program that asked for the row was answered, unless the
// replacement already stands for a function of another copy of the library.
void tn_record_replace(struct tn_record_function *row, void **function);

// ---- calls

// A call of the program, on the stack of its replacement.
struct tn_record_call {
    const void *caller; // the address that it returns to
    tn_record_code next;
    uint64_t before; // position of the ring before the call
    int32_t device;  // the current one before the call
    size_t card;     // its memory, if that was not recorded before
    int saved_errno; // as the vendor's function left it
};

// Begins a call. Returns the vendor's function, or NULL if there is none.
tn_record_code tn_record_call_begin(struct tn_record_call *call,
                                    const struct tn_record_vendor *vendor, size_t row,
                                    const void *caller);

// After the vendor's function. Returns true if the call is to be recorded: neither Tarn made or
// answered it, nor another function of the vendor.
bool tn_record_call_returned(struct tn_record_call *call);
void tn_record_call_end(const struct tn_record_call *call);

// Records new memory; `what` is an enum tn_mem_resource. Pinned memory belongs to the host.
void tn_record_call_alloc(const struct tn_record_call *call, int what, uint64_t address,
                          uint64_t bytes, uint64_t stream);

// Records a mapping of physical memory, on the device of that memory.
void tn_record_call_map(struct tn_record_call *call, const struct tn_record_vendor *vendor,
                        void *handle, uint64_t address, uint64_t bytes);

// Records the end of the memory that begins in a range, which must not be empty.
void tn_record_call_free(const struct tn_record_call *call, uint64_t address, uint64_t bytes);

// Records a request for which there was no memory of the kind.
void tn_record_call_failed(const struct tn_record_call *call, const struct tn_record_vendor *vendor,
                           int what, uint64_t bytes, uint64_t stream);

// ---- tables: X(symbol, base, since, per_thread, parameters, arguments, event)

#define TN_RECORD_NUMBER(symbol, ...) NUMBER_##symbol,
#define TN_RECORD_ROW(name, basic, first, threads, ...)                                            \
    [NUMBER_##name] = {.symbol = #name,                                                            \
                       .base = #basic,                                                             \
                       .since = first,                                                             \
                       .per_thread = threads,                                                      \
                       .replacement = (tn_record_code)name},
#define TN_RECORD_QUERY(name, first)                                                               \
    [NUMBER_##name] = {.symbol = #name, .base = #name, .since = first},
#define TN_RECORD_SIGNATURE(symbol, base, since, per_thread, parameters) int symbol parameters
#define TN_RECORD_DECLARATION(...)                                                                 \
    __attribute__((visibility("default"))) TN_RECORD_SIGNATURE(__VA_ARGS__);

// Defines a replacement. The file defines VENDOR and MISSING, the result if the vendor's library is
// not loaded. `event` is a statement that may use `call`, `result` and the parameters.
#define TN_RECORD_REPLACEMENT(symbol, base, since, per_thread, parameters, arguments, event)       \
    __attribute__((visibility("default"))) int symbol parameters;                                  \
    int symbol parameters {                                                                        \
        struct tn_record_call call;                                                                \
        int(*next) parameters = (int(*) parameters)tn_record_call_begin(                           \
            &call, &VENDOR, NUMBER_##symbol, __builtin_return_address(0));                         \
        if (next == NULL) return MISSING;                                                          \
        int result = next arguments;                                                               \
        if (tn_record_call_returned(&call)) event;                                                 \
        tn_record_call_end(&call);                                                                 \
        return result;                                                                             \
    }

// Events. `result` is 0 if the call succeeded; the file defines NO_MEMORY(result).
#define TN_RECORD_ALLOC(what, address, bytes, asked, stream)                                       \
    do {                                                                                           \
        if (result == 0)                                                                           \
            tn_record_call_alloc(&call, what, (uint64_t)(uintptr_t)(address), bytes,               \
                                 (uint64_t)(uintptr_t)(stream));                                   \
        else if (NO_MEMORY(result))                                                                \
            tn_record_call_failed(&call, &VENDOR, what, asked, (uint64_t)(uintptr_t)(stream));     \
    } while (0)
#define TN_RECORD_FREE(address, bytes)                                                             \
    do {                                                                                           \
        if (result == 0) tn_record_call_free(&call, (uint64_t)(uintptr_t)(address), bytes);        \
    } while (0)
#define TN_RECORD_MAP(address, bytes, handle)                                                      \
    do {                                                                                           \
        if (result == 0)                                                                           \
            tn_record_call_map(&call, &VENDOR, (void *)(uintptr_t)(handle),                        \
                               (uint64_t)(uintptr_t)(address), bytes);                             \
    } while (0)
#define TN_RECORD_CREATE(bytes)                                                                    \
    do {                                                                                           \
        if (NO_MEMORY(result)) tn_record_call_failed(&call, &VENDOR, TN_MEM_PHYS, bytes, 0);       \
    } while (0)
