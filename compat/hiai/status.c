// SPDX-License-Identifier: Apache-2.0
// The names of statuses, and the texts that programs give to theirs. Texts stay as long as the
// process. `text_lock` guards the list.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/hiai/face.h"

struct text {
    struct text *next;
    HIAI_StatusT status;
    char text[];
};

static pthread_mutex_t text_lock = PTHREAD_MUTEX_INITIALIZER;
static struct text *texts; // guard: text_lock

TN_FACE_ON_FORK(TN_HIAI_LOCK_TEXTS, &text_lock, NULL);

static const char *name_of(HIAI_StatusT status) {
    switch (status) {
#define NAME_OF(name, number)                                                                      \
    case name: return #name;
        HIAIX_STATUS_LIST(NAME_OF)
#undef NAME_OF
    default: return NULL;
    }
}

// With the lock.
static const struct text *find_text(HIAI_StatusT status) {
    const struct text *text = texts;
    while (text != NULL && text->status != status) text = text->next;
    return text;
}

const char *HIAIX_GetStatusText(HIAI_StatusT status) {
    (void)pthread_mutex_lock(&text_lock);
    const struct text *text = find_text(status);
    (void)pthread_mutex_unlock(&text_lock);
    const char *name = name_of(status);
    return text != NULL ? text->text : name != NULL ? name : "";
}

const char *HIAIX_StatusStr(HIAI_StatusT status) {
    const char *text = HIAIX_GetStatusText(status);
    return text[0] != '\0' ? text : "unknown status";
}

bool tn_hiai_status_add(HIAI_StatusT status, const char *what) {
    size_t bytes = strlen(what) + 1;
    struct text *text = (struct text *)malloc(sizeof *text + bytes);
    if (text == NULL) return false;
    text->status = status;
    memcpy(text->text, what, bytes);
    TN_FACE_LOCKED(&text_lock);
    if (find_text(status) != NULL) {
        free(text);
        return true;
    }
    text->next = texts;
    texts = text;
    return true;
}
