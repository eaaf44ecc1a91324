// SPDX-License-Identifier: Apache-2.0
// The specs of the options fail=, delay= and quirk=, texts such as "map:3;hipMemMap:2-5:as=700". A
// spec is a name with fields, which select calls and describe what happens to them. A set is
// constant once it is parsed, except for its counters, which any thread may advance.
// docs/failures.md shows the grammar.
#pragma once

#include <tarn/base.h>

enum {
    TN_FAIL_SPECS = 16, // in one set
    TN_FAIL_NAME = 64,  // bytes of a name, with its end
    TN_FAIL_AS = 64,    // bytes of the text behind "as=", with its end
    TN_FAIL_TEXT = 128  // bytes of a spec, with its end
};

// The kinds of fields, as bits.
enum {
    TN_FAIL_CALLS = 1,  // numbers of calls, every=, rate=, seed=, size=, address=, once, sticky
    TN_FAIL_RESULT = 2, // as=, stack
    TN_FAIL_TIME = 4,   // a duration; must be there
    TN_FAIL_SIZE = 8    // a size; must be there
};

// The facts of a call by which specs select: X(FACT, "field").
#define TN_FAIL_FACT_LIST(X)                                                                       \
    X(SIZE, "size")                                                                                \
    X(ADDRESS, "address")                                                                          \
    X(STREAM, "stream")                                                                            \
    X(DEVICE, "device")                                                                            \
    X(HANDLE, "handle")

enum tn_fail_fact_kind {
#define TN_FAIL_FACT_ENUM(fact, text) TN_FAIL_FACT_##fact,
    TN_FAIL_FACT_LIST(TN_FAIL_FACT_ENUM) TN_FAIL_FACTS
};

enum {
    TN_FAIL_FACTS_MAX = 8, // of one call, which may have several addresses
    TN_FAIL_FACTS_NONE = 0,
    TN_FAIL_FACTS_SIZE = 1u << TN_FAIL_FACT_SIZE,
    TN_FAIL_FACTS_ADDRESS = 1u << TN_FAIL_FACT_ADDRESS,
    TN_FAIL_FACTS_BOTH = TN_FAIL_FACTS_SIZE | TN_FAIL_FACTS_ADDRESS
};

struct tn_fail_fact {
    enum tn_fail_fact_kind kind;
    uint64_t value;
};

struct tn_fail_facts {
    unsigned count;
    struct tn_fail_fact list[TN_FAIL_FACTS_MAX];
};

// A name that a grammar knows.
struct tn_fail_word {
    const char *name;
    unsigned fields;      // the kinds that a spec of this name may have
    unsigned facts;       // those that its calls have, as bits
    tarn_status status;   // the default of as=
    const char *fallback; // the fields of a spec without any; NULL: none
    bool face;            // the name is that of a face's function
    bool never;           // its manual lists no error, so as= must be there
};

// The grammar of one option.
struct tn_fail_grammar {
    const char *option;  // begins each error
    const char *unknown; // the error of a name that find() does not know
    // `name` is the user's text, or the slot of which it is the short name.
    bool (*find)(const char *name, struct tn_fail_word *word);
};

extern const struct tn_fail_grammar tn_fail_device;  // calls of back-ends
extern const struct tn_fail_grammar tn_fail_process; // calls of back-ends, of Tarn and of faces

struct tn_fail_range {
    uint64_t low, high; // both ends included
};

struct tn_fail_spec {
    char text[TN_FAIL_TEXT]; // as the user wrote it
    char name[TN_FAIL_NAME];
    unsigned filters;                          // the facts that select calls, as bits
    struct tn_fail_range facts[TN_FAIL_FACTS]; // calls without such a fact are not counted
    struct tn_fail_range calls;
    uint64_t every;      // of those calls, each every-th; 1 is each
    uint64_t threshold;  // of those, each whose hash is at most this
    uint64_t seed;       // of the hash
    tarn_status status;  // that of "as=", or the name's default
    char as[TN_FAIL_AS]; // the text behind "as=" if it is not a status, else ""
    bool face;           // the name is that of a face's function
    bool chosen;         // "as=" is there
    bool stack;          // log the stack of each firing
    uint64_t value;      // the duration in ns, or the size
    _Atomic uint64_t count;
};

struct tn_fail_set {
    unsigned count;
    struct tn_fail_spec specs[TN_FAIL_SPECS];
};

// Parses specs that are separated by semicolons. "" and NULL are an empty set. BAD_CONFIG: the error
// names the wrong piece; the set is unchanged.
tarn_status tn_fail_parse(const char *text, const struct tn_fail_grammar *grammar,
                          struct tn_fail_set *set);

// Returns true if the n-th counted call fails, n from 1. A pure function.
bool tn_fail_fires(const struct tn_fail_spec *spec, uint64_t n);

// Counts a call in the spec, whose name is not compared. Returns true if the spec selects it.
bool tn_fail_next(struct tn_fail_spec *spec, tarn_addr address, uint64_t bytes);

// Counts a call in each spec of that name, and returns the first one by which it fails, or NULL.
// `address` and `bytes` are 0 if the call has none. `n` receives the number of the call. If
// `shared` is not NULL, it is the number of the call in all processes, and counts for specs without
// ranges.
const struct tn_fail_spec *tn_fail_count(struct tn_fail_set *set, const char *name,
                                         tarn_addr address, uint64_t bytes, const uint64_t *shared,
                                         uint64_t *n);

// The same by the facts of the call.
const struct tn_fail_spec *tn_fail_count_facts(struct tn_fail_set *set, const char *name,
                                               const struct tn_fail_facts *facts,
                                               const uint64_t *shared, uint64_t *n);

// Returns true if memory is lost in any program if the call fails: vendors' frees, and waits for a
// device, which Tarn makes before it frees or unmaps.
bool tn_fail_loses_memory(const char *name);

// Returns true if the set has a spec for a call of a back-end.
bool tn_fail_has_device_calls(const struct tn_fail_set *set);
