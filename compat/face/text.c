// SPDX-License-Identifier: Apache-2.0
// See text.h.
#include "compat/face/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/printable.h"

static _Thread_local char *room;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_room(void *text) {
    room = NULL;
    free(text);
}

static void make_key(void) { (void)pthread_key_create(&at_thread_end, free_room); }

char *tn_face_text_room(void) {
    if (room == NULL) {
        (void)pthread_once(&once, make_key);
        room = (char *)calloc(1, TN_FACE_TEXT);
        if (room != NULL && pthread_setspecific(at_thread_end, room) != 0) {
            free(room);
            room = NULL;
        }
    }
    return room;
}

// An argument may be the text that is replaced.
void tn_face_text_format(char *text, size_t size, const char *format, va_list arguments) {
    char plain[TN_FACE_TEXT];
    (void)vsnprintf(plain, sizeof plain, format, arguments);
    tn_printable_copy(plain, text, size);
}
