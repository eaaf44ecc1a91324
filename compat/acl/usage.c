// SPDX-License-Identifier: Apache-2.0
// See usage.h. Each device has a list; one lock guards all of them.
#include "compat/acl/usage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/acl/fork.h"
#include "compat/face/scope.h"
#include "src/base/list.h"

struct usage {
    int module;
    size_t now;
    size_t peak;
    struct usage *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct usage *usages[TN_ACL_DEVICES];

// Returns the link to a module's record, or the last link if it has none.
static struct usage **usage_link(const struct tn_face_device *device, int module) {
    struct usage **at = &usages[device->ordinal];
    while (*at != NULL && (*at)->module != module) at = &(*at)->next;
    return at;
}

void tn_acl_usage_add(const struct tn_face_device *device, int module, size_t bytes) {
    TN_FACE_LOCKED(&lock);
    struct usage **at = usage_link(device, module);
    if (*at == NULL && (*at = (struct usage *)calloc(1, sizeof **at)) != NULL)
        (*at)->module = module;
    if (*at != NULL) {
        (*at)->now += bytes;
        (*at)->peak = (*at)->now > (*at)->peak ? (*at)->now : (*at)->peak;
    }
}

void tn_acl_usage_sub(const struct tn_face_device *device, int module, size_t bytes) {
    TN_FACE_LOCKED(&lock);
    struct usage *usage = *usage_link(device, module);
    if (usage != NULL) usage->now -= bytes < usage->now ? bytes : usage->now;
}

size_t tn_acl_usage_fill(const struct tn_face_device *device, aclrtMemUsageInfo *records,
                         size_t room) {
    size_t count = 0;
    TN_FACE_LOCKED(&lock);
    for (const struct usage *at = usages[device->ordinal]; at != NULL && count < room;
         at = at->next) {
        aclrtMemUsageInfo *record = &records[count++];
        *record = (aclrtMemUsageInfo){.curMemSize = at->now, .memPeakSize = at->peak};
        switch (at->module) {
        case TN_ACL_MODULE_NONE: (void)snprintf(record->name, sizeof record->name, "acl"); break;
        case TN_ACL_MODULE_MEDIA: (void)snprintf(record->name, sizeof record->name, "media"); break;
        default: (void)snprintf(record->name, sizeof record->name, "module %d", at->module);
        }
    }
    return count;
}

// The counted memory belongs to the parent.
static void forget_usage(void) {
    for (int i = 0; i < TN_ACL_DEVICES; i++)
        TN_CHAIN_DRAIN(struct usage, usage, usages[i], next) free(usage);
}
TN_FACE_ON_FORK(TN_ACL_LOCK_USAGE, &lock, forget_usage);
