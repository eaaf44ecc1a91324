/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/types.h - handles, enumerations and structs that are the same in the driver API and
 * in the runtime API. Each has one definition and two names, so values pass from one API to the
 * other without conversion. Layouts are those of the selected release.
 */
#ifndef CUDA_DETAIL_TYPES_H
#define CUDA_DETAIL_TYPES_H

#include <cuda/detail/level.h>

/* ---- handles: opaque numbers, which programs never dereference. A stale handle is refused. */

typedef struct CUstream_st *CUstream, *cudaStream_t;
typedef struct CUevent_st *CUevent, *cudaEvent_t;
typedef struct CUmemPoolHandle_st *CUmemoryPool, *cudaMemPool_t;
typedef struct CUgraph_st *CUgraph, *cudaGraph_t;
typedef struct CUgraphNode_st *CUgraphNode, *cudaGraphNode_t;
typedef struct CUgraphExec_st *CUgraphExec, *cudaGraphExec_t;
typedef struct CUuserObject_st *CUuserObject, *cudaUserObject_t;
typedef struct CUfunc_st *CUfunction, *cudaFunction_t;
typedef struct CUlib_st *CUlibrary, *cudaLibrary_t;
typedef struct CUkern_st *CUkernel, *cudaKernel_t;
typedef struct cudaArray *CUarray, *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *CUmipmappedArray, *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

/* The NULL stream under two names: one for all threads, and one for each thread and device. */
#define CU_STREAM_LEGACY     ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define cudaStreamLegacy     ((cudaStream_t)0x1)
#define cudaStreamPerThread  ((cudaStream_t)0x2)

typedef int CUdevice; /* its ordinal */

typedef void (*CUhostFn)(void *userData);
typedef CUhostFn cudaHostFn_t;

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid, cudaUUID_t;

/* Names of memory and of events in other processes: plain bytes, which may be sent by any means. */
typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t, CUipcMemHandle;
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t, CUipcEventHandle;

/* ---- locations of memory and rights of access */

/* Host and HostNumaCurrent ignore the id. Device takes an ordinal, HostNuma a node. */
typedef enum cudaMemLocationType {
    CUDA_BOTH_(cudaMemLocationTypeInvalid, CU_MEM_LOCATION_TYPE_INVALID, 0),
    CUDA_BOTH_(cudaMemLocationTypeNone, CU_MEM_LOCATION_TYPE_NONE, 0),
    CUDA_BOTH_(cudaMemLocationTypeDevice, CU_MEM_LOCATION_TYPE_DEVICE, 1),
    CUDA_BOTH_(cudaMemLocationTypeHost, CU_MEM_LOCATION_TYPE_HOST, 2),
    CUDA_BOTH_(cudaMemLocationTypeHostNuma, CU_MEM_LOCATION_TYPE_HOST_NUMA, 3),
    CUDA_BOTH_(cudaMemLocationTypeHostNumaCurrent, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 4)
} CUmemLocationType;

typedef struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
} cudaMemLocation, CUmemLocation;

typedef enum cudaMemAccessFlags {
    CUDA_BOTH_(cudaMemAccessFlagsProtNone, CU_MEM_ACCESS_FLAGS_PROT_NONE, 0),
    CUDA_BOTH_(cudaMemAccessFlagsProtRead, CU_MEM_ACCESS_FLAGS_PROT_READ, 1),
    CUDA_BOTH_(cudaMemAccessFlagsProtReadWrite, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3)
} CUmemAccess_flags;

typedef struct cudaMemAccessDesc {
    cudaMemLocation location;
    enum cudaMemAccessFlags flags;
} cudaMemAccessDesc, CUmemAccessDesc;

typedef enum cudaMemAllocationType {
    CUDA_BOTH_(cudaMemAllocationTypeInvalid, CU_MEM_ALLOCATION_TYPE_INVALID, 0),
    CUDA_BOTH_(cudaMemAllocationTypePinned, CU_MEM_ALLOCATION_TYPE_PINNED, 1),
    CUDA_BOTH_(cudaMemAllocationTypeManaged, CU_MEM_ALLOCATION_TYPE_MANAGED, 2)
} CUmemAllocationType;

/* Forms in which memory or a pool is sent to other processes. Fabric handles need
 * fabric=on, an option of the device. */
typedef enum cudaMemAllocationHandleType {
    CUDA_BOTH_(cudaMemHandleTypeNone, CU_MEM_HANDLE_TYPE_NONE, 0),
    CUDA_BOTH_(cudaMemHandleTypePosixFileDescriptor, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1),
    CUDA_BOTH_(cudaMemHandleTypeWin32, CU_MEM_HANDLE_TYPE_WIN32, 2),
    CUDA_BOTH_(cudaMemHandleTypeWin32Kmt, CU_MEM_HANDLE_TYPE_WIN32_KMT, 4),
    CUDA_BOTH_(cudaMemHandleTypeFabric, CU_MEM_HANDLE_TYPE_FABRIC, 8)
} CUmemAllocationHandleType;

/* ---- pools */

/* Properties of a pool. Unused members are zero. maxSize 0 means no limit but the device's
 * memory. */
typedef struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} cudaMemPoolProps, CUmemPoolProps;
#define cudaMemPoolCreateUsageHwDecompress     0x2
#define CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS 0x2

/*
 * Attributes of a pool. The three reuse policies are an int, 1 by default. The others are a
 * uint64_t: the bytes that the pool keeps at a synchronisation (0 by default), the bytes that it
 * holds of the device, and the bytes of live blocks, each with its peak. A peak may be set, to 0
 * only, which makes it the present value.
 */
typedef enum cudaMemPoolAttr {
    CUDA_BOTH_(cudaMemPoolReuseFollowEventDependencies,
               CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, 1),
    CUDA_BOTH_(cudaMemPoolReuseAllowOpportunistic, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 2),
    CUDA_BOTH_(cudaMemPoolReuseAllowInternalDependencies,
               CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 3),
    CUDA_BOTH_(cudaMemPoolAttrReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 4),
    CUDA_BOTH_(cudaMemPoolAttrReservedMemCurrent, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 5),
    CUDA_BOTH_(cudaMemPoolAttrReservedMemHigh, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 6),
    CUDA_BOTH_(cudaMemPoolAttrUsedMemCurrent, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 7),
    CUDA_BOTH_(cudaMemPoolAttrUsedMemHigh, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 8)
} CUmemPool_attribute;

/* Names a block of a pool in another process. */
typedef struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
} cudaMemPoolPtrExportData, CUmemPoolPtrExportData;

/* ---- writes of other devices on the bus, of which there are none */

typedef enum cudaFlushGPUDirectRDMAWritesOptions {
    CUDA_BOTH_(cudaFlushGPUDirectRDMAWritesOptionHost, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST,
               1),
    CUDA_BOTH_(cudaFlushGPUDirectRDMAWritesOptionMemOps,
               CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS, 2)
} CUflushGPUDirectRDMAWritesOptions;
typedef enum cudaFlushGPUDirectRDMAWritesScope {
    CUDA_BOTH_(cudaFlushGPUDirectRDMAWritesToOwner, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER, 100),
    CUDA_BOTH_(cudaFlushGPUDirectRDMAWritesToAllDevices,
               CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES, 200)
} CUflushGPUDirectRDMAWritesScope;
typedef enum cudaFlushGPUDirectRDMAWritesTarget {
    CUDA_BOTH_(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
               CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, 0)
} CUflushGPUDirectRDMAWritesTarget;
typedef enum cudaGPUDirectRDMAWritesOrdering {
    CUDA_BOTH_(cudaGPUDirectRDMAWritesOrderingNone, CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE, 0),
    CUDA_BOTH_(cudaGPUDirectRDMAWritesOrderingOwner, CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER, 100),
    CUDA_BOTH_(cudaGPUDirectRDMAWritesOrderingAllDevices,
               CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES, 200)
} CUGPUDirectRDMAWritesOrdering;

/* ---- managed memory */

typedef enum cudaMemoryAdvise {
    CUDA_BOTH_(cudaMemAdviseSetReadMostly, CU_MEM_ADVISE_SET_READ_MOSTLY, 1),
    CUDA_BOTH_(cudaMemAdviseUnsetReadMostly, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 2),
    CUDA_BOTH_(cudaMemAdviseSetPreferredLocation, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 3),
    CUDA_BOTH_(cudaMemAdviseUnsetPreferredLocation, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 4),
    CUDA_BOTH_(cudaMemAdviseSetAccessedBy, CU_MEM_ADVISE_SET_ACCESSED_BY, 5),
    CUDA_BOTH_(cudaMemAdviseUnsetAccessedBy, CU_MEM_ADVISE_UNSET_ACCESSED_BY, 6)
} CUmem_advise;
typedef enum cudaMemRangeAttribute {
    CUDA_BOTH_(cudaMemRangeAttributeReadMostly, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1),
    CUDA_BOTH_(cudaMemRangeAttributePreferredLocation, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
               2),
    CUDA_BOTH_(cudaMemRangeAttributeAccessedBy, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, 3),
    CUDA_BOTH_(cudaMemRangeAttributeLastPrefetchLocation,
               CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 4),
    CUDA_BOTH_(cudaMemRangeAttributePreferredLocationType,
               CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 5),
    CUDA_BOTH_(cudaMemRangeAttributePreferredLocationId,
               CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, 6),
    CUDA_BOTH_(cudaMemRangeAttributeLastPrefetchLocationType,
               CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, 7),
    CUDA_BOTH_(cudaMemRangeAttributeLastPrefetchLocationId,
               CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, 8)
} CUmem_range_attribute;

/* ---- batches of copies */

typedef enum cudaMemcpyFlags {
    CUDA_BOTH_(cudaMemcpyFlagDefault, CU_MEMCPY_FLAG_DEFAULT, 0),
    CUDA_BOTH_(cudaMemcpyFlagPreferOverlapWithCompute, CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE,
               1)
} CUmemcpyFlags;

/* The time at which a copy may read its source: in stream order, before the call returns, or at any
 * time until the copy is complete. */
typedef enum cudaMemcpySrcAccessOrder {
    CUDA_BOTH_(cudaMemcpySrcAccessOrderInvalid, CU_MEMCPY_SRC_ACCESS_ORDER_INVALID, 0),
    CUDA_BOTH_(cudaMemcpySrcAccessOrderStream, CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, 1),
    CUDA_BOTH_(cudaMemcpySrcAccessOrderDuringApiCall, CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
               2),
    CUDA_BOTH_(cudaMemcpySrcAccessOrderAny, CU_MEMCPY_SRC_ACCESS_ORDER_ANY, 3)
} CUmemcpySrcAccessOrder;

typedef struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    cudaMemLocation srcLocHint, dstLocHint;
    unsigned flags;
} cudaMemcpyAttributes, CUmemcpyAttributes;

typedef enum cudaMemcpy3DOperandType {
    CUDA_BOTH_(cudaMemcpyOperandTypePointer, CU_MEMCPY_OPERAND_TYPE_POINTER, 1),
    CUDA_BOTH_(cudaMemcpyOperandTypeArray, CU_MEMCPY_OPERAND_TYPE_ARRAY, 2)
} CUmemcpy3DOperandType;

typedef struct cudaOffset3D {
    size_t x, y, z;
} cudaOffset3D, CUoffset3D;

typedef struct cudaExtent {
    size_t width; /* elements if an array takes part, else bytes */
    size_t height, depth;
} cudaExtent, CUextent3D;

/* ---- arrays */

typedef struct cudaArraySparseProperties {
    struct {
        unsigned width, height, depth;
    } tileExtent;
    unsigned miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned flags;
    unsigned reserved[4];
} cudaArraySparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES;
#define cudaArraySparsePropertiesSingleMipTail    0x1
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL 0x1

typedef struct cudaArrayMemoryRequirements {
    size_t size, alignment;
    unsigned reserved[4];
} cudaArrayMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS;

typedef enum cudaResourceType {
    CUDA_BOTH_(cudaResourceTypeArray, CU_RESOURCE_TYPE_ARRAY, 0),
    CUDA_BOTH_(cudaResourceTypeMipmappedArray, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, 1),
    CUDA_BOTH_(cudaResourceTypeLinear, CU_RESOURCE_TYPE_LINEAR, 2),
    CUDA_BOTH_(cudaResourceTypePitch2D, CU_RESOURCE_TYPE_PITCH2D, 3)
} CUresourcetype;

/* ---- streams and their captures */

typedef enum cudaStreamCaptureStatus {
    CUDA_BOTH_(cudaStreamCaptureStatusNone, CU_STREAM_CAPTURE_STATUS_NONE, 0),
    CUDA_BOTH_(cudaStreamCaptureStatusActive, CU_STREAM_CAPTURE_STATUS_ACTIVE, 1),
    CUDA_BOTH_(cudaStreamCaptureStatusInvalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED, 2)
} CUstreamCaptureStatus;
typedef enum cudaStreamCaptureMode {
    CUDA_BOTH_(cudaStreamCaptureModeGlobal, CU_STREAM_CAPTURE_MODE_GLOBAL, 0),
    CUDA_BOTH_(cudaStreamCaptureModeThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, 1),
    CUDA_BOTH_(cudaStreamCaptureModeRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED, 2)
} CUstreamCaptureMode;
typedef enum cudaStreamUpdateCaptureDependenciesFlags {
    CUDA_BOTH_(cudaStreamAddCaptureDependencies, CU_STREAM_ADD_CAPTURE_DEPENDENCIES, 0),
    CUDA_BOTH_(cudaStreamSetCaptureDependencies, CU_STREAM_SET_CAPTURE_DEPENDENCIES, 1)
} CUstreamUpdateCaptureDependencies_flags;

/* ---- attributes of streams, kernel nodes and launches: stored and returned; most have no
 * effect */

typedef enum cudaAccessProperty {
    CUDA_BOTH_(cudaAccessPropertyNormal, CU_ACCESS_PROPERTY_NORMAL, 0),
    CUDA_BOTH_(cudaAccessPropertyStreaming, CU_ACCESS_PROPERTY_STREAMING, 1),
    CUDA_BOTH_(cudaAccessPropertyPersisting, CU_ACCESS_PROPERTY_PERSISTING, 2)
} CUaccessProperty;

typedef struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
} cudaAccessPolicyWindow, CUaccessPolicyWindow;

typedef enum cudaSynchronizationPolicy {
    CUDA_BOTH_(cudaSyncPolicyAuto, CU_SYNC_POLICY_AUTO, 1),
    CUDA_BOTH_(cudaSyncPolicySpin, CU_SYNC_POLICY_SPIN, 2),
    CUDA_BOTH_(cudaSyncPolicyYield, CU_SYNC_POLICY_YIELD, 3),
    CUDA_BOTH_(cudaSyncPolicyBlockingSync, CU_SYNC_POLICY_BLOCKING_SYNC, 4)
} CUsynchronizationPolicy;
typedef enum cudaLaunchMemSyncDomain {
    CUDA_BOTH_(cudaLaunchMemSyncDomainDefault, CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT, 0),
    CUDA_BOTH_(cudaLaunchMemSyncDomainRemote, CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE, 1)
} cudaLaunchMemSyncDomain,
    CUlaunchMemSyncDomain;

typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_, remote;
} cudaLaunchMemSyncDomainMap, CUlaunchMemSyncDomainMap;

typedef enum cudaLaunchAttributeID {
    CUDA_BOTH_(cudaLaunchAttributeIgnore, CU_LAUNCH_ATTRIBUTE_IGNORE, 0),
    CUDA_BOTH_(cudaLaunchAttributeAccessPolicyWindow, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, 1),
    CUDA_BOTH_(cudaLaunchAttributeCooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2),
    CUDA_BOTH_(cudaLaunchAttributeSynchronizationPolicy, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
               3),
    CUDA_BOTH_(cudaLaunchAttributeClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4),
    CUDA_BOTH_(cudaLaunchAttributePriority, CU_LAUNCH_ATTRIBUTE_PRIORITY, 8),
    CUDA_BOTH_(cudaLaunchAttributeMemSyncDomainMap, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, 9),
    CUDA_BOTH_(cudaLaunchAttributeMemSyncDomain, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, 10)
} cudaLaunchAttributeID,
    CUlaunchAttributeID;

/* The member of an attribute. Those of device code alone are not declared. */
typedef union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int priority;
    cudaLaunchMemSyncDomainMap memSyncDomainMap;
    cudaLaunchMemSyncDomain memSyncDomain;
} cudaLaunchAttributeValue, CUlaunchAttributeValue;
typedef CUlaunchAttributeID CUstreamAttrID, CUkernelNodeAttrID;
typedef CUlaunchAttributeValue CUstreamAttrValue, CUkernelNodeAttrValue;

/* ---- kernels */

typedef enum cudaFuncCache {
    CUDA_BOTH_(cudaFuncCachePreferNone, CU_FUNC_CACHE_PREFER_NONE, 0),
    CUDA_BOTH_(cudaFuncCachePreferShared, CU_FUNC_CACHE_PREFER_SHARED, 1),
    CUDA_BOTH_(cudaFuncCachePreferL1, CU_FUNC_CACHE_PREFER_L1, 2),
    CUDA_BOTH_(cudaFuncCachePreferEqual, CU_FUNC_CACHE_PREFER_EQUAL, 3)
} CUfunc_cache;
typedef enum cudaSharedMemConfig {
    CUDA_BOTH_(cudaSharedMemBankSizeDefault, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE, 0),
    CUDA_BOTH_(cudaSharedMemBankSizeFourByte, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, 1),
    CUDA_BOTH_(cudaSharedMemBankSizeEightByte, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE, 2)
} CUsharedconfig;
typedef enum cudaFuncAttribute {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
    CUDA_BOTH_(cudaFuncAttributeMaxDynamicSharedMemorySize,
               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8),
    CUDA_BOTH_(cudaFuncAttributePreferredSharedMemoryCarveout,
               CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9)
} CUfunction_attribute;
typedef enum cudaLimit {
    CUDA_BOTH_(cudaLimitStackSize, CU_LIMIT_STACK_SIZE, 0),
    CUDA_BOTH_(cudaLimitPrintfFifoSize, CU_LIMIT_PRINTF_FIFO_SIZE, 1),
    CUDA_BOTH_(cudaLimitMallocHeapSize, CU_LIMIT_MALLOC_HEAP_SIZE, 2),
    CUDA_BOTH_(cudaLimitDevRuntimeSyncDepth, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 3),
    CUDA_BOTH_(cudaLimitDevRuntimePendingLaunchCount, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 4),
    CUDA_BOTH_(cudaLimitMaxL2FetchGranularity, CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 5),
    CUDA_BOTH_(cudaLimitPersistingL2CacheSize, CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 6)
} CUlimit;
typedef enum cudaComputeMode {
    CUDA_BOTH_(cudaComputeModeDefault, CU_COMPUTEMODE_DEFAULT, 0),
    CUDA_BOTH_(cudaComputeModeProhibited, CU_COMPUTEMODE_PROHIBITED, 2),
    CUDA_BOTH_(cudaComputeModeExclusiveProcess, CU_COMPUTEMODE_EXCLUSIVE_PROCESS, 3),
    cudaComputeModeExclusive = 1
} CUcomputemode;
typedef enum cudaJitOption {
    CUDA_BOTH_(cudaJitMaxRegisters, CU_JIT_MAX_REGISTERS, 0),
    CUDA_BOTH_(cudaJitThreadsPerBlock, CU_JIT_THREADS_PER_BLOCK, 1),
    CUDA_BOTH_(cudaJitInfoLogBuffer, CU_JIT_INFO_LOG_BUFFER, 3),
    CUDA_BOTH_(cudaJitInfoLogBufferSizeBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4),
    CUDA_BOTH_(cudaJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER, 5),
    CUDA_BOTH_(cudaJitErrorLogBufferSizeBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6),
    CUDA_BOTH_(cudaJitOptimizationLevel, CU_JIT_OPTIMIZATION_LEVEL, 7),
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,
    CU_JIT_TARGET = 9,
    CUDA_BOTH_(cudaJitGenerateDebugInfo, CU_JIT_GENERATE_DEBUG_INFO, 11),
    CUDA_BOTH_(cudaJitLogVerbose, CU_JIT_LOG_VERBOSE, 12),
    CUDA_BOTH_(cudaJitGenerateLineInfo, CU_JIT_GENERATE_LINE_INFO, 13)
} CUjit_option;
typedef enum cudaLibraryOption {
    CUDA_BOTH_(cudaLibraryHostUniversalFunctionAndDataTable,
               CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE, 0),
    CUDA_BOTH_(cudaLibraryBinaryIsPreserved, CU_LIBRARY_BINARY_IS_PRESERVED, 1),
    CU_LIBRARY_NUM_OPTIONS = 2
} CUlibraryOption;

/* ---- graphs */

typedef enum cudaGraphNodeType {
    CUDA_BOTH_(cudaGraphNodeTypeKernel, CU_GRAPH_NODE_TYPE_KERNEL, 0),
    CUDA_BOTH_(cudaGraphNodeTypeMemcpy, CU_GRAPH_NODE_TYPE_MEMCPY, 1),
    CUDA_BOTH_(cudaGraphNodeTypeMemset, CU_GRAPH_NODE_TYPE_MEMSET, 2),
    CUDA_BOTH_(cudaGraphNodeTypeHost, CU_GRAPH_NODE_TYPE_HOST, 3),
    CUDA_BOTH_(cudaGraphNodeTypeGraph, CU_GRAPH_NODE_TYPE_GRAPH, 4),
    CUDA_BOTH_(cudaGraphNodeTypeEmpty, CU_GRAPH_NODE_TYPE_EMPTY, 5),
    CUDA_BOTH_(cudaGraphNodeTypeWaitEvent, CU_GRAPH_NODE_TYPE_WAIT_EVENT, 6),
    CUDA_BOTH_(cudaGraphNodeTypeEventRecord, CU_GRAPH_NODE_TYPE_EVENT_RECORD, 7),
    CUDA_BOTH_(cudaGraphNodeTypeExtSemaphoreSignal, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, 8),
    CUDA_BOTH_(cudaGraphNodeTypeExtSemaphoreWait, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, 9),
    CUDA_BOTH_(cudaGraphNodeTypeMemAlloc, CU_GRAPH_NODE_TYPE_MEM_ALLOC, 10),
    CUDA_BOTH_(cudaGraphNodeTypeMemFree, CU_GRAPH_NODE_TYPE_MEM_FREE, 11),
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
    CUDA_BOTH_(cudaGraphNodeTypeConditional, CU_GRAPH_NODE_TYPE_CONDITIONAL, 13),
    cudaGraphNodeTypeCount = 14
} CUgraphNodeType;
typedef enum cudaGraphDependencyType_enum {
    CUDA_BOTH_(cudaGraphDependencyTypeDefault, CU_GRAPH_DEPENDENCY_TYPE_DEFAULT, 0),
    CUDA_BOTH_(cudaGraphDependencyTypeProgrammatic, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, 1)
} cudaGraphDependencyType,
    CUgraphDependencyType;

/* An edge between nodes. Zeros mean that the later node waits for the whole of the earlier one. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData, CUgraphEdgeData;

typedef enum cudaGraphInstantiateFlags {
    CUDA_BOTH_(cudaGraphInstantiateFlagAutoFreeOnLaunch,
               CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, 1),
    CUDA_BOTH_(cudaGraphInstantiateFlagUpload, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, 2),
    CUDA_BOTH_(cudaGraphInstantiateFlagDeviceLaunch, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH, 4),
    CUDA_BOTH_(cudaGraphInstantiateFlagUseNodePriority,
               CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY, 8)
} CUgraphInstantiate_flags;
typedef enum cudaGraphInstantiateResult {
    CUDA_BOTH_(cudaGraphInstantiateSuccess, CUDA_GRAPH_INSTANTIATE_SUCCESS, 0),
    CUDA_BOTH_(cudaGraphInstantiateError, CUDA_GRAPH_INSTANTIATE_ERROR, 1),
    CUDA_BOTH_(cudaGraphInstantiateInvalidStructure, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, 2),
    CUDA_BOTH_(cudaGraphInstantiateNodeOperationNotSupported,
               CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, 3),
    CUDA_BOTH_(cudaGraphInstantiateMultipleDevicesNotSupported,
               CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED, 4),
    CUDA_BOTH_(cudaGraphInstantiateConditionalHandleUnused,
               CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, 5)
} cudaGraphInstantiateResult,
    CUgraphInstantiateResult;
typedef enum cudaGraphExecUpdateResult {
    CUDA_BOTH_(cudaGraphExecUpdateSuccess, CU_GRAPH_EXEC_UPDATE_SUCCESS, 0),
    CUDA_BOTH_(cudaGraphExecUpdateError, CU_GRAPH_EXEC_UPDATE_ERROR, 1),
    CUDA_BOTH_(cudaGraphExecUpdateErrorTopologyChanged, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
               2),
    CUDA_BOTH_(cudaGraphExecUpdateErrorNodeTypeChanged,
               CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, 3),
    CUDA_BOTH_(cudaGraphExecUpdateErrorFunctionChanged, CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED,
               4),
    CUDA_BOTH_(cudaGraphExecUpdateErrorParametersChanged,
               CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, 5),
    CUDA_BOTH_(cudaGraphExecUpdateErrorNotSupported, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, 6),
    CUDA_BOTH_(cudaGraphExecUpdateErrorUnsupportedFunctionChange,
               CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE, 7),
    CUDA_BOTH_(cudaGraphExecUpdateErrorAttributesChanged,
               CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, 8)
} CUgraphExecUpdateResult;

/* The reason for which an update failed, with nodes of the executable and of the new graph. */
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo, CUgraphExecUpdateResultInfo;

/* Bytes of a device's memory nodes, as a uint64_t. A peak may be set to 0. */
typedef enum cudaGraphMemAttributeType {
    CUDA_BOTH_(cudaGraphMemAttrUsedMemCurrent, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, 0),
    CUDA_BOTH_(cudaGraphMemAttrUsedMemHigh, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, 1),
    CUDA_BOTH_(cudaGraphMemAttrReservedMemCurrent, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, 2),
    CUDA_BOTH_(cudaGraphMemAttrReservedMemHigh, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, 3)
} CUgraphMem_attribute;
typedef enum cudaGraphDebugDotFlags {
    CUDA_BOTH_(cudaGraphDebugDotFlagsVerbose, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE, 1 << 0),
    CUDA_BOTH_(cudaGraphDebugDotFlagsKernelNodeParams, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS,
               1 << 2),
    CUDA_BOTH_(cudaGraphDebugDotFlagsMemcpyNodeParams, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS,
               1 << 3),
    CUDA_BOTH_(cudaGraphDebugDotFlagsMemsetNodeParams, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS,
               1 << 4),
    CUDA_BOTH_(cudaGraphDebugDotFlagsHostNodeParams, CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS,
               1 << 5),
    CUDA_BOTH_(cudaGraphDebugDotFlagsEventNodeParams, CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS,
               1 << 6)
} CUgraphDebugDot_flags;
typedef enum cudaUserObjectFlags {
    CUDA_BOTH_(cudaUserObjectNoDestructorSync, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, 1)
} CUuserObject_flags;
typedef enum cudaUserObjectRetainFlags {
    CUDA_BOTH_(cudaGraphUserObjectMove, CU_GRAPH_USER_OBJECT_MOVE, 1)
} CUuserObjectRetain_flags;
typedef enum cudaGraphChildGraphNodeOwnership {
    CUDA_BOTH_(cudaGraphChildGraphOwnershipClone, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE, 0),
    CUDA_BOTH_(cudaGraphChildGraphOwnershipMove, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE, 1)
} CUgraphChildGraphNodeOwnership;

typedef struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
} cudaHostNodeParams, cudaHostNodeParamsV2, CUDA_HOST_NODE_PARAMS, CUDA_HOST_NODE_PARAMS_v2;

typedef struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
    enum cudaGraphChildGraphNodeOwnership ownership;
} cudaChildGraphNodeParams, CUDA_CHILD_GRAPH_NODE_PARAMS;

typedef struct cudaEventRecordNodeParams {
    cudaEvent_t event;
} cudaEventRecordNodeParams, CUDA_EVENT_RECORD_NODE_PARAMS;

typedef struct cudaEventWaitNodeParams {
    cudaEvent_t event;
} cudaEventWaitNodeParams, CUDA_EVENT_WAIT_NODE_PARAMS;

/* ---- look-ups of functions */

typedef enum cudaGetDriverEntryPointFlags {
    CUDA_BOTH_(cudaEnableDefault, CU_GET_PROC_ADDRESS_DEFAULT, 0),
    CUDA_BOTH_(cudaEnableLegacyStream, CU_GET_PROC_ADDRESS_LEGACY_STREAM, 1 << 0),
    CUDA_BOTH_(cudaEnablePerThreadDefaultStream, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
               1 << 1)
} CUdriverProcAddress_flags;
typedef enum cudaDriverEntryPointQueryResult {
    CUDA_BOTH_(cudaDriverEntryPointSuccess, CU_GET_PROC_ADDRESS_SUCCESS, 0),
    CUDA_BOTH_(cudaDriverEntryPointSymbolNotFound, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, 1),
    CUDA_BOTH_(cudaDriverEntryPointVersionNotSufficent, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT,
               2)
} CUdriverProcAddressQueryResult;

#endif
