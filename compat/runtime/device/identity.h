// SPDX-License-Identifier: Apache-2.0
// The identity of a device: its name, size, UUID, and an address on a PCI bus that does not exist.
// The functions fail with INVALID_VALUE if a pointer is NULL or the room does not suffice, and with
// INVALID_DEVICE if no device has the ordinal.
#pragma once

#include "compat/runtime/device/device.h"

// The devices have a PCI domain of their own, which no GPU uses.
#define TN_RT_PCI_DOMAIN 0x7461
static inline int tn_rt_pci_bus(const struct tn_face_device *device) { return device->number + 1; }

// Writes the UUID of a device. The second function does it for an ordinal.
#define TN_RT_UUID 16
void tn_rt_fill_uuid(const struct tn_face_device *device, char uuid[TN_RT_UUID]);
tn_rt_error tn_rt_device_uuid(void *uuid, int ordinal);

// Checks an ordinal and returns it as the device.
tn_rt_error tn_rt_device_get(int *device, int ordinal);

// Writes the first of the devices for which `points` returns the most. Fails with INVALID_VALUE if
// a pointer is NULL.
tn_rt_error tn_rt_device_choose(int *device, const void *wish,
                                unsigned (*points)(const struct tn_face_device *device,
                                                   const void *wish));

// Writes at most `length` bytes of the name, with the final zero.
tn_rt_error tn_rt_device_name(char *name, int length, int ordinal);

// Returns the bytes of memory.
tn_rt_error tn_rt_device_memory(size_t *bytes, int ordinal);

// Write the address on the PCI bus, 13 bytes with the final zero, and find the device with an
// address.
tn_rt_error tn_rt_device_pci(char *text, int length, int ordinal);
tn_rt_error tn_rt_device_by_pci(int *device, const char *text);

// Returns the number of processors of a device, each of which runs one block of a kernel: the CPUs
// that the process could use at the first call.
int tn_rt_processors(void);
