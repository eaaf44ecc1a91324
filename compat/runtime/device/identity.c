// SPDX-License-Identifier: Apache-2.0
// See identity.h. The file has no state.
#include "compat/runtime/device/identity.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PCI_TEXT 13 // dddd:bb:00.0 and the zero

static int count_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN); // over 1024 of them
    return count > 0 ? (int)count : 1;
}

int tn_rt_processors(void) {
    static _Atomic(int) known;
    int count = atomic_load_explicit(&known, memory_order_relaxed);
    if (count > 0) return count;
    count = count_processors();
    atomic_store_explicit(&known, count, memory_order_relaxed);
    return count;
}

static tn_rt_error check_query(const void *output, const char *name, int ordinal) {
    TN_RT_TRY(tn_rt_check_pointer(output, name));
    return tn_rt_check_device(ordinal);
}

tn_rt_error tn_rt_device_get(int *device, int ordinal) {
    TN_RT_TRY(check_query(device, "device", ordinal));
    *device = ordinal;
    return TN_RT_OK;
}

tn_rt_error tn_rt_device_name(char *name, int length, int ordinal) {
    TN_RT_TRY(check_query(name, "name", ordinal));
    TN_RT_REFUSE(length <= 0, TN_RT_INVALID_VALUE, "room for %d characters", length);
    (void)snprintf(name, (size_t)length, "%s", tn_rt_device(ordinal)->info.name);
    return TN_RT_OK;
}

void tn_rt_fill_uuid(const struct tn_face_device *device, char uuid[TN_RT_UUID]) {
    char text[TN_RT_UUID + 1];
    (void)snprintf(text, sizeof text, "TARN%012x", (unsigned)device->number);
    memcpy(uuid, text, TN_RT_UUID);
}

tn_rt_error tn_rt_device_uuid(void *uuid, int ordinal) {
    TN_RT_TRY(check_query(uuid, "uuid", ordinal));
    tn_rt_fill_uuid(tn_rt_device(ordinal), (char *)uuid);
    return TN_RT_OK;
}

tn_rt_error tn_rt_device_memory(size_t *bytes, int ordinal) {
    TN_RT_TRY(check_query(bytes, "bytes", ordinal));
    *bytes = tn_rt_device(ordinal)->info.memory_bytes;
    return TN_RT_OK;
}

static void pci_text(const struct tn_face_device *device, char text[PCI_TEXT]) {
    (void)snprintf(text, PCI_TEXT, "%04x:%02x:00.0", (unsigned)TN_RT_PCI_DOMAIN,
                   (unsigned)tn_rt_pci_bus(device) & 0xffu);
}

tn_rt_error tn_rt_device_pci(char *text, int length, int ordinal) {
    TN_RT_TRY(check_query(text, "pciBusId", ordinal));
    TN_RT_REFUSE(length < PCI_TEXT, TN_RT_INVALID_VALUE, "room for %d characters, %d are needed",
                 length, PCI_TEXT);
    pci_text(tn_rt_device(ordinal), text);
    return TN_RT_OK;
}

tn_rt_error tn_rt_device_by_pci(int *device, const char *text) {
    unsigned domain = 0;
    unsigned bus = 0;
    char own[PCI_TEXT];
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(tn_rt_check_pointer(text, "pciBusId"));
    TN_RT_REFUSE(sscanf(text, "%x:%x:", &domain, &bus) != 2, TN_RT_INVALID_VALUE,
                 "\"%.20s\" is not an address on a PCI bus", text);
    for (int i = 0; i < tn_rt_devices.count; i++) {
        pci_text(&tn_rt_devices.of[i], own);
        if (strcasecmp(own, text) == 0) {
            *device = i;
            return TN_RT_OK;
        }
    }
    return tn_rt_fail(TN_RT_INVALID_DEVICE, "no device at %.20s", text);
}

tn_rt_error tn_rt_device_choose(int *device, const void *wish,
                                unsigned (*points)(const struct tn_face_device *device,
                                                   const void *wish)) {
    unsigned max = 0;
    int best = 0;
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(tn_rt_check_pointer(wish, "prop"));
    for (int i = 0; i < tn_rt_devices.count; i++) {
        unsigned now = points(&tn_rt_devices.of[i], wish);
        best = now > max ? i : best;
        max = now > max ? now : max;
    }
    *device = best;
    return TN_RT_OK;
}
