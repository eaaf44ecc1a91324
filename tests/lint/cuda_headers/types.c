// SPDX-License-Identifier: Apache-2.0
// Headers of types, numbers and textures.
#include <builtin_types.h>
#include <crt/host_defines.h>
#include <cuComplex.h>
#include <cuda_device_runtime_api.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <math_constants.h>

int main(void) {
    const cuComplex z = cuCmulf(make_cuComplex(1, 2), cuConjf(make_cuFloatComplex(3, CUDART_PI_F)));
    const cuDoubleComplex w = cuCdiv(cuComplexFloatToDouble(z), make_cuDoubleComplex(0, 1));
    const cudaDataType type = CUDA_R_16F;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    cudaTextureObject_t object = 0;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.sizeInBytes = sizeof w;
    texture.addressMode[0] = cudaAddressModeClamp;
    texture.readMode = cudaReadModeElementType;
    return cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaSuccess
               ? (int)(cuCabs(w) + cuCrealf(z)) + (int)type + MAJOR_VERSION
               : 1;
}
