// SPDX-License-Identifier: Apache-2.0
// Faults that a user asks for, parsed from a text such as "map:3;hipMemMap:2-5:as=700". A spec
// selects calls of one name and the status that they fail with. A set is constant once it is
// parsed, except for its counters, which any thread may advance. docs/faults.md shows the grammar.
#ifndef TARN_FAIL_SPEC_H
#define TARN_FAIL_SPEC_H

#include <tarn/base.h>

enum {
    TN_FAIL_SPECS = 16, // in one set
    TN_FAIL_NAME = 64,  // bytes of a name, with its end
    TN_FAIL_AS = 64,    // bytes of the text behind "as=", with its end
    TN_FAIL_TEXT = 128  // bytes of a spec, with its end
};

// The names that a set may contain.
enum tn_fail_scope {
    TN_FAIL_DEVICE, // calls of back-ends
    TN_FAIL_PROCESS // calls of back-ends, of Tarn and of faces
};

struct tn_fail_range {
    uint64_t low, high; // both ends included
};

struct tn_fail_spec {
    char text[TN_FAIL_TEXT]; // as the user wrote it
    char name[TN_FAIL_NAME];
    struct tn_fail_range addresses; // calls outside of these ranges are not counted
    struct tn_fail_range sizes;
    struct tn_fail_range calls;
    uint64_t every;      // of those calls, each every-th; 1 is each
    uint64_t threshold;  // of those, each whose hash is at most this
    uint64_t seed;       // of the hash
    tarn_status status;  // that of "as=", or the name's default
    char as[TN_FAIL_AS]; // the text behind "as=" if it is not a status, else ""
    bool face;           // the name is that of a face's function
    bool stack;          // log the stack of each firing
    _Atomic uint64_t count;
};

struct tn_fail_set {
    unsigned count;
    struct tn_fail_spec specs[TN_FAIL_SPECS];
};

// Parses specs that are separated by semicolons. "" and NULL are an empty set. BAD_CONFIG: the text
// names the wrong piece; the set is unchanged.
tarn_status tn_fail_parse(const char *text, enum tn_fail_scope scope, struct tn_fail_set *set);

// Returns true if the n-th counted call fails, n from 1. A pure function.
bool tn_fail_fires(const struct tn_fail_spec *spec, uint64_t n);

// Counts a call in each spec of that name, and returns the first one by which it fails, or NULL.
// `address` and `bytes` are 0 if the call has none. `n` receives the number of the call. If
// `shared` is not NULL, it is the number of the call in all processes, and counts for specs without
// ranges.
const struct tn_fail_spec *tn_fail_count(struct tn_fail_set *set, const char *name,
                                         tarn_addr address, uint64_t bytes, const uint64_t *shared,
                                         uint64_t *n);

// Returns true if the set has a spec for a call of a back-end.
bool tn_fail_has_device_calls(const struct tn_fail_set *set);

#endif
