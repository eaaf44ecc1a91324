// SPDX-License-Identifier: Apache-2.0
// A whole life of virtual memory, compiled against AMD's own headers: what they say of names,
// numbers and layouts is what the face understands.
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ != hipSuccess) {                                                                \
            fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error_));                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

struct prop_of_6 {
    hipMemAllocationType type;
    hipMemAllocationHandleType handle_type;
    hipMemLocation location;
    void *win32;
    unsigned char flags[8];
};
_Static_assert(sizeof(struct prop_of_6) == sizeof(hipMemAllocationProp),
               "it never changed its size");

static hipMemAllocationProp *as_declared(struct prop_of_6 *prop) {
    return (hipMemAllocationProp *)(void *)prop;
}

static int round_trip(size_t bytes, struct prop_of_6 *prop, const void *in, void *out) {
    hipMemGenericAllocationHandle_t handle;
    hipMemAccessDesc access = {.location = prop->location, .flags = hipMemAccessFlagsProtReadWrite};
    struct prop_of_6 told;
    unsigned long long rights = 0;
    void *range;
    CHECK(hipMemAddressReserve(&range, bytes, 0, NULL, 0));
    CHECK(hipMemCreate(&handle, bytes, as_declared(prop), 0));
    CHECK(hipMemGetAllocationPropertiesFromHandle(as_declared(&told), handle));
    CHECK(hipMemMap(range, bytes, 0, handle, 0));
    CHECK(hipMemSetAccess(range, bytes, &access, 1));
    CHECK(hipMemGetAccess(&rights, &access.location, range));
    CHECK(hipMemcpy(range, in, bytes, hipMemcpyHostToDevice));
    CHECK(hipMemcpy(out, range, bytes, hipMemcpyDeviceToHost));
    CHECK(hipMemUnmap(range, bytes));
    CHECK(hipMemRelease(handle));
    CHECK(hipMemAddressFree(range, bytes));
    if (rights != hipMemAccessFlagsProtReadWrite || told.location.id != prop->location.id ||
        told.type != prop->type) {
        fprintf(stderr, "rights %llu, type %d, device %d\n", rights, (int)told.type,
                told.location.id);
        return 1;
    }
    return 0;
}

int main(void) {
    struct prop_of_6 prop = {.type = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    size_t bytes = 0, left = 0, left_after = 0, total = 0;
    CHECK(hipMemGetAllocationGranularity(&bytes, as_declared(&prop),
                                         hipMemAllocationGranularityRecommended));
    CHECK(hipMemGetInfo(&left, &total));
    char *in = (char *)malloc(bytes), *out = (char *)calloc(1, bytes);
    if (in == NULL || out == NULL) return 1;
    for (size_t i = 0; i < bytes; i++) in[i] = (char)(i * 7 + i / 251);
    int bad = round_trip(bytes, &prop, in, out) || memcmp(in, out, bytes) != 0;
    CHECK(hipMemGetInfo(&left_after, &total));
    printf("%zu bytes there and back: %s\n", bytes, bad ? "not the same" : "the same");
    free(in);
    free(out);
    return bad || left != left_after;
}
