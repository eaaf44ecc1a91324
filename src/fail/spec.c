// SPDX-License-Identifier: Apache-2.0
// The parser of specs, and the decision whether a call fails; see spec.h. The decision depends on
// the number of the call alone, so it is the same in each run and with any number of threads:
// "once" and "sticky" become numbers of calls when the spec is parsed.
#include "fail/spec.h"

#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "base/options.h"
#include "fail/names.h"

#define EXPECTED                                                                                   \
    "expected calls such as 3, 3-5 or 3-, every=N, rate=P, seed=N, size=A-B, address=A-B, "        \
    "as=STATUS, once, sticky or stack"

struct piece {
    const char *at;
    size_t length;
};

// The fields of a spec that are only used while it is parsed.
struct draft {
    struct tn_fail_spec *spec;
    bool calls, once, sticky;
};

static bool piece_is(struct piece piece, const char *word) {
    return strlen(word) == piece.length && memcmp(piece.at, word, piece.length) == 0;
}

// Removes the part up to the separator from `rest`. Returns false if none is left.
static bool next_part(struct piece *rest, char separator, struct piece *part) {
    if (rest->at == NULL) {
        return false;
    }
    const char *last = rest->at + rest->length;
    const char *end = (const char *)memchr(rest->at, separator, rest->length);
    *part = (struct piece){rest->at, (size_t)((end != NULL ? end : last) - rest->at)};
    *rest = end != NULL ? (struct piece){end + 1, (size_t)(last - end - 1)} : (struct piece){0};
    return true;
}

static tarn_status fail_spec(struct piece spec, struct piece piece, const char *why) {
    return tn_fail(TARN_BAD_CONFIG, "fail: \"%.*s\": \"%.*s\": %s", (int)spec.length, spec.at,
                   (int)piece.length, piece.at, why);
}

// ---- names

static const struct name {
    const char *name;
    tarn_status status;
} slots[] = {
#define SLOT(slot, status) {#slot, TARN_##status},
    TN_FAIL_SLOTS(SLOT)
#undef SLOT
};

static const struct name functions[] = {
#define FUNCTION(name, status) {#name, TARN_##status},
    TN_FAIL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

static const struct {
    const char *name, *slot;
} aliases[] = {
#define ALIAS(name, slot) {#name, #slot},
    TN_FAIL_ALIASES(ALIAS)
#undef ALIAS
};

static const char *const prefixes[] = {
#define PREFIX(prefix) prefix,
    TN_FAIL_PREFIXES(PREFIX)
#undef PREFIX
};

static const struct name *find_name(const struct name *list, size_t count, struct piece piece) {
    for (size_t i = 0; i < count; i++) {
        if (piece_is(piece, list[i].name)) {
            return &list[i];
        }
    }
    return NULL;
}

static const struct name *find_slot_name(struct piece piece) {
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (piece_is(piece, aliases[i].name)) {
            piece = (struct piece){aliases[i].slot, strlen(aliases[i].slot)};
        }
    }
    return find_name(slots, sizeof slots / sizeof slots[0], piece);
}

static bool is_face_name(struct piece piece) {
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (piece.length > length && memcmp(piece.at, prefixes[i], length) == 0) {
            return true;
        }
    }
    return false;
}

// Returns NULL if the name is of neither. The scope decides whether it may be a public function.
static const struct name *find_own_name(struct piece piece, enum tn_fail_scope scope) {
    const struct name *slot = find_slot_name(piece);
    return slot != NULL || scope == TN_FAIL_DEVICE
               ? slot
               : find_name(functions, sizeof functions / sizeof functions[0], piece);
}

static tarn_status parse_name(struct piece spec, struct piece piece, enum tn_fail_scope scope,
                              struct tn_fail_spec *out) {
    const struct name *found = find_own_name(piece, scope);
    bool face = scope == TN_FAIL_PROCESS && is_face_name(piece);
    if (found == NULL && (!face || piece.length >= sizeof out->name)) {
        return fail_spec(spec, piece,
                         scope == TN_FAIL_DEVICE
                             ? "this is not a call of a back-end that can be made to fail"
                             : "this is not a call that can be made to fail");
    }
    struct piece name = found != NULL ? (struct piece){found->name, strlen(found->name)} : piece;
    out->status = found != NULL ? found->status : TARN_NO_DEVICE_MEMORY;
    out->face = found == NULL;
    memcpy(out->name, name.at, name.length);
    out->name[name.length] = '\0';
    return TARN_OK;
}

// ---- fields

static bool parse_hex(struct piece piece, uint64_t *value) {
    static const char digits[] = "0123456789abcdef";
    uint64_t sum = 0;
    for (size_t i = 2; i < piece.length; i++) {
        const char *digit = strchr(
            digits, piece.at[i] | ('A' <= piece.at[i] && piece.at[i] <= 'F' ? 'a' - 'A' : 0));
        if (piece.at[i] == '\0' || digit == NULL || sum >> 60 != 0) {
            return false;
        }
        sum = sum << 4 | (uint64_t)(digit - digits);
    }
    *value = sum;
    return piece.length > 2;
}

static bool parse_number(struct piece piece, uint64_t *value) {
    return piece.length > 2 && memcmp(piece.at, "0x", 2) == 0
               ? parse_hex(piece, value)
               : tn_parse_size(piece.at, piece.length, value);
}

// Parses "A", "A-B" or "A-".
static bool parse_range(struct piece piece, struct tn_fail_range *range) {
    struct piece low, high;
    if (!next_part(&piece, '-', &low) || !parse_number(low, &range->low)) {
        return false;
    }
    range->high = range->low;
    if (next_part(&piece, '-', &high)) {
        range->high = UINT64_MAX;
        return piece.at == NULL && (high.length == 0 || parse_number(high, &range->high)) &&
               range->low <= range->high;
    }
    return true;
}

static bool parse_rate(struct piece piece, uint64_t *threshold) {
    double rate;
    if (!tn_parse_double(piece.at, piece.length, &rate) || rate <= 0 || rate > 1) {
        return false;
    }
    *threshold = rate == 1 ? UINT64_MAX : (uint64_t)(rate * 18446744073709551616.0);
    return true;
}

// A face converts its own codes. All other names fail with a status of Tarn.
static bool parse_as(struct piece piece, struct tn_fail_spec *spec) {
#define STATUS(name, value, text) {#name, TARN_##name},
    static const struct name statuses[] = {TARN_STATUS_LIST(STATUS)};
#undef STATUS
    const struct name *status = find_name(statuses, sizeof statuses / sizeof statuses[0], piece);
    if (piece.length == 0 || piece.length >= sizeof spec->as || (status == NULL && !spec->face) ||
        (status != NULL && status->status == TARN_OK)) {
        return false;
    }
    if (status != NULL) {
        spec->status = status->status;
        return true;
    }
    memcpy(spec->as, piece.at, piece.length);
    spec->as[piece.length] = '\0';
    return true;
}

static bool parse_calls(struct piece piece, struct draft *draft) {
    draft->calls = true;
    return parse_range(piece, &draft->spec->calls) && draft->spec->calls.low > 0;
}

static bool parse_field(struct piece piece, struct draft *draft) {
    struct tn_fail_spec *spec = draft->spec;
    struct piece value = piece, key;
    (void)next_part(&value, '=', &key);
    bool flag = value.at == NULL;
    if (flag && piece.length > 0 && piece.at[0] >= '0' && piece.at[0] <= '9') {
        return !draft->calls && parse_calls(piece, draft);
    }
    if (flag) {
        bool *field = piece_is(piece, "once")     ? &draft->once
                      : piece_is(piece, "sticky") ? &draft->sticky
                      : piece_is(piece, "stack")  ? &spec->stack
                                                  : NULL;
        if (field != NULL) {
            *field = true;
        }
        return field != NULL && !(draft->once && draft->sticky);
    }
    return piece_is(key, "every")
               ? tn_parse_unsigned(value.at, value.length, &spec->every) && spec->every > 0
           : piece_is(key, "rate")    ? parse_rate(value, &spec->threshold)
           : piece_is(key, "seed")    ? tn_parse_unsigned(value.at, value.length, &spec->seed)
           : piece_is(key, "size")    ? parse_range(value, &spec->sizes)
           : piece_is(key, "address") ? parse_range(value, &spec->addresses)
                                      : piece_is(key, "as") && parse_as(value, spec);
}

// ---- calls

// SplitMix64.
static uint64_t hash_call(uint64_t seed, uint64_t n) {
    uint64_t x = seed * UINT64_C(0xd1342543de82ef95) + n * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

bool tn_fail_fires(const struct tn_fail_spec *spec, uint64_t n) {
    return n >= spec->calls.low && n <= spec->calls.high &&
           (n - spec->calls.low + 1) % spec->every == 0 &&
           hash_call(spec->seed, n) <= spec->threshold;
}

// Returns the number of the first call that fails. A rate so small that no call of the first
// millions fails counts as never.
static uint64_t first_firing(const struct tn_fail_spec *spec) {
    uint64_t n = spec->calls.low + spec->every - 1;
    for (unsigned tries = 0; tries < 1u << 24 && n <= spec->calls.high; tries++, n += spec->every) {
        if (tn_fail_fires(spec, n)) {
            return n;
        }
    }
    return UINT64_MAX;
}

static void settle_calls(const struct draft *draft) {
    struct tn_fail_spec *spec = draft->spec;
    if (draft->once || draft->sticky) {
        uint64_t first = first_firing(spec);
        spec->calls = (struct tn_fail_range){first, draft->once ? first : UINT64_MAX};
        spec->every = 1;
        spec->threshold = UINT64_MAX;
    }
}

static tarn_status parse_spec(struct piece text, enum tn_fail_scope scope,
                              struct tn_fail_spec *spec) {
    struct draft draft = {.spec = spec};
    struct piece rest = text, part = text;
    *spec = (struct tn_fail_spec){.addresses = {0, UINT64_MAX},
                                  .sizes = {0, UINT64_MAX},
                                  .calls = {1, UINT64_MAX},
                                  .every = 1,
                                  .threshold = UINT64_MAX};
    if (text.length >= sizeof spec->text) {
        return fail_spec(text, text, "a spec has less than 128 bytes");
    }
    memcpy(spec->text, text.at, text.length);
    (void)next_part(&rest, ':', &part);
    TN_TRY(parse_name(text, part, scope, spec));
    while (next_part(&rest, ':', &part)) {
        if (!parse_field(part, &draft)) {
            return fail_spec(text, part, EXPECTED);
        }
    }
    settle_calls(&draft);
    return TARN_OK;
}

tarn_status tn_fail_parse(const char *text, enum tn_fail_scope scope, struct tn_fail_set *set) {
    struct tn_fail_set own = {.count = 0};
    bool empty = text == NULL || text[0] == '\0';
    struct piece rest = {empty ? NULL : text, empty ? 0 : strlen(text)};
    struct piece spec;
    while (next_part(&rest, ';', &spec)) {
        if (own.count == TN_FAIL_SPECS) {
            return fail_spec(spec, spec, "there are more than 16 specs");
        }
        TN_TRY(parse_spec(spec, scope, &own.specs[own.count]));
        own.count++;
    }
    memcpy(set, &own, sizeof own);
    return TARN_OK;
}

// ---- decision

static bool in_fail_range(const struct tn_fail_range *range, uint64_t value) {
    return value >= range->low && value <= range->high;
}

static bool has_ranges(const struct tn_fail_spec *spec) {
    return spec->addresses.low != 0 || spec->addresses.high != UINT64_MAX || spec->sizes.low != 0 ||
           spec->sizes.high != UINT64_MAX;
}

const struct tn_fail_spec *tn_fail_count(struct tn_fail_set *set, const char *name,
                                         tarn_addr address, uint64_t bytes, const uint64_t *shared,
                                         uint64_t *n) {
    const struct tn_fail_spec *found = NULL;
    for (unsigned i = 0; i < set->count; i++) {
        struct tn_fail_spec *spec = &set->specs[i];
        if (strcmp(spec->name, name) != 0 || !in_fail_range(&spec->addresses, address) ||
            !in_fail_range(&spec->sizes, bytes)) {
            continue;
        }
        uint64_t number = tn_add_relaxed(&spec->count, 1) + 1;
        if (shared != NULL && !has_ranges(spec)) {
            number = *shared;
        }
        if (found == NULL && tn_fail_fires(spec, number)) {
            found = spec;
            *n = number;
        }
    }
    return found;
}

bool tn_fail_has_device_calls(const struct tn_fail_set *set) {
    for (unsigned i = 0; i < set->count; i++) {
        const char *name = set->specs[i].name;
        if (find_name(slots, sizeof slots / sizeof slots[0], (struct piece){name, strlen(name)}) !=
            NULL) {
            return true;
        }
    }
    return false;
}
