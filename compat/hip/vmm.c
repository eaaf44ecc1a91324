// SPDX-License-Identifier: Apache-2.0
// See vmm.h. The file has no state, so any thread may call its functions.
#include "compat/hip/vmm.h"

_Static_assert(sizeof(hipMemGenericAllocationHandle_t) == sizeof(tarn_phys),
               "a handle is a number");
_Static_assert((int)hipMemLocationTypeDevice == (int)TARN_LOCATION_DEVICE &&
                   (int)hipMemLocationTypeHost == (int)TARN_LOCATION_HOST &&
                   (int)hipMemLocationTypeHostNuma == (int)TARN_LOCATION_HOST_NUMA &&
                   (int)hipMemLocationTypeHostNumaCurrent == (int)TARN_LOCATION_HOST_NUMA_CURRENT,
               "locations have the same numbers");

tn_rt_error tn_hip_vmm_check(void) {
    const struct tn_face_device *device = &tn_rt_devices.of[0];
    return (device->info.features & TARN_FEATURE_VMM) != 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NOT_SUPPORTED, "%.60s has no virtual memory management",
                            device->info.name);
}

tn_rt_error tn_hip_location(hipMemLocation given, tarn_location *location) {
    return tn_rt_location((int)given.type, given.id, location);
}

hipMemLocation tn_hip_location_back(tarn_location location) {
    hipMemLocation back = {(hipMemLocationType)location.type, location.id};
    if (location.type == TARN_LOCATION_DEVICE) {
        int ordinal = tn_rt_ordinal_of(location.id);
        back.id = ordinal >= 0 ? ordinal : tn_rt_current()->ordinal;
    }
    return back;
}
