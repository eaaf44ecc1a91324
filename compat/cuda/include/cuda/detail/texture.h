/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/texture.h - textures and surfaces of the runtime, as declarations: Tarn's device has no
 * units for them, and each function returns cudaErrorNotSupported. Kernels cannot read them.
 */
#ifndef CUDA_DETAIL_TEXTURE_H
#define CUDA_DETAIL_TEXTURE_H

#include <driver_types.h>

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define cudaTextureType1D             0x01
#define cudaTextureType2D             0x02
#define cudaTextureType3D             0x03
#define cudaTextureTypeCubemap        0x0c
#define cudaTextureType1DLayered      0xf1
#define cudaTextureType2DLayered      0xf2
#define cudaTextureTypeCubemapLayered 0xfc
#define cudaSurfaceType1D             0x01
#define cudaSurfaceType2D             0x02
#define cudaSurfaceType3D             0x03

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        CUDA_ONLY_13_(struct { int reserved[32]; } reserved;)
    } res;
    CUDA_ONLY_13_(unsigned flags;)
};

/* How a texture reads the elements of an array, by the type and the count of channels. */
enum cudaResourceViewFormat {
    cudaResViewFormatNone,
    cudaResViewFormatUnsignedChar1,
    cudaResViewFormatUnsignedChar2,
    cudaResViewFormatUnsignedChar4,
    cudaResViewFormatSignedChar1,
    cudaResViewFormatSignedChar2,
    cudaResViewFormatSignedChar4,
    cudaResViewFormatUnsignedShort1,
    cudaResViewFormatUnsignedShort2,
    cudaResViewFormatUnsignedShort4,
    cudaResViewFormatSignedShort1,
    cudaResViewFormatSignedShort2,
    cudaResViewFormatSignedShort4,
    cudaResViewFormatUnsignedInt1,
    cudaResViewFormatUnsignedInt2,
    cudaResViewFormatUnsignedInt4,
    cudaResViewFormatSignedInt1,
    cudaResViewFormatSignedInt2,
    cudaResViewFormatSignedInt4,
    cudaResViewFormatHalf1,
    cudaResViewFormatHalf2,
    cudaResViewFormatHalf4,
    cudaResViewFormatFloat1,
    cudaResViewFormatFloat2,
    cudaResViewFormatFloat4
};
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    CUDA_ONLY_13_(unsigned reserved[16];)
};

#define CUDA_ABSENT_(name, ...) cudaError_t name(__VA_ARGS__)

CUDA_EXTERN_C_BEGIN

CUDA_ABSENT_(cudaCreateTextureObject, cudaTextureObject_t *texture,
             const struct cudaResourceDesc *resource, const struct cudaTextureDesc *description,
             const struct cudaResourceViewDesc *view);
CUDA_ABSENT_(cudaDestroyTextureObject, cudaTextureObject_t texture);
CUDA_ABSENT_(cudaGetTextureObjectResourceDesc, struct cudaResourceDesc *resource,
             cudaTextureObject_t texture);
CUDA_ABSENT_(cudaGetTextureObjectTextureDesc, struct cudaTextureDesc *description,
             cudaTextureObject_t texture);
CUDA_ABSENT_(cudaGetTextureObjectResourceViewDesc, struct cudaResourceViewDesc *view,
             cudaTextureObject_t texture);
CUDA_ABSENT_(cudaCreateSurfaceObject, cudaSurfaceObject_t *surface,
             const struct cudaResourceDesc *resource);
CUDA_ABSENT_(cudaDestroySurfaceObject, cudaSurfaceObject_t surface);
CUDA_ABSENT_(cudaGetSurfaceObjectResourceDesc, struct cudaResourceDesc *resource,
             cudaSurfaceObject_t surface);

/* Writes of other devices on the bus. */
CUDA_ABSENT_(cudaDeviceFlushGPUDirectRDMAWrites, enum cudaFlushGPUDirectRDMAWritesTarget target,
             enum cudaFlushGPUDirectRDMAWritesScope scope);

CUDA_EXTERN_C_END

#undef CUDA_ABSENT_

#endif
