// SPDX-License-Identifier: Apache-2.0
// See device.h.
#include "compat/face/device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/log.h"
#include "compat/face/variable.h"

static tarn_status open_next(struct tn_face_devices *devices, int number) {
    struct tn_face_device *device = &devices->of[devices->count];
    *device = (struct tn_face_device){
        .ordinal = devices->count, .number = number, .info = {.struct_size = sizeof device->info}};
    tarn_status status = tarn_device_sibling(devices->any, number, &device->tarn);
    if (status == TARN_OK) {
        devices->count++;
        status = tarn_device_query(device->tarn, &device->info);
    }
    return status;
}

static tarn_status open_listed(struct tn_face_devices *devices, int all, const char *variable) {
    const char *whole = getenv(variable), *list = whole;
    tarn_status status = TARN_OK;
    while (status == TARN_OK) {
        char *end = NULL;
        long number = strtol(list, &end, 10);
        bool is_number = end != list && strchr(",", end[strspn(end, " ")]) != NULL;
        if (!is_number || number < 0 || number >= all ||
            tn_face_device_of(devices, (int)number) != NULL) {
            tn_log_line(TN_LOG_ERROR, "warning: %s=%s: the list of devices ends before \"%.*s\"",
                        variable, whole, (int)strcspn(list, ","), list);
            break;
        }
        status = open_next(devices, (int)number);
        end += strspn(end, " ");
        if (*end != ',') break;
        list = end + 1;
    }
    return status;
}

tarn_status tn_face_devices_open(struct tn_face_devices *devices, int limit, const char *name,
                                 const char *visible) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_status status = tarn_device_open(name, &devices->any);
    if (status == TARN_OK) status = tarn_device_query(devices->any, &info);
    int all = info.device_count < limit ? info.device_count : limit;
    if (status == TARN_OK && visible != NULL)
        status = open_listed(devices, all, visible);
    else
        for (int i = 0; i < all && status == TARN_OK; i++) status = open_next(devices, i);
    if (status == TARN_OK) {
        (void)tarn_device_close(devices->any);
        devices->any = NULL;
    }
    return status;
}

void tn_face_devices_refuse(const char *own, tarn_status status, char *text, size_t room) {
    tarn_error error;
    (void)tarn_last_error(&error);
    const char *variable = tn_variable_text(own) != NULL ? own : "TARN_DEVICE";
    bool is_given = tn_variable_text(variable) != NULL;
    bool is_named = strncmp(error.message, "environment variable ", 21) == 0;
    bool is_shown = is_given && !is_named;
    (void)snprintf(text, room, "%s%s%s%s", is_shown ? "environment variable " : "",
                   is_shown ? variable : "", is_shown ? ": " : "", error.message);
    if (status == TARN_BAD_CONFIG ||
        (is_given && (status == TARN_BAD_DEVICE || status == TARN_UNSUPPORTED)))
        tn_log_refusal(text);
}

void tn_face_devices_close(struct tn_face_devices *devices) {
    while (devices->count > 0) (void)tarn_device_close(devices->of[--devices->count].tarn);
    if (devices->any != NULL) {
        (void)tarn_device_close(devices->any);
        devices->any = NULL;
    }
}

struct tn_face_device *tn_face_device(struct tn_face_devices *devices, int64_t ordinal) {
    return ordinal >= 0 && ordinal < devices->count ? &devices->of[ordinal] : NULL;
}

struct tn_face_device *tn_face_device_of(struct tn_face_devices *devices, int number) {
    for (int i = 0; i < devices->count; i++)
        if (devices->of[i].number == number) return &devices->of[i];
    return NULL;
}
