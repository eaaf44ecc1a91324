// SPDX-License-Identifier: Apache-2.0
// The parser of specs, and the decision whether a call fails; see spec.h. The decision depends on
// the number of the call alone, so it is the same in each run and with any number of threads:
// "once" and "sticky" become numbers of calls when the spec is parsed.
#include "fail/spec.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "base/options.h"
#include "base/words.h"
#include "fail/function.h"
#include "fail/names.h"

struct piece {
    const char *at;
    size_t length;
};

// A spec while it is parsed.
struct draft {
    const struct tn_fail_grammar *grammar;
    struct piece text;
    struct tn_fail_spec *spec;
    struct tn_fail_word word;
    bool calls, once, sticky, value; // whether the field was there
};

static bool piece_is(struct piece piece, const char *word) {
    return strlen(word) == piece.length && memcmp(piece.at, word, piece.length) == 0;
}

// Removes the part up to the separator from `rest`. Returns false if none is left.
static bool next_part(struct piece *rest, char separator, struct piece *part) {
    if (rest->at == NULL) return false;
    const char *last = rest->at + rest->length;
    const char *end = (const char *)memchr(rest->at, separator, rest->length);
    *part = (struct piece){rest->at, (size_t)((end != NULL ? end : last) - rest->at)};
    *rest = end != NULL ? (struct piece){end + 1, (size_t)(last - end - 1)} : (struct piece){0};
    return true;
}

static tarn_status fail_piece(const struct draft *draft, struct piece piece, const char *why) {
    return tn_fail(TARN_BAD_CONFIG, "%s: \"%.*s\": \"%.*s\": %s", draft->grammar->option,
                   (int)draft->text.length, draft->text.at, (int)piece.length, piece.at, why);
}

// ---- names

// Calls with a default status and arguments in common.
static const struct calls {
    tarn_status status;
    unsigned facts;
    const char *names;
} slots[] = {
#define CALLS(status, arguments, names) {TARN_##status, TN_FAIL_FACTS_##arguments, names},
    TN_FAIL_SLOTS(CALLS){TARN_OK, 0, NULL}};

static const struct calls functions[] = {TN_FAIL_FUNCTIONS(CALLS){TARN_OK, 0, NULL}};
#undef CALLS

static const struct {
    const char *name, *slot;
} aliases[] = {
#define ALIAS(name, slot) {#name, #slot},
    TN_FAIL_ALIASES(ALIAS)};

static const char *const prefixes[] = {
#define PREFIX(prefix) prefix,
    TN_FAIL_PREFIXES(PREFIX)};

static bool find_listed(const struct calls *list, const char *name, struct tn_fail_word *word) {
    while (list->names != NULL && tn_words_find(list->names, ' ', name, strlen(name)) < 0) list++;
    if (list->names != NULL)
        *word = (struct tn_fail_word){.name = name,
                                      .fields = TN_FAIL_CALLS | TN_FAIL_RESULT,
                                      .facts = list->facts,
                                      .status = list->status};
    return list->names != NULL;
}

static bool find_slot(const char *name, struct tn_fail_word *word) {
    return find_listed(slots, name, word);
}

static bool is_face_name(const char *name) {
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) == 0 && name[length] != '\0') return true;
    }
    return false;
}

static bool find_call(const char *name, struct tn_fail_word *word) {
    if (find_slot(name, word) || find_listed(functions, name, word)) return true;
    if (!is_face_name(name)) return false;
    const struct tn_fail_function *row = tn_fail_function_find(name);
    *word = (struct tn_fail_word){.name = name,
                                  .fields = TN_FAIL_CALLS | TN_FAIL_RESULT,
                                  .facts = row != NULL ? tn_fail_function_facts(row) : 0,
                                  .status = TARN_NO_DEVICE_MEMORY,
                                  .face = true,
                                  .never = row != NULL && strcmp(row->error, "-") == 0};
    return true;
}

const struct tn_fail_grammar tn_fail_device = {
    "fail", "this is not a call of a back-end that can be made to fail", find_slot};
const struct tn_fail_grammar tn_fail_process = {
    "fail", "this is not a call that can be made to fail", find_call};

static tarn_status parse_name(struct piece piece, struct draft *draft) {
    struct tn_fail_spec *spec = draft->spec;
    char text[TN_FAIL_NAME] = "";
    const char *name = text;
    memcpy(text, piece.at, piece.length < sizeof text ? piece.length : 0);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        name = piece_is(piece, aliases[i].name) ? aliases[i].slot : name;
    if (!draft->grammar->find(name, &draft->word))
        return fail_piece(draft, piece, draft->grammar->unknown);
    memcpy(spec->name, draft->word.name, strlen(draft->word.name));
    draft->word.name = spec->name;
    spec->status = draft->word.status;
    spec->face = draft->word.face;
    return TARN_OK;
}

// ---- fields

static bool parse_hex(struct piece piece, uint64_t *value) {
    static const char digits[] = "0123456789abcdef";
    uint64_t sum = 0;
    for (size_t i = 2; i < piece.length; i++) {
        const char *digit = strchr(
            digits, piece.at[i] | ('A' <= piece.at[i] && piece.at[i] <= 'F' ? 'a' - 'A' : 0));
        if (piece.at[i] == '\0' || digit == NULL || sum >> 60 != 0) return false;
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
    if (!next_part(&piece, '-', &low) || !parse_number(low, &range->low)) return false;
    range->high = range->low;
    if (next_part(&piece, '-', &high)) {
        range->high = UINT64_MAX;
        return piece.at == NULL && (high.length == 0 || parse_number(high, &range->high)) &&
               range->low <= range->high;
    }
    return true;
}

static bool parse_calls(struct piece piece, struct draft *draft) {
    struct tn_fail_range calls;
    if (draft->calls || !parse_range(piece, &calls) || calls.low == 0) return false;
    draft->spec->calls = calls;
    draft->calls = true;
    return true;
}

static bool parse_every(struct piece piece, struct draft *draft) {
    return tn_parse_unsigned(piece.at, piece.length, &draft->spec->every) && draft->spec->every > 0;
}

static bool parse_rate(struct piece piece, struct draft *draft) {
    double rate;
    if (!tn_parse_double(piece.at, piece.length, &rate) || rate <= 0 || rate > 1) return false;
    draft->spec->threshold = rate == 1 ? UINT64_MAX : (uint64_t)(rate * 18446744073709551616.0);
    return true;
}

static bool parse_seed(struct piece piece, struct draft *draft) {
    return tn_parse_unsigned(piece.at, piece.length, &draft->spec->seed);
}

static bool parse_fact(struct piece piece, struct draft *draft, enum tn_fail_fact_kind fact) {
    draft->spec->filters |= 1u << fact;
    return (draft->word.facts & 1u << fact) != 0 && parse_range(piece, &draft->spec->facts[fact]);
}

#define FACT(fact, text)                                                                           \
    static bool parse_##fact(struct piece piece, struct draft *draft) {                            \
        return parse_fact(piece, draft, TN_FAIL_FACT_##fact);                                      \
    }
TN_FAIL_FACT_LIST(FACT)

// A face converts its own codes. All other names fail with a status of Tarn.
static bool parse_as(struct piece piece, struct draft *draft) {
    struct tn_fail_spec *spec = draft->spec;
    char text[TN_FAIL_AS] = "";
    spec->chosen = true;
    memcpy(text, piece.at, piece.length < sizeof text ? piece.length : 0);
#define STATUS(name, value, words)                                                                 \
    if (strcmp(text, #name) == 0) return (spec->status = TARN_##name) != TARN_OK;
    TARN_STATUS_LIST(STATUS)
    memcpy(spec->as, text, sizeof text);
    return text[0] != '\0' && spec->face;
}

static bool parse_once(struct piece piece, struct draft *draft) {
    draft->once = true;
    return piece.at == NULL && !draft->sticky;
}

static bool parse_sticky(struct piece piece, struct draft *draft) {
    draft->sticky = true;
    return piece.at == NULL && !draft->once;
}

static bool parse_stack(struct piece piece, struct draft *draft) {
    draft->spec->stack = true;
    return piece.at == NULL;
}

static bool parse_time(struct piece piece, struct draft *draft) {
    if (draft->value || !tn_parse_duration(piece.at, piece.length, &draft->spec->value))
        return false;
    draft->value = true;
    return true;
}

static bool parse_bytes(struct piece piece, struct draft *draft) {
    if (draft->value || !tn_parse_size(piece.at, piece.length, &draft->spec->value)) return false;
    draft->value = true;
    return true;
}

// All fields. A parser gets the text behind "key=", all of it for a field without a key, and nothing
// for a word.
static const struct field {
    const char *key, *shown;
    unsigned kind;
    bool (*parse)(struct piece piece, struct draft *draft);
} fields[] = {
    {"", "a duration such as 100us or 2ms", TN_FAIL_TIME, parse_time},
    {"", "a size such as 64K or 8G", TN_FAIL_SIZE, parse_bytes},
    {"", "calls such as 3, 3-5 or 3-", TN_FAIL_CALLS, parse_calls},
    {"every", "every=N", TN_FAIL_CALLS, parse_every},
    {"rate", "rate=P", TN_FAIL_CALLS, parse_rate},
    {"seed", "seed=N", TN_FAIL_CALLS, parse_seed},
#define FIELD(fact, text) {text, text "=A-B", TN_FAIL_CALLS, parse_##fact},
    TN_FAIL_FACT_LIST(FIELD){"once", "once", TN_FAIL_CALLS, parse_once},
    {"sticky", "sticky", TN_FAIL_CALLS, parse_sticky},
    {"as", "as=STATUS", TN_FAIL_RESULT, parse_as},
    {"stack", "stack", TN_FAIL_RESULT, parse_stack},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

// Lists the fields of these kinds.
static tarn_status fail_field(const struct draft *draft, struct piece piece, unsigned kinds) {
    char why[256] = "expected no field";
    size_t used = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        if ((fields[i].kind & kinds) != 0 && used < sizeof why)
            used += (size_t)snprintf(why + used, sizeof why - used, "%s%s",
                                     used == 0 ? "expected " : ", ", fields[i].shown);
    }
    return fail_piece(draft, piece, why);
}

static const char *const fact_names[TN_FAIL_FACTS] = {
#define FACT_NAME(fact, text) text,
    TN_FAIL_FACT_LIST(FACT_NAME)};

// The calls have no such argument, so none would be selected.
static tarn_status fail_fact(const struct draft *draft, struct piece piece) {
    char why[256];
    size_t used =
        (size_t)snprintf(why, sizeof why, "%s has no such argument; it has", draft->word.name);
    for (int fact = 0; fact < TN_FAIL_FACTS; fact++)
        if ((draft->word.facts & 1u << fact) != 0)
            used += (size_t)snprintf(why + used, sizeof why - used, " %s", fact_names[fact]);
    (void)snprintf(why + used, sizeof why - used, "%s", draft->word.facts == 0 ? " none" : "");
    return fail_piece(draft, piece, why);
}

static tarn_status parse_field(struct piece piece, struct draft *draft) {
    struct piece value = piece, key;
    (void)next_part(&value, '=', &key);
    for (size_t i = 0; i < FIELDS; i++) {
        bool plain = fields[i].key[0] == '\0';
        if ((fields[i].kind & draft->word.fields) != 0 && (plain || piece_is(key, fields[i].key)) &&
            fields[i].parse(plain ? piece : value, draft))
            return TARN_OK;
    }
    for (int fact = 0; fact < TN_FAIL_FACTS; fact++)
        if (piece_is(key, fact_names[fact]) && (draft->word.facts & 1u << fact) == 0)
            return fail_fact(draft, piece);
    return fail_field(draft, piece, draft->word.fields);
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
    for (unsigned tries = 0; tries < 1u << 24 && n <= spec->calls.high; tries++, n += spec->every)
        if (tn_fail_fires(spec, n)) return n;
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

static tarn_status parse_spec(struct draft *draft) {
    struct tn_fail_spec *spec = draft->spec;
    struct piece rest = draft->text, name;
    *spec = (struct tn_fail_spec){.calls = {1, UINT64_MAX}, .every = 1, .threshold = UINT64_MAX};
    if (rest.length >= sizeof spec->text)
        return fail_piece(draft, rest, "a spec has less than 128 bytes");
    memcpy(spec->text, rest.at, rest.length);
    (void)next_part(&rest, ':', &name);
    TN_TRY(parse_name(name, draft));
    if (rest.at == NULL && draft->word.fallback != NULL)
        rest = (struct piece){draft->word.fallback, strlen(draft->word.fallback)};
    struct piece part;
    while (next_part(&rest, ':', &part)) TN_TRY(parse_field(part, draft));
    if (draft->word.never && !spec->chosen)
        return fail_piece(draft, name, "its manual lists no error; choose one by as=");
    unsigned needed = draft->word.fields & (TN_FAIL_TIME | TN_FAIL_SIZE);
    if (needed != 0 && !draft->value) return fail_field(draft, draft->text, needed);
    settle_calls(draft);
    return TARN_OK;
}

tarn_status tn_fail_parse(const char *text, const struct tn_fail_grammar *grammar,
                          struct tn_fail_set *set) {
    struct tn_fail_set own = {.count = 0};
    bool empty = text == NULL || text[0] == '\0';
    struct piece rest = {empty ? NULL : text, empty ? 0 : strlen(text)};
    struct draft draft = {.grammar = grammar};
    while (next_part(&rest, ';', &draft.text)) {
        if (own.count == TN_FAIL_SPECS)
            return fail_piece(&draft, draft.text, "there are more than 16 specs");
        draft = (struct draft){grammar, draft.text, .spec = &own.specs[own.count++]};
        TN_TRY(parse_spec(&draft));
    }
    memcpy(set, &own, sizeof own);
    return TARN_OK;
}

// ---- decision

static bool in_fail_range(const struct tn_fail_range *range, uint64_t value) {
    return value >= range->low && value <= range->high;
}

static bool has_fact(const struct tn_fail_spec *spec, enum tn_fail_fact_kind kind,
                     const struct tn_fail_facts *facts) {
    for (unsigned i = 0; i < facts->count; i++)
        if (facts->list[i].kind == kind && in_fail_range(&spec->facts[kind], facts->list[i].value))
            return true;
    return false;
}

static bool is_counted(const struct tn_fail_spec *spec, const struct tn_fail_facts *facts) {
    for (unsigned kind = 0; kind < TN_FAIL_FACTS; kind++)
        if ((spec->filters & 1u << kind) != 0 &&
            !has_fact(spec, (enum tn_fail_fact_kind)kind, facts))
            return false;
    return true;
}

static struct tn_fail_facts range_facts(tarn_addr address, uint64_t bytes) {
    return (struct tn_fail_facts){2, {{TN_FAIL_FACT_ADDRESS, address}, {TN_FAIL_FACT_SIZE, bytes}}};
}

bool tn_fail_next(struct tn_fail_spec *spec, tarn_addr address, uint64_t bytes) {
    const struct tn_fail_facts facts = range_facts(address, bytes);
    return is_counted(spec, &facts) && tn_fail_fires(spec, tn_add_relaxed(&spec->count, 1) + 1);
}

static bool is_named(const struct tn_fail_spec *spec, const char *name) {
    return strcmp(spec->name, name) == 0 || (spec->face && tn_fail_function_is(spec->name, name));
}

const struct tn_fail_spec *tn_fail_count_facts(struct tn_fail_set *set, const char *name,
                                               const struct tn_fail_facts *facts,
                                               const uint64_t *shared, uint64_t *n) {
    const struct tn_fail_spec *found = NULL;
    for (unsigned i = 0; i < set->count; i++) {
        struct tn_fail_spec *spec = &set->specs[i];
        if (!is_named(spec, name) || !is_counted(spec, facts)) continue;
        uint64_t number = tn_add_relaxed(&spec->count, 1) + 1;
        // The count of all processes is that of one name, and of calls that no fact selects.
        if (shared != NULL && spec->filters == 0 && strcmp(spec->name, name) == 0) number = *shared;
        if (found == NULL && tn_fail_fires(spec, number)) {
            found = spec;
            *n = number;
        }
    }
    return found;
}

const struct tn_fail_spec *tn_fail_count(struct tn_fail_set *set, const char *name,
                                         tarn_addr address, uint64_t bytes, const uint64_t *shared,
                                         uint64_t *n) {
    const struct tn_fail_facts facts = range_facts(address, bytes);
    return tn_fail_count_facts(set, name, &facts, shared, n);
}

bool tn_fail_loses_memory(const char *name) {
    static const char *const words[] = {"Free",  "Destroy", "Unmap",  "Release", "Unregister",
                                        "Reset", "Final",   "Close",  "DFree",   "_free",
                                        "_exit", "LastErr", "Disable"};
    bool found = strncmp(name, "device_synchronize", strlen("device_synchronize")) == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && is_face_name(name); i++)
        found = found || strstr(name, words[i]) != NULL;
    return found;
}

bool tn_fail_has_device_calls(const struct tn_fail_set *set) {
    struct tn_fail_word word;
    for (unsigned i = 0; i < set->count; i++)
        if (find_slot(set->specs[i].name, &word)) return true;
    return false;
}
