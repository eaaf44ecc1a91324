/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/device.h - devices: number, properties, the current device, peers.
 */
#ifndef HIP_DETAIL_DEVICE_H
#define HIP_DETAIL_DEVICE_H

#include <hip/detail/attributes.h>
#include <hip/detail/types.h>

#define hipDeviceScheduleAuto         0x0
#define hipDeviceScheduleSpin         0x1
#define hipDeviceScheduleYield        0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask         0x7
#define hipDeviceMapHost              0x8
#define hipDeviceLmemResizeToMax      0x10

#define hipCpuDeviceId     ((int)-1)
#define hipInvalidDeviceId ((int)-2)

typedef enum hipDeviceP2PAttr {
    hipDevP2PAttrPerformanceRank = 0,
    hipDevP2PAttrAccessSupported = 1,
    hipDevP2PAttrNativeAtomicSupported = 2,
    hipDevP2PAttrHipArrayAccessSupported = 3
} hipDeviceP2PAttr;

enum hipLimit_t {
    hipLimitStackSize = 0x0,
    hipLimitPrintfFifoSize = 0x1,
    hipLimitMallocHeapSize = 0x2,
    hipLimitRange = 0x3
};

typedef enum hipFuncCache_t {
    hipFuncCachePreferNone = 0,
    hipFuncCachePreferShared = 1,
    hipFuncCachePreferL1 = 2,
    hipFuncCachePreferEqual = 3
} hipFuncCache_t;

typedef enum hipSharedMemConfig {
    hipSharedMemBankSizeDefault = 0,
    hipSharedMemBankSizeFourByte = 1,
    hipSharedMemBankSizeEightByte = 2
} hipSharedMemConfig;

/* The result of hipGetProcAddress(). */
typedef enum hipDriverProcAddressQueryResult {
    HIP_GET_PROC_ADDRESS_SUCCESS = 0,
    HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
    HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} hipDriverProcAddressQueryResult;

/* The flags and the result of hipGetDriverEntryPoint(). */
#define hipEnableDefault                0x0
#define hipEnableLegacyStream           0x1
#define hipEnablePerThreadDefaultStream 0x2

typedef enum hipDriverEntryPointQueryResult {
    hipDriverEntryPointSuccess = 0,
    hipDriverEntryPointSymbolNotFound = 1,
    hipDriverEntryPointVersionNotSufficent = 2
} hipDriverEntryPointQueryResult;

HIP_EXTERN_C_BEGIN

/*
 * Opens the devices. The call is optional: every function opens them. hipErrorInvalidValue: flags
 * not 0.
 */
HIP_API hipError_t hipInit(unsigned int flags);

/*
 * The version of the library: HIP_VERSION at level 6, 70226015 at level 7 (TARN_HIP_COMPAT, else the
 * library's number). hipErrorInvalidValue: NULL. Works without a device.
 */
HIP_API hipError_t hipDriverGetVersion(int *driverVersion);
HIP_API hipError_t hipRuntimeGetVersion(int *runtimeVersion);

/* The number of visible devices. hipErrorInvalidValue: NULL; hipErrorNoDevice: none, *count is
 * 0. */
HIP_API hipError_t hipGetDeviceCount(int *count);

/* Returns the device of an ordinal, which is the same number. hipErrorInvalidValue: NULL;
 * hipErrorInvalidDevice. */
HIP_API hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);

/* The calling thread's current device; 0 at first. hipErrorInvalidDevice; hipErrorInvalidValue:
 * NULL.
 */
HIP_API hipError_t hipSetDevice(int deviceId);
HIP_API hipError_t hipGetDevice(int *deviceId);

/*
 * The properties of a device. R0600 fills HIP 6's struct; with these headers
 * hipGetDeviceProperties() means R0600. R0000 fills HIP 5's struct. hipErrorInvalidValue: NULL.
 */
HIP_API hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *prop, int deviceId);
HIP_API hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *prop, int deviceId);

/*
 * One property as a number; INT_MAX if it does not fit an int. hipDeviceAttributeHdpMemFlushCntl
 * and hipDeviceAttributeHdpRegFlushCntl are pointers, for which *pi must have 8 bytes; they are
 * NULL. hipErrorInvalidValue: NULL, or not an attribute with a number.
 */
HIP_API hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId);

/* Returns the device that meets most of these wishes: memory, shared memory, threads of a block,
 * processors, capability. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *prop);
HIP_API hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_tR0000 *prop);

/* Single properties. hipErrorInvalidValue: NULL, or len too small (hipDeviceGetName() truncates, as
 * HIP does, and refuses len <= 0). */
HIP_API hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device);
HIP_API hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);
HIP_API hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device);
HIP_API hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);

/*
 * Software devices are on no PCI bus: the domain is 7461 (hexadecimal), which no machine has, and
 * the bus is the ordinal on the platform plus 1. The text has 12 characters and a terminating
 * zero. hipErrorInvalidValue: NULL, len below 13, or a text that is not such an address;
 * hipErrorInvalidDevice: no device has that address.
 */
HIP_API hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int deviceId);
HIP_API hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId);

/*
 * Peers. A device is not its own peer. Enabling lets the current device use plain memory
 * (hipMalloc) of the peer; hipMemSetAccess() sets the rights to mapped memory.
 * hipErrorInvalidDevice: unknown device, or the device itself; hipErrorInvalidValue: NULL, flags
 * not 0; hipErrorPeerAccessAlreadyEnabled; hipErrorPeerAccessNotEnabled;
 * hipErrorPeerAccessUnsupported.
 */
HIP_API hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId);
HIP_API hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags);
HIP_API hipError_t hipDeviceDisablePeerAccess(int peerDeviceId);

/* hipErrorInvalidDevice: also if both are the same; hipErrorInvalidValue: NULL, unknown
 * attribute. */
HIP_API hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice,
                                            int dstDevice);

/*
 * Preferences of the current device, without effect on kernels. That for caches is stored and
 * returned. The banks of shared memory always have four bytes. hipErrorInvalidValue: NULL or an
 * unknown value.
 */
HIP_API hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig);
HIP_API hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig);
HIP_API hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
HIP_API hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig);

/* The way to wait (hipDeviceSchedule...), and other flags, which are stored and returned; every
 * wait spins briefly, then blocks. The flags of a current context of hipCtxCreate() are returned
 * instead. hipErrorInvalidValue: NULL, unknown bits, or two ways to wait. */
HIP_API hipError_t hipSetDeviceFlags(unsigned int flags);
HIP_API hipError_t hipGetDeviceFlags(unsigned int *flags);

/*
 * Limits of the current device, which are stored and returned and have no other effect: kernels are
 * CPU functions with the limits of their thread. The stack has 1024 bytes by default and at most
 * 131056, rounded up to 16; the heap has 8 MiB by default and less than the device's memory.
 * hipErrorUnsupportedLimit: hipLimitPrintfFifoSize; hipErrorInvalidValue: NULL, a value that is too
 * large, or another number.
 */
HIP_API hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit);
HIP_API hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);

/*
 * Returns the address of a function of this library by its name. From `hipVersion` 600 on, the
 * names hipGetDeviceProperties and hipChooseDevice mean the functions with HIP 6's struct, below it
 * those with HIP 5's; for other names `hipVersion` has no effect, and `flags` never has. `status`
 * may be NULL. hipErrorInvalidValue: NULL, an empty name, or an unknown one, for which *pfn becomes
 * NULL and `status` reports it too.
 */
HIP_API hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                                     hipDriverProcAddressQueryResult *status);

/*
 * The same without a version; the two names above mean the functions with HIP 5's struct. Release
 * 7. With hipEnablePerThreadDefaultStream, a function whose name ends in _spt is preferred. The
 * second function does that for hipEnableDefault too. hipErrorInvalidValue also: other flags.
 */
HIP_API hipError_t hipGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                          unsigned long long flags,
                                          hipDriverEntryPointQueryResult *status);
HIP_API hipError_t hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr,
                                              unsigned long long flags,
                                              hipDriverEntryPointQueryResult *status);

/*
 * Resets the current device. Waits for its work, frees its memory, managed memory that was
 * allocated while it was current, arrays, pools and opened memory of other processes, ends its
 * captures, destroys its streams with their failures, and returns its flags, preferences and limits
 * to their defaults. Events, reservations, physical memory, mappings, pinned and registered host
 * memory, contexts and peers stay. Other threads must not use the device meanwhile.
 */
HIP_API hipError_t hipDeviceReset(void);

/* The same for the device `dev`. */
HIP_API hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev);

HIP_EXTERN_C_END
#endif
