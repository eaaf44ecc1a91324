// SPDX-License-Identifier: Apache-2.0
// Domains. There are few, so a list suffices. A destroyed domain stays in the list for the heaps
// that were registered there, and its name may be used by a new domain.
#include "check/model.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "check/options.h"

enum { NAME_MAX_LENGTH = 1023 };

// Returns true if the comma-separated list contains the name.
static bool is_listed(const char *list, const char *name) {
    return tn_words_find(list, ',', name, strlen(name)) >= 0;
}

struct tn_check_domain *tn_check_domain_find(const char *name) {
    if (name == NULL) return &tn_check_model.global;
    struct tn_check_domain *domain = tn_check_model.domains;
    while (domain != NULL && (domain->destroyed || strcmp(domain->name, name) != 0))
        domain = domain->next;
    return domain;
}

struct tn_check_domain *tn_check_domain_named(const char *name) {
    struct tn_check_domain *domain = tn_check_domain_find(name);
    if (domain == NULL) {
        domain = tn_check_allocate(sizeof *domain);
        domain->name = tn_check_intern(name);
        domain->quirk = is_listed(tn_check_model.options->quirk_domains, name);
        domain->rounds = is_listed(tn_check_model.options->rounded_domains, name);
        domain->next = tn_check_model.domains;
        tn_check_model.domains = domain;
    }
    return domain;
}

static bool is_name(const char *name) {
    size_t length = 0;
    for (; name[length] != '\0'; length++)
        if (length == NAME_MAX_LENGTH ||
            (!isalnum((unsigned char)name[length]) && name[length] != '_'))
            return false;
    return length > 0;
}

uint64_t tn_check_domain_create(struct tn_check_call *call, const char *name) {
    if (name == NULL || !is_name(name)) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_BAD_ARGUMENT,
            "domain name %s%.80s%s is not 1 to %d of [A-Za-z0-9_]", name == NULL ? "" : "\"",
            name == NULL ? "NULL" : name, name == NULL ? "" : "\"", NAME_MAX_LENGTH);
        report->severity = TN_CHECK_SEVERITY_WARN;
        return 0;
    }
    struct tn_check_domain *domain = tn_check_domain_named(name);
    if (domain->handle == 0 &&
        tn_slots_insert(&tn_check_model.domain_handles, tn_slots_from_pointer(domain),
                        &domain->handle) != TARN_OK)
        tn_check_out_of_memory();
    return domain->handle;
}

// The handle of a destroyed domain is not reused.
struct tn_check_domain *tn_check_domain_resolve(struct tn_check_call *call, uint64_t handle) {
    uint64_t payload = 0;
    if (handle == 0) return &tn_check_model.global;
    if (!tn_slots_get(&tn_check_model.domain_handles, handle, &payload)) {
        (void)tn_check_call_report(call, TN_CHECK_KIND_BAD_DOMAIN,
                                   "domain %#" PRIx64 " is unknown; the global domain is used",
                                   handle);
        return &tn_check_model.global;
    }
    struct tn_check_domain *domain = tn_slots_to_pointer(payload);
    if (domain->destroyed && !domain->destroyed_reported) {
        domain->destroyed_reported = true;
        (void)tn_check_call_report(call, TN_CHECK_KIND_DESTROYED_DOMAIN,
                                   "use of domain \"%s\" after it was destroyed", domain->name);
    }
    return domain;
}

void tn_check_domain_destroy(struct tn_check_call *call, uint64_t handle) {
    if (handle == 0) return;
    struct tn_check_domain *domain = tn_check_domain_resolve(call, handle);
    if (domain == &tn_check_model.global || domain->destroyed) return;
    if (domain->heaps != 0)
        (void)tn_check_call_report(call, TN_CHECK_KIND_DOMAIN_LEAK,
                                   "domain \"%s\" is destroyed with %" PRIu64 " live heap(s)",
                                   domain->name, domain->heaps);
    domain->destroyed = true;
}
