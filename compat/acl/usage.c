// SPDX-License-Identifier: Apache-2.0
// See usage.h.
#include "compat/acl/usage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/acl/fork.h"

struct usage {
    int module;
    size_t now;
    size_t most;
    struct usage *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards usages
static struct usage *usages[TN_ACL_DEVICES];

// The place of a module's record, or of the NULL behind the last.
static struct usage **place_of(const struct tn_acl_device *device, int module) {
    struct usage **at = &usages[device->ordinal];
    while (*at != NULL && (*at)->module != module) {
        at = &(*at)->next;
    }
    return at;
}

void tn_acl_usage_add(const struct tn_acl_device *device, int module, size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    struct usage **at = place_of(device, module);
    if (*at == NULL && (*at = (struct usage *)calloc(1, sizeof **at)) != NULL) {
        (*at)->module = module;
    }
    if (*at != NULL) {
        (*at)->now += bytes;
        (*at)->most = (*at)->now > (*at)->most ? (*at)->now : (*at)->most;
    }
    (void)pthread_mutex_unlock(&lock);
}

void tn_acl_usage_sub(const struct tn_acl_device *device, int module, size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    struct usage *usage = *place_of(device, module);
    if (usage != NULL) {
        usage->now -= bytes < usage->now ? bytes : usage->now;
    }
    (void)pthread_mutex_unlock(&lock);
}

static void describe(const struct usage *usage, aclrtMemUsageInfo *record) {
    *record = (aclrtMemUsageInfo){.curMemSize = usage->now, .memPeakSize = usage->most};
    switch (usage->module) {
    case TN_ACL_MODULE_NONE:
        (void)snprintf(record->name, sizeof record->name, "acl");
        break;
    case TN_ACL_MODULE_MEDIA:
        (void)snprintf(record->name, sizeof record->name, "media");
        break;
    default:
        (void)snprintf(record->name, sizeof record->name, "module %d", usage->module);
    }
}

size_t tn_acl_usage_tell(const struct tn_acl_device *device, aclrtMemUsageInfo *records,
                         size_t room) {
    size_t count = 0;
    (void)pthread_mutex_lock(&lock);
    for (const struct usage *at = usages[device->ordinal]; at != NULL && count < room;
         at = at->next) {
        describe(at, &records[count++]);
    }
    (void)pthread_mutex_unlock(&lock);
    return count;
}

// What is in use is the parent's.
void tn_acl_usage_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    for (int i = 0; step == TN_FACE_FORK_CHILD && i < TN_ACL_DEVICES; i++) {
        while (usages[i] != NULL) {
            struct usage *usage = usages[i];
            usages[i] = usage->next;
            free(usage);
        }
    }
    (void)pthread_mutex_unlock(&lock);
}
