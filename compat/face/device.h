// SPDX-License-Identifier: Apache-2.0
// The devices that programs of a face see: all of a platform, or those that a list names. The
// caller serialises opening and closing.
#pragma once

#include <tarn/device.h>

#define TN_FACE_DEVICES 32

struct tn_face_device {
    tarn_device *tarn;
    int ordinal; // the number that programs use
    int number;  // on the platform, of all devices
    tarn_device_info info;
};

// Written when the devices are opened, then only read.
struct tn_face_devices {
    int count;
    struct tn_face_device of[TN_FACE_DEVICES];
    tarn_device *any; // only until an opening has succeeded, or is undone
};

// Opens the platform of a device, and at most `limit` devices of it. `visible` is the name of
// the variable of the environment that has their numbers in the order in which programs see them. Its list
// ends at the first one that is invalid or repeated, as vendors' lists do. NULL means all. On failure the caller reads the error, and closes what is open.
tarn_status tn_face_devices_open(struct tn_face_devices *devices, int limit, const char *name,
                                 const char *visible);
// After an opening that failed: writes its reason into `text`, with the variable that named the device, `own` or
// TARN_DEVICE, and to standard error if that variable is to blame.
void tn_face_devices_refuse(const char *own, tarn_status status, char *text, size_t room);
void tn_face_devices_close(struct tn_face_devices *devices);

// The device with an ordinal that programs use, or with a number of the platform; or NULL.
struct tn_face_device *tn_face_device(struct tn_face_devices *devices, int64_t ordinal);
struct tn_face_device *tn_face_device_of(struct tn_face_devices *devices, int number);
