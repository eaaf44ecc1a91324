// SPDX-License-Identifier: Apache-2.0
// The quirks: defects of real stacks, by name. docs/quirks.md describes each and names its source.
// Macros alone: the `tarn` command reads them too.
#pragma once

// X(id, name, kind of its value, default value, help). The kinds: NONE; CALLS, the fields of a
// failure's spec; SIZE; TIME. The installer tn_quirk_<id>() replaces the slots.
#define TN_QUIRKS(X)                                                                               \
    X(held_memory, "held-memory", NONE, "",                                                        \
      "memory that was mapped comes back only when its reservation is released")                   \
    X(late_map, "late-map", CALLS, "",                                                             \
      "copies and fills fault on memory just mapped, until the program has waited")                \
    X(dead_tail, "dead-tail", CALLS, "",                                                           \
      "set_access leaves out the last granule; copies and fills fault there")                      \
    X(empty_map, "empty-map", CALLS, "every=2", "map returns success and maps nothing")            \
    X(weak_retain, "weak-retain", NONE, "",                                                        \
      "the handle of a mapping is returned without a reference of its own")                        \
    X(no_vmm, "no-vmm", NONE, "", "the device has no virtual memory")                              \
    X(false_vmm, "false-vmm", NONE, "",                                                            \
      "the device claims virtual memory, and refuses each call of it")                             \
    X(false_total, "false-total", SIZE, "1G",                                                      \
      "the device claims this many free bytes that it does not have")                              \
    X(fragmented, "fragmented", CALLS, "every=4",                                                  \
      "these allocations fail, although enough memory is free")                                    \
    X(address_quota, "address-quota", SIZE, "60G",                                                 \
      "reservations of more than this many bytes together fail")                                   \
    X(ignored_hint, "ignored-hint", NONE, "", "a reservation never begins at the hint")            \
    X(granularity, "granularity", SIZE, "0",                                                       \
      "the minimum granularity; 0 is 16 times that of the device")                                 \
    X(pin_limit, "pin-limit", SIZE, "8M", "pinning more host memory than this fails")              \
    X(no_export, "no-export", NONE, "", "memory cannot be shared with other processes")            \
    X(slow_touch, "slow-touch", TIME, "600us",                                                     \
      "the first copy or fill of memory takes this long for each MiB")                             \
    X(late_handles, "late-handles", NONE, "",                                                      \
      "physical memory comes back at the next wait for the device, and has a descriptor until "    \
      "then")                                                                                      \
    X(no_threshold, "no-threshold", NONE, "",                                                      \
      "pools release free memory at each wait, whatever their release threshold")                  \
    X(dirty_memory, "dirty-memory", NONE, "", "new device memory is not zero")                     \
    X(varying_free, "varying-free", SIZE, "64M",                                                   \
      "each query shows another amount of free memory, up to this much less")                      \
    X(align_64, "align-64", NONE, "",                                                              \
      "pinned memory begins at a multiple of 64 bytes and of no more")                             \
    X(device_lost, "device-lost", CALLS, "100",                                                    \
      "this call and every later one fails, until nothing of the device is left")
