/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/nvml_types.h - types of NVML. The functions of nvml.h use those of the first part, and
 * those of nvml_functions.h the others. Names and layouts are those of NVML's API version 11.
 * Included by nvml.h.
 */
#ifndef CUDA_DETAIL_NVML_TYPES_H
#define CUDA_DETAIL_NVML_TYPES_H

#include <cuda/detail/level.h>

typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_IRQ_ISSUE = 11,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_CORRUPTED_INFOROM = 14,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_RESET_REQUIRED = 16,
    NVML_ERROR_OPERATING_SYSTEM = 17,
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
    NVML_ERROR_IN_USE = 19,
    NVML_ERROR_MEMORY = 20,
    NVML_ERROR_NO_DATA = 21,
    NVML_ERROR_VGPU_ECC_NOT_SUPPORTED = 22,
    NVML_ERROR_INSUFFICIENT_RESOURCES = 23,
    NVML_ERROR_FREQ_NOT_SUPPORTED = 24,
    NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
    NVML_ERROR_DEPRECATED = 26,
    NVML_ERROR_NOT_READY = 27,
    NVML_ERROR_GPU_NOT_FOUND = 28,
    NVML_ERROR_INVALID_STATE = 29,
    NVML_ERROR_RESET_TYPE_NOT_SUPPORTED = 30,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

/* Sizes that suffice for texts. */
#define NVML_DEVICE_NAME_BUFFER_SIZE           64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE        96
#define NVML_DEVICE_UUID_BUFFER_SIZE           80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE        96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE         30
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE     32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE  16
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE   80

/* Flags of nvmlInitWithFlags(). Both are accepted and have no effect. */
#define NVML_INIT_FLAG_NO_GPUS   1
#define NVML_INIT_FLAG_NO_ATTACH 2

typedef struct nvmlDevice_st *nvmlDevice_t;

typedef struct nvmlPciInfo_st {
    char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
    unsigned domain, bus, device;
    unsigned pciDeviceId, pciSubSystemId;
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

/* Bytes of a device. `used` includes what pools hold. */
typedef struct nvmlMemory_st {
    unsigned long long total, free, used;
} nvmlMemory_t;

/* The caller sets the version. */
typedef struct nvmlMemory_v2_st {
    unsigned version;
    unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;
#define nvmlMemory_v2 ((unsigned)(sizeof(nvmlMemory_v2_t) | (2u << 24)))

/* Percentages. */
typedef struct nvmlUtilization_st {
    unsigned gpu, memory;
} nvmlUtilization_t;

typedef struct nvmlProcessInfo_v1_st {
    unsigned pid;
    unsigned long long usedGpuMemory; /* bytes */
} nvmlProcessInfo_v1_t;

typedef struct nvmlProcessInfo_v2_st {
    unsigned pid;
    unsigned long long usedGpuMemory; /* bytes */
    unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_v2_t, nvmlProcessInfo_t;

typedef enum nvmlTemperatureSensors_enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum nvmlClockType_enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;

typedef enum nvmlComputeMode_enum {
    NVML_COMPUTEMODE_DEFAULT = 0,
    NVML_COMPUTEMODE_EXCLUSIVE_THREAD = 1,
    NVML_COMPUTEMODE_PROHIBITED = 2,
    NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} nvmlComputeMode_t;

typedef enum nvmlValueType_enum {
    NVML_VALUE_TYPE_DOUBLE = 0,
    NVML_VALUE_TYPE_UNSIGNED_INT = 1,
    NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
    NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
    NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
    NVML_VALUE_TYPE_SIGNED_INT = 5,
    NVML_VALUE_TYPE_UNSIGNED_SHORT = 6
} nvmlValueType_t;

typedef union nvmlValue_st {
    double dVal;
    int siVal;
    unsigned uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
    signed long long sllVal;
    unsigned short usVal;
} nvmlValue_t;

/* The caller sets fieldId and scopeId. */
typedef struct nvmlFieldValue_st {
    unsigned fieldId, scopeId;
    long long timestamp;   /* microseconds since 1970 */
    long long latencyUsec; /* of the query */
    nvmlValueType_t valueType;
    nvmlReturn_t nvmlReturn; /* of this field; the rest is valid with NVML_SUCCESS only */
    nvmlValue_t value;
} nvmlFieldValue_t;

/* ---- handles, and numbers without names for their values */

typedef struct nvmlGpuInstance_st *nvmlGpuInstance_t;
typedef struct nvmlComputeInstance_st *nvmlComputeInstance_t;
typedef struct nvmlEventSet_st *nvmlEventSet_t;
typedef struct nvmlGpmSample_st *nvmlGpmSample_t;
typedef struct nvmlUnit_st *nvmlUnit_t;
typedef unsigned nvmlVgpuDriverCapability_t;
typedef unsigned nvmlVgpuPgpuCompatibilityLimitCode_t;
typedef unsigned nvmlDeviceVgpuCapability_t;
typedef unsigned nvmlVgpuTypeId_t;
typedef unsigned nvmlBusType_t;
typedef unsigned nvmlAffinityScope_t;
typedef unsigned nvmlVgpuInstance_t;
typedef unsigned nvmlPowerSource_t;
typedef unsigned nvmlFanControlPolicy_t;
typedef unsigned nvmlDeviceArchitecture_t;

/* ---- enumerations */

typedef enum nvmlBrandType_enum {
    NVML_BRAND_UNKNOWN = 0,
    NVML_BRAND_QUADRO = 1,
    NVML_BRAND_TESLA = 2,
    NVML_BRAND_NVS = 3,
    NVML_BRAND_GRID = 4,
    NVML_BRAND_GEFORCE = 5,
    NVML_BRAND_TITAN = 6,
    NVML_BRAND_NVIDIA_VAPPS = 7,
    NVML_BRAND_NVIDIA_VPC = 8,
    NVML_BRAND_NVIDIA_VCS = 9,
    NVML_BRAND_NVIDIA_VWS = 10,
    NVML_BRAND_NVIDIA_CLOUD_GAMING = 11,
    NVML_BRAND_NVIDIA_VGAMING = 11,
    NVML_BRAND_QUADRO_RTX = 12,
    NVML_BRAND_NVIDIA_RTX = 13,
    NVML_BRAND_NVIDIA = 14,
    NVML_BRAND_GEFORCE_RTX = 15,
    NVML_BRAND_TITAN_RTX = 16
} nvmlBrandType_t;
typedef enum nvmlInforomObject_enum {
    NVML_INFOROM_OEM = 0,
    NVML_INFOROM_ECC = 1,
    NVML_INFOROM_POWER = 2
} nvmlInforomObject_t;
typedef enum nvmlEnableState_enum {
    NVML_FEATURE_DISABLED = 0,
    NVML_FEATURE_ENABLED = 1
} nvmlEnableState_t;
typedef enum nvmlEccCounterType_enum {
    NVML_VOLATILE_ECC = 0,
    NVML_AGGREGATE_ECC = 1
} nvmlEccCounterType_t;
typedef enum nvmlMemoryErrorType_enum {
    NVML_MEMORY_ERROR_TYPE_CORRECTED = 0,
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1
} nvmlMemoryErrorType_t;
typedef enum nvmlMemoryLocation_enum {
    NVML_MEMORY_LOCATION_L1_CACHE = 0,
    NVML_MEMORY_LOCATION_L2_CACHE = 1,
    NVML_MEMORY_LOCATION_DRAM = 2,
    NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2,
    NVML_MEMORY_LOCATION_REGISTER_FILE = 3,
    NVML_MEMORY_LOCATION_TEXTURE_MEMORY = 4,
    NVML_MEMORY_LOCATION_TEXTURE_SHM = 5,
    NVML_MEMORY_LOCATION_CBU = 6,
    NVML_MEMORY_LOCATION_SRAM = 7
} nvmlMemoryLocation_t;
typedef enum nvmlDriverModel_enum { NVML_DRIVER_WDDM = 0, NVML_DRIVER_WDM = 1 } nvmlDriverModel_t;
typedef enum nvmlGom_enum {
    NVML_GOM_ALL_ON = 0,
    NVML_GOM_COMPUTE = 1,
    NVML_GOM_LOW_DP = 2
} nvmlGpuOperationMode_t;
typedef enum nvmlRestrictedAPI_enum {
    NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
    NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1
} nvmlRestrictedAPI_t;
typedef enum nvmlPcieUtilCounter_enum {
    NVML_PCIE_UTIL_TX_BYTES = 0,
    NVML_PCIE_UTIL_RX_BYTES = 1
} nvmlPcieUtilCounter_t;
typedef enum nvmlClockId_enum {
    NVML_CLOCK_ID_CURRENT = 0,
    NVML_CLOCK_ID_APP_CLOCK_TARGET = 1,
    NVML_CLOCK_ID_APP_CLOCK_DEFAULT = 2,
    NVML_CLOCK_ID_CUSTOMER_BOOST_MAX = 3
} nvmlClockId_t;
typedef enum nvmlPStates_enum {
    NVML_PSTATE_0 = 0,
    NVML_PSTATE_1 = 1,
    NVML_PSTATE_2 = 2,
    NVML_PSTATE_3 = 3,
    NVML_PSTATE_4 = 4,
    NVML_PSTATE_5 = 5,
    NVML_PSTATE_6 = 6,
    NVML_PSTATE_7 = 7,
    NVML_PSTATE_8 = 8,
    NVML_PSTATE_9 = 9,
    NVML_PSTATE_10 = 10,
    NVML_PSTATE_11 = 11,
    NVML_PSTATE_12 = 12,
    NVML_PSTATE_13 = 13,
    NVML_PSTATE_14 = 14,
    NVML_PSTATE_15 = 15,
    NVML_PSTATE_UNKNOWN = 32
} nvmlPstates_t;
typedef enum nvmlTemperatureThresholds_enum {
    NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
    NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1,
    NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2,
    NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3,
    NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN = 4,
    NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR = 5,
    NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX = 6
} nvmlTemperatureThresholds_t;
typedef enum {
    NVML_THERMAL_CONTROLLER_NONE = 0,
    NVML_THERMAL_CONTROLLER_GPU_INTERNAL = 1,
    NVML_THERMAL_CONTROLLER_ADM1032 = 2,
    NVML_THERMAL_CONTROLLER_ADT7461 = 3,
    NVML_THERMAL_CONTROLLER_MAX6649 = 4,
    NVML_THERMAL_CONTROLLER_MAX1617 = 5,
    NVML_THERMAL_CONTROLLER_LM99 = 6,
    NVML_THERMAL_CONTROLLER_LM89 = 7,
    NVML_THERMAL_CONTROLLER_LM64 = 8,
    NVML_THERMAL_CONTROLLER_G781 = 9,
    NVML_THERMAL_CONTROLLER_ADT7473 = 10,
    NVML_THERMAL_CONTROLLER_SBMAX6649 = 11,
    NVML_THERMAL_CONTROLLER_VBIOSEVT = 12,
    NVML_THERMAL_CONTROLLER_OS = 13,
    NVML_THERMAL_CONTROLLER_NVSYSCON_CANOAS = 14,
    NVML_THERMAL_CONTROLLER_NVSYSCON_E551 = 15,
    NVML_THERMAL_CONTROLLER_MAX6649R = 16,
    NVML_THERMAL_CONTROLLER_ADT7473S = 17,
    NVML_THERMAL_CONTROLLER_UNKNOWN = -1
} nvmlThermalController_t;
typedef enum {
    NVML_THERMAL_TARGET_NONE = 0,
    NVML_THERMAL_TARGET_GPU = 1,
    NVML_THERMAL_TARGET_MEMORY = 2,
    NVML_THERMAL_TARGET_POWER_SUPPLY = 4,
    NVML_THERMAL_TARGET_BOARD = 8,
    NVML_THERMAL_TARGET_VCD_BOARD = 9,
    NVML_THERMAL_TARGET_VCD_INLET = 10,
    NVML_THERMAL_TARGET_VCD_OUTLET = 11,
    NVML_THERMAL_TARGET_ALL = 15,
    NVML_THERMAL_TARGET_UNKNOWN = -1
} nvmlThermalTarget_t;
typedef enum nvmlPerfPolicyType_enum {
    NVML_PERF_POLICY_POWER = 0,
    NVML_PERF_POLICY_THERMAL = 1,
    NVML_PERF_POLICY_SYNC_BOOST = 2,
    NVML_PERF_POLICY_BOARD_LIMIT = 3,
    NVML_PERF_POLICY_LOW_UTILIZATION = 4,
    NVML_PERF_POLICY_RELIABILITY = 5,
    NVML_PERF_POLICY_TOTAL_APP_CLOCKS = 10,
    NVML_PERF_POLICY_TOTAL_BASE_CLOCKS = 11
} nvmlPerfPolicyType_t;
typedef enum nvmlBridgeChipType_enum {
    NVML_BRIDGE_CHIP_PLX = 0,
    NVML_BRIDGE_CHIP_BRO4 = 1
} nvmlBridgeChipType_t;
typedef enum nvmlSamplingType_enum {
    NVML_TOTAL_POWER_SAMPLES = 0,
    NVML_GPU_UTILIZATION_SAMPLES = 1,
    NVML_MEMORY_UTILIZATION_SAMPLES = 2,
    NVML_ENC_UTILIZATION_SAMPLES = 3,
    NVML_DEC_UTILIZATION_SAMPLES = 4,
    NVML_PROCESSOR_CLK_SAMPLES = 5,
    NVML_MEMORY_CLK_SAMPLES = 6
} nvmlSamplingType_t;
typedef enum nvmlEncoderQueryType_enum {
    NVML_ENCODER_QUERY_H264 = 0,
    NVML_ENCODER_QUERY_HEVC = 1
} nvmlEncoderType_t;
typedef enum nvmlFBCSessionType_enum {
    NVML_FBC_SESSION_TYPE_UNKNOWN = 0,
    NVML_FBC_SESSION_TYPE_TOSYS = 1,
    NVML_FBC_SESSION_TYPE_CUDA = 2,
    NVML_FBC_SESSION_TYPE_VID = 3,
    NVML_FBC_SESSION_TYPE_HWENC = 4
} nvmlFBCSessionType_t;
typedef enum nvmlPageRetirementCause_enum {
    NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
    NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR = 1
} nvmlPageRetirementCause_t;
typedef enum nvmlGpuLevel_enum {
    NVML_TOPOLOGY_INTERNAL = 0,
    NVML_TOPOLOGY_SINGLE = 10,
    NVML_TOPOLOGY_MULTIPLE = 20,
    NVML_TOPOLOGY_HOSTBRIDGE = 30,
    NVML_TOPOLOGY_NODE = 40,
    NVML_TOPOLOGY_SYSTEM = 50
} nvmlGpuTopologyLevel_t;
typedef enum nvmlGpuP2PCapsIndex_enum {
    NVML_P2P_CAPS_INDEX_READ = 0,
    NVML_P2P_CAPS_INDEX_WRITE = 1,
    NVML_P2P_CAPS_INDEX_NVLINK = 2,
    NVML_P2P_CAPS_INDEX_ATOMICS = 3,
    NVML_P2P_CAPS_INDEX_PROP = 4,
    NVML_P2P_CAPS_INDEX_UNKNOWN = 5
} nvmlGpuP2PCapsIndex_t;
typedef enum nvmlGpuP2PStatus_enum {
    NVML_P2P_STATUS_OK = 0,
    NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED = 1,
    NVML_P2P_STATUS_GPU_NOT_SUPPORTED = 2,
    NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED = 3,
    NVML_P2P_STATUS_DISABLED_BY_REGKEY = 4,
    NVML_P2P_STATUS_NOT_SUPPORTED = 5,
    NVML_P2P_STATUS_UNKNOWN = 6
} nvmlGpuP2PStatus_t;
typedef enum nvmlNvLinkCapability_enum {
    NVML_NVLINK_CAP_P2P_SUPPORTED = 0,
    NVML_NVLINK_CAP_SYSMEM_ACCESS = 1,
    NVML_NVLINK_CAP_P2P_ATOMICS = 2,
    NVML_NVLINK_CAP_SYSMEM_ATOMICS = 3,
    NVML_NVLINK_CAP_SLI_BRIDGE = 4,
    NVML_NVLINK_CAP_VALID = 5
} nvmlNvLinkCapability_t;
typedef enum nvmlNvLinkErrorCounter_enum {
    NVML_NVLINK_ERROR_DL_REPLAY = 0,
    NVML_NVLINK_ERROR_DL_RECOVERY = 1,
    NVML_NVLINK_ERROR_DL_CRC_FLIT = 2,
    NVML_NVLINK_ERROR_DL_CRC_DATA = 3,
    NVML_NVLINK_ERROR_DL_ECC_DATA = 4
} nvmlNvLinkErrorCounter_t;
typedef enum nvmlNvLinkUtilizationCountUnits_enum {
    NVML_NVLINK_COUNTER_UNIT_CYCLES = 0,
    NVML_NVLINK_COUNTER_UNIT_PACKETS = 1,
    NVML_NVLINK_COUNTER_UNIT_BYTES = 2,
    NVML_NVLINK_COUNTER_UNIT_RESERVED = 3
} nvmlNvLinkUtilizationCountUnits_t;
typedef enum nvmlNvLinkUtilizationCountPktTypes_enum {
    NVML_NVLINK_COUNTER_PKTFILTER_NOP = 1,
    NVML_NVLINK_COUNTER_PKTFILTER_READ = 2,
    NVML_NVLINK_COUNTER_PKTFILTER_WRITE = 4,
    NVML_NVLINK_COUNTER_PKTFILTER_RATOM = 8,
    NVML_NVLINK_COUNTER_PKTFILTER_NRATOM = 16,
    NVML_NVLINK_COUNTER_PKTFILTER_FLUSH = 32,
    NVML_NVLINK_COUNTER_PKTFILTER_RESPDATA = 64,
    NVML_NVLINK_COUNTER_PKTFILTER_RESPNODATA = 128,
    NVML_NVLINK_COUNTER_PKTFILTER_ALL = 255
} nvmlNvLinkUtilizationCountPktTypes_t;
typedef enum nvmlIntNvLinkDeviceType_enum {
    NVML_NVLINK_DEVICE_TYPE_GPU = 0,
    NVML_NVLINK_DEVICE_TYPE_IBMNPU = 1,
    NVML_NVLINK_DEVICE_TYPE_SWITCH = 2,
    NVML_NVLINK_DEVICE_TYPE_UNKNOWN = 255
} nvmlIntNvLinkDeviceType_t;
typedef enum nvmlDetachGpuState_enum {
    NVML_DETACH_GPU_KEEP = 0,
    NVML_DETACH_GPU_REMOVE = 1
} nvmlDetachGpuState_t;
typedef enum nvmlPcieLinkState_enum {
    NVML_PCIE_LINK_KEEP = 0,
    NVML_PCIE_LINK_SHUT_DOWN = 1
} nvmlPcieLinkState_t;
typedef enum {
    NVML_GRID_LICENSE_FEATURE_CODE_UNKNOWN = 0,
    NVML_GRID_LICENSE_FEATURE_CODE_VGPU = 1,
    NVML_GRID_LICENSE_FEATURE_CODE_NVIDIA_RTX = 2,
    NVML_GRID_LICENSE_FEATURE_CODE_VWORKSTATION = 2,
    NVML_GRID_LICENSE_FEATURE_CODE_GAMING = 3,
    NVML_GRID_LICENSE_FEATURE_CODE_COMPUTE = 4
} nvmlGridLicenseFeatureCode_t;
typedef enum nvmlHostVgpuMode_enum {
    NVML_HOST_VGPU_MODE_NON_SRIOV = 0,
    NVML_HOST_VGPU_MODE_SRIOV = 1
} nvmlHostVgpuMode_t;
typedef enum nvmlGpuVirtualizationMode {
    NVML_GPU_VIRTUALIZATION_MODE_NONE = 0,
    NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH = 1,
    NVML_GPU_VIRTUALIZATION_MODE_VGPU = 2,
    NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU = 3,
    NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA = 4
} nvmlGpuVirtualizationMode_t;
typedef enum nvmlVgpuGuestInfoState_enum {
    NVML_VGPU_INSTANCE_GUEST_INFO_STATE_UNINITIALIZED = 0,
    NVML_VGPU_INSTANCE_GUEST_INFO_STATE_INITIALIZED = 1
} nvmlVgpuGuestInfoState_t;
typedef enum nvmlVgpuVmCompatibility_enum {
    NVML_VGPU_VM_COMPATIBILITY_NONE = 0,
    NVML_VGPU_VM_COMPATIBILITY_COLD = 1,
    NVML_VGPU_VM_COMPATIBILITY_HIBERNATE = 2,
    NVML_VGPU_VM_COMPATIBILITY_SLEEP = 4,
    NVML_VGPU_VM_COMPATIBILITY_LIVE = 8
} nvmlVgpuVmCompatibility_t;
typedef enum nvmlLedColor_enum {
    NVML_LED_COLOR_GREEN = 0,
    NVML_LED_COLOR_AMBER = 1
} nvmlLedColor_t;
typedef enum nvmlVgpuVmIdType {
    NVML_VGPU_VM_ID_DOMAIN_ID = 0,
    NVML_VGPU_VM_ID_UUID = 1
} nvmlVgpuVmIdType_t;
typedef enum nvmlVgpuCapability_enum {
    NVML_VGPU_CAP_NVLINK_P2P = 0,
    NVML_VGPU_CAP_GPUDIRECT = 1
} nvmlVgpuCapability_t;

/* ---- structs */

typedef struct nvmlHwbcEntry_st {
    unsigned hwbcId;
    char firmwareVersion[32];
} nvmlHwbcEntry_t;
typedef struct nvmlDeviceAttributes_st {
    unsigned multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount, sharedEncoderCount,
        sharedJpegCount, sharedOfaCount, gpuInstanceSliceCount, computeInstanceSliceCount;
    unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;
typedef struct nvmlEccErrorCounts_st {
    unsigned long long l1Cache, l2Cache, deviceMemory, registerFile;
} nvmlEccErrorCounts_t;
typedef struct nvmlClkMonFaultInfo_struct {
    unsigned clkApiDomain, clkDomainFaultMask;
} nvmlClkMonFaultInfo_t;
typedef struct nvmlClkMonStatus_status {
    unsigned bGlobalStatus, clkMonListSize;
    nvmlClkMonFaultInfo_t clkMonList[32];
} nvmlClkMonStatus_t;
typedef struct nvmlGpuDynamicPstatesInfo_st {
    unsigned flags;
    struct {
        unsigned bIsPresent, percentage, incThreshold, decThreshold;
    } utilization[8];
} nvmlGpuDynamicPstatesInfo_t;
typedef struct {
    unsigned count;
    struct {
        nvmlThermalController_t controller;
        int defaultMinTemp, defaultMaxTemp, currentTemp;
        nvmlThermalTarget_t target;
    } sensor[3];
} nvmlGpuThermalSettings_t;
typedef struct nvmlBAR1Memory_st {
    unsigned long long bar1Total, bar1Free, bar1Used;
} nvmlBAR1Memory_t;
typedef struct nvmlViolationTime_st {
    unsigned long long referenceTime, violationTime;
} nvmlViolationTime_t;
typedef struct nvmlBridgeChipInfo_st {
    nvmlBridgeChipType_t type;
    unsigned fwVersion;
} nvmlBridgeChipInfo_t;
typedef struct nvmlBridgeChipHierarchy_st {
    unsigned char bridgeCount;
    nvmlBridgeChipInfo_t bridgeChipInfo[128];
} nvmlBridgeChipHierarchy_t;
typedef struct nvmlSample_st {
    unsigned long long timeStamp;
    nvmlValue_t sampleValue;
} nvmlSample_t;
typedef struct nvmlEncoderSessionInfo_st {
    unsigned sessionId, pid;
    nvmlVgpuInstance_t vgpuInstance;
    nvmlEncoderType_t codecType;
    unsigned hResolution, vResolution, averageFps, averageLatency;
} nvmlEncoderSessionInfo_t;
typedef struct nvmlFBCStats_st {
    unsigned sessionsCount, averageFPS, averageLatency;
} nvmlFBCStats_t;
typedef struct nvmlFBCSessionInfo_st {
    unsigned sessionId, pid;
    nvmlVgpuInstance_t vgpuInstance;
    unsigned displayOrdinal;
    nvmlFBCSessionType_t sessionType;
    unsigned sessionFlags, hMaxResolution, vMaxResolution, hResolution, vResolution, averageFPS,
        averageLatency;
} nvmlFBCSessionInfo_t;
typedef struct nvmlProcessUtilizationSample_st {
    unsigned pid;
    unsigned long long timeStamp;
    unsigned smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;
typedef struct nvmlRowRemapperHistogramValues_st {
    unsigned max, high, partial, low, none;
} nvmlRowRemapperHistogramValues_t;
typedef struct nvmlAccountingStats_st {
    unsigned gpuUtilization, memoryUtilization;
    unsigned long long maxMemoryUsage, time, startTime;
    unsigned isRunning, reserved[5];
} nvmlAccountingStats_t;
typedef struct nvmlNvLinkUtilizationControl_st {
    nvmlNvLinkUtilizationCountUnits_t units;
    nvmlNvLinkUtilizationCountPktTypes_t pktfilter;
} nvmlNvLinkUtilizationControl_t;
typedef struct nvmlGpuInstanceProfileInfo_st {
    unsigned id, isP2pSupported, sliceCount, instanceCount, multiprocessorCount, copyEngineCount,
        decoderCount, encoderCount, jpegCount, ofaCount;
    unsigned long long memorySizeMB;
} nvmlGpuInstanceProfileInfo_t;
typedef struct nvmlGpuInstanceProfileInfo_v2_st {
    unsigned version, id, isP2pSupported, sliceCount, instanceCount, multiprocessorCount,
        copyEngineCount, decoderCount, encoderCount, jpegCount, ofaCount;
    unsigned long long memorySizeMB;
    char name[96];
} nvmlGpuInstanceProfileInfo_v2_t;
typedef struct nvmlGpuInstancePlacement_st {
    unsigned start, size;
} nvmlGpuInstancePlacement_t;
typedef struct nvmlGpuInstanceInfo_st {
    nvmlDevice_t device;
    unsigned id, profileId;
    nvmlGpuInstancePlacement_t placement;
} nvmlGpuInstanceInfo_t;
typedef struct nvmlComputeInstanceProfileInfo_st {
    unsigned id, sliceCount, instanceCount, multiprocessorCount, sharedCopyEngineCount,
        sharedDecoderCount, sharedEncoderCount, sharedJpegCount, sharedOfaCount;
} nvmlComputeInstanceProfileInfo_t;
typedef struct nvmlComputeInstanceProfileInfo_v2_st {
    unsigned version, id, sliceCount, instanceCount, multiprocessorCount, sharedCopyEngineCount,
        sharedDecoderCount, sharedEncoderCount, sharedJpegCount, sharedOfaCount;
    char name[96];
} nvmlComputeInstanceProfileInfo_v2_t;
typedef struct nvmlComputeInstancePlacement_st {
    unsigned start, size;
} nvmlComputeInstancePlacement_t;
typedef struct nvmlComputeInstanceInfo_st {
    nvmlDevice_t device;
    nvmlGpuInstance_t gpuInstance;
    unsigned id, profileId;
    nvmlComputeInstancePlacement_t placement;
} nvmlComputeInstanceInfo_t;
typedef struct nvmlEventData_st {
    nvmlDevice_t device;
    unsigned long long eventType, eventData;
    unsigned gpuInstanceId, computeInstanceId;
} nvmlEventData_t;
typedef struct {
    unsigned version, isSupportedDevice;
} nvmlGpmSupport_t;
typedef struct nvmlGridLicenseExpiry_st {
    unsigned year;
    unsigned short month, day, hour, min, sec;
    unsigned char status;
} nvmlGridLicenseExpiry_t;
typedef struct nvmlGridLicensableFeature_st {
    nvmlGridLicenseFeatureCode_t featureCode;
    unsigned featureState;
    char licenseInfo[128], productName[128];
    unsigned featureEnabled;
    nvmlGridLicenseExpiry_t licenseExpiry;
} nvmlGridLicensableFeature_t;
typedef struct nvmlGridLicensableFeatures_st {
    int isGridLicenseSupported;
    unsigned licensableFeaturesCount;
    nvmlGridLicensableFeature_t gridLicensableFeatures[3];
} nvmlGridLicensableFeatures_t;
typedef struct nvmlVgpuVersion_st {
    unsigned minVersion, maxVersion;
} nvmlVgpuVersion_t;
typedef struct nvmlVgpuPgpuMetadata_st {
    unsigned version, revision;
    char hostDriverVersion[80];
    unsigned pgpuVirtualizationCaps, reserved[5];
    nvmlVgpuVersion_t hostSupportedVgpuRange;
    unsigned opaqueDataSize;
    char opaqueData[4];
} nvmlVgpuPgpuMetadata_t;
typedef struct nvmlVgpuProcessUtilizationSample_st {
    nvmlVgpuInstance_t vgpuInstance;
    unsigned pid;
    char processName[64];
    unsigned long long timeStamp;
    unsigned smUtil, memUtil, encUtil, decUtil;
} nvmlVgpuProcessUtilizationSample_t;
typedef struct nvmlVgpuInstanceUtilizationSample_st {
    nvmlVgpuInstance_t vgpuInstance;
    unsigned long long timeStamp;
    nvmlValue_t smUtil, memUtil, encUtil, decUtil;
} nvmlVgpuInstanceUtilizationSample_t;
typedef struct nvmlVgpuMetadata_st {
    unsigned version, revision;
    nvmlVgpuGuestInfoState_t guestInfoState;
    char guestDriverVersion[80], hostDriverVersion[80];
    unsigned reserved[6], vgpuVirtualizationCaps, guestVgpuVersion, opaqueDataSize;
    char opaqueData[4];
} nvmlVgpuMetadata_t;
typedef struct nvmlVgpuPgpuCompatibility_st {
    nvmlVgpuVmCompatibility_t vgpuVmCompatibility;
    nvmlVgpuPgpuCompatibilityLimitCode_t compatibilityLimitCode;
} nvmlVgpuPgpuCompatibility_t;
typedef struct nvmlVgpuLicenseExpiry_st {
    unsigned year;
    unsigned short month, day, hour, min, sec;
    unsigned char status;
} nvmlVgpuLicenseExpiry_t;
typedef struct nvmlVgpuLicenseInfo_st {
    unsigned char isLicensed;
    nvmlVgpuLicenseExpiry_t licenseExpiry;
    unsigned currentState;
} nvmlVgpuLicenseInfo_t;

/* ---- structs of later API versions, whose members and tags are not declared here */

typedef struct nvmlSystemDriverBranchInfo_st nvmlSystemDriverBranchInfo_t;
typedef struct nvmlSystemEventSetCreateRequest_st nvmlSystemEventSetCreateRequest_t;
typedef struct nvmlSystemEventSetFreeRequest_st nvmlSystemEventSetFreeRequest_t;
typedef struct nvmlSystemEventSetWaitRequest_st nvmlSystemEventSetWaitRequest_t;
typedef struct nvmlSystemRegisterEventRequest_st nvmlSystemRegisterEventRequest_t;
typedef struct nvmlUUID_st nvmlUUID_t;
typedef struct nvmlPciInfoExt_st nvmlPciInfoExt_t;
typedef struct nvmlProcessDetailList_st nvmlProcessDetailList_t;
typedef struct nvmlClockOffset_st nvmlClockOffset_t;
typedef struct nvmlDevicePerfModes_st nvmlDevicePerfModes_t;
typedef struct nvmlDeviceCurrentClockFreqs_st nvmlDeviceCurrentClockFreqs_t;
typedef struct nvmlFanSpeedInfo_st nvmlFanSpeedInfo_t;
typedef struct nvmlCoolerInfo_st nvmlCoolerInfo_t;
typedef struct nvmlTemperature_st nvmlTemperature_t;
typedef struct nvmlMarginTemperature_st nvmlMarginTemperature_t;
typedef struct nvmlPowerValue_v2_st nvmlPowerValue_v2_t;
typedef struct nvmlDevicePowerMizerModes_v1_st nvmlDevicePowerMizerModes_v1_t;
typedef struct nvmlProcessesUtilizationInfo_st nvmlProcessesUtilizationInfo_t;
typedef struct nvmlEccSramErrorStatus_st nvmlEccSramErrorStatus_t;
typedef struct nvmlEccSramUniqueUncorrectedErrorCounts_st nvmlEccSramUniqueUncorrectedErrorCounts_t;
typedef struct nvmlRepairStatus_st nvmlRepairStatus_t;
typedef struct nvmlDeviceAddressingMode_st nvmlDeviceAddressingMode_t;
typedef struct nvmlC2cModeInfo_v1_st nvmlC2cModeInfo_v1_t;
typedef struct nvmlDeviceCapabilities_st nvmlDeviceCapabilities_t;
typedef struct nvmlPlatformInfo_st nvmlPlatformInfo_t;
typedef struct nvmlPdi_st nvmlPdi_t;
typedef struct nvmlHostname_v1_st nvmlHostname_v1_t;
typedef struct nvmlNvLinkPowerThres_st nvmlNvLinkPowerThres_t;
typedef struct nvmlNvlinkSupportedBwModes_st nvmlNvlinkSupportedBwModes_t;
typedef struct nvmlNvlinkGetBwMode_st nvmlNvlinkGetBwMode_t;
typedef struct nvmlNvlinkSetBwMode_st nvmlNvlinkSetBwMode_t;
typedef struct nvmlNvLinkInfo_st nvmlNvLinkInfo_t;
typedef struct nvmlGpuFabricInfo_st nvmlGpuFabricInfo_t;
typedef struct nvmlGpuFabricInfoV_st nvmlGpuFabricInfoV_t;
typedef struct nvmlGpmMetricsGet_st nvmlGpmMetricsGet_t;
typedef struct nvmlConfComputeGpuAttestationReport_st nvmlConfComputeGpuAttestationReport_t;
typedef struct nvmlConfComputeGpuCertificate_st nvmlConfComputeGpuCertificate_t;
typedef struct nvmlConfComputeMemSizeInfo_st nvmlConfComputeMemSizeInfo_t;
typedef struct nvmlDramEncryptionInfo_st nvmlDramEncryptionInfo_t;
typedef struct nvmlUnrepairableMemoryStatus_v1_st nvmlUnrepairableMemoryStatus_v1_t;
typedef struct nvmlVgpuHeterogeneousMode_st nvmlVgpuHeterogeneousMode_t;
typedef struct nvmlVgpuInstancesUtilizationInfo_st nvmlVgpuInstancesUtilizationInfo_t;
typedef struct nvmlVgpuProcessesUtilizationInfo_st nvmlVgpuProcessesUtilizationInfo_t;
typedef struct nvmlVgpuSchedulerCapabilities_st nvmlVgpuSchedulerCapabilities_t;
typedef struct nvmlVgpuSchedulerLog_st nvmlVgpuSchedulerLog_t;
typedef struct nvmlVgpuSchedulerLogInfo_v2_st nvmlVgpuSchedulerLogInfo_v2_t;
typedef struct nvmlVgpuSchedulerGetState_st nvmlVgpuSchedulerGetState_t;
typedef struct nvmlVgpuSchedulerStateInfo_v2_st nvmlVgpuSchedulerStateInfo_v2_t;
typedef struct nvmlVgpuPlacementList_st nvmlVgpuPlacementList_t;
typedef struct nvmlPowerSmoothingProfile_st nvmlPowerSmoothingProfile_t;
typedef struct nvmlPowerSmoothingState_st nvmlPowerSmoothingState_t;
typedef struct nvmlPRMTLV_v1_st nvmlPRMTLV_v1_t;
typedef struct nvmlRusdSettings_v1_st nvmlRusdSettings_v1_t;
typedef struct nvmlVgpuSchedulerSetState_st nvmlVgpuSchedulerSetState_t;
typedef struct nvmlVgpuSchedulerState_v2_st nvmlVgpuSchedulerState_v2_t;
typedef struct nvmlWorkloadPowerProfileRequestedProfiles_st
    nvmlWorkloadPowerProfileRequestedProfiles_t;
typedef struct nvmlWorkloadPowerProfileCurrentProfiles_st nvmlWorkloadPowerProfileCurrentProfiles_t;
typedef struct nvmlWorkloadPowerProfileProfilesInfo_st nvmlWorkloadPowerProfileProfilesInfo_t;
typedef struct nvmlWorkloadPowerProfileUpdateProfiles_v1_st
    nvmlWorkloadPowerProfileUpdateProfiles_v1_t;
typedef struct nvmlActiveVgpuInstanceInfo_st nvmlActiveVgpuInstanceInfo_t;
typedef struct nvmlVgpuTypeIdInfo_st nvmlVgpuTypeIdInfo_t;
typedef struct nvmlVgpuSchedulerLogInfo_st nvmlVgpuSchedulerLogInfo_t;
typedef struct nvmlVgpuSchedulerStateInfo_st nvmlVgpuSchedulerStateInfo_t;
typedef struct nvmlVgpuCreatablePlacementInfo_st nvmlVgpuCreatablePlacementInfo_t;
typedef struct nvmlVgpuSchedulerState_st nvmlVgpuSchedulerState_t;
typedef struct nvmlConfComputeSystemCaps_st nvmlConfComputeSystemCaps_t;
typedef struct nvmlConfComputeGetKeyRotationThresholdInfo_st
    nvmlConfComputeGetKeyRotationThresholdInfo_t;
typedef struct nvmlSystemConfComputeSettings_st nvmlSystemConfComputeSettings_t;
typedef struct nvmlConfComputeSystemState_st nvmlConfComputeSystemState_t;
typedef struct nvmlConfComputeSetKeyRotationThresholdInfo_st
    nvmlConfComputeSetKeyRotationThresholdInfo_t;
typedef struct nvmlVgpuPlacementId_st nvmlVgpuPlacementId_t;
typedef struct nvmlVgpuRuntimeState_st nvmlVgpuRuntimeState_t;
typedef struct nvmlVgpuTypeBar1Info_st nvmlVgpuTypeBar1Info_t;
typedef struct nvmlVgpuTypeMaxInstance_st nvmlVgpuTypeMaxInstance_t;
typedef struct nvmlBBXTimeData_v1_st nvmlBBXTimeData_v1_t;
typedef struct nvmlPRMCounterList_v1_st nvmlPRMCounterList_v1_t;

#endif
