// SPDX-License-Identifier: Apache-2.0
// A handle that is mapped has no user reference left. It is still queried, exported, mapped and retained.

#include <unistd.h>

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_shareable out;
    tarn_addr base = 0;
    tarn_phys page = 0, again = 0, other = 0;
    desc.shareable = TARN_SHAREABLE_FD;
    must(tarn_space_reserve(device, 2 * PAGE, 0, 0, &base));
    must(tarn_phys_create(device, PAGE, &desc, &page));
    must(tarn_map(base, PAGE, page));
    must(tarn_phys_release(page));
    must(tarn_phys_query(page, &info));
    must(tarn_phys_export(page, TARN_SHAREABLE_FD, &out));
    must(tarn_phys_import(device, &out, &other));
    (void)close(out.fd);
    must(tarn_phys_release(other));
    must(tarn_map(base + PAGE, PAGE, page));
    must(tarn_map_retain(base, &again));
    must(tarn_unmap(base, 2 * PAGE, 0));
    must(tarn_phys_query(again, &info));
    must(tarn_phys_release(again));
    must(tarn_space_release(base));
    must(tarn_device_close(device));
    return 0;
}
