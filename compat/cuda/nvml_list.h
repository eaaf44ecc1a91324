// SPDX-License-Identifier: Apache-2.0
// The functions of NVIDIA's management library, without those for virtual machines, racks of devices
// and confidential computing, as a list of names. The front libnvidia-ml.so.1 exports
// them, and each jumps to tn_nvml_NAME in libcuda.so.1. absent.c has a weak definition of each target,
// which nvml.c replaces where it implements the function.
#pragma once

// The formatter would put one name of such a list on a line.
// clang-format off

#define TN_NVML_LIST(X)                                                                            \
    X(nvmlInit) X(nvmlInit_v2) X(nvmlInitWithFlags) X(nvmlShutdown) X(nvmlErrorString)             \
    X(nvmlSystemGetDriverVersion) X(nvmlSystemGetNVMLVersion) X(nvmlSystemGetCudaDriverVersion)    \
    X(nvmlSystemGetCudaDriverVersion_v2) X(nvmlSystemGetProcessName) X(nvmlSystemGetHicVersion)    \
    X(nvmlSystemGetTopologyGpuSet) X(nvmlSystemGetNvlinkBwMode) X(nvmlSystemSetNvlinkBwMode)       \
    X(nvmlSystemGetDriverBranch) X(nvmlSystemEventSetCreate) X(nvmlSystemEventSetFree)             \
    X(nvmlSystemEventSetWait) X(nvmlSystemRegisterEvents) X(nvmlDeviceGetCount)                    \
    X(nvmlDeviceGetCount_v2) X(nvmlDeviceGetHandleByIndex) X(nvmlDeviceGetHandleByIndex_v2)        \
    X(nvmlDeviceGetHandleByUUID) X(nvmlDeviceGetHandleByUUIDV) X(nvmlDeviceGetHandleByPciBusId)    \
    X(nvmlDeviceGetHandleByPciBusId_v2) X(nvmlDeviceGetHandleBySerial) X(nvmlDeviceGetName)        \
    X(nvmlDeviceGetUUID) X(nvmlDeviceGetIndex) X(nvmlDeviceGetMinorNumber) X(nvmlDeviceGetPciInfo) \
    X(nvmlDeviceGetPciInfo_v2) X(nvmlDeviceGetPciInfo_v3) X(nvmlDeviceGetPciInfoExt)               \
    X(nvmlDeviceGetMemoryInfo) X(nvmlDeviceGetMemoryInfo_v2) X(nvmlDeviceGetUtilizationRates)      \
    X(nvmlDeviceGetComputeRunningProcesses) X(nvmlDeviceGetComputeRunningProcesses_v2)             \
    X(nvmlDeviceGetComputeRunningProcesses_v3) X(nvmlDeviceGetGraphicsRunningProcesses)            \
    X(nvmlDeviceGetGraphicsRunningProcesses_v2) X(nvmlDeviceGetGraphicsRunningProcesses_v3)        \
    X(nvmlDeviceGetMPSComputeRunningProcesses) X(nvmlDeviceGetMPSComputeRunningProcesses_v2)       \
    X(nvmlDeviceGetMPSComputeRunningProcesses_v3) X(nvmlDeviceGetRunningProcessDetailList)         \
    X(nvmlDeviceGetCudaComputeCapability) X(nvmlDeviceGetMigMode) X(nvmlDeviceSetMigMode)          \
    X(nvmlDeviceGetBrand) X(nvmlDeviceGetSerial) X(nvmlDeviceGetBoardId)                           \
    X(nvmlDeviceGetBoardPartNumber) X(nvmlDeviceGetInforomVersion)                                 \
    X(nvmlDeviceGetInforomImageVersion) X(nvmlDeviceGetInforomConfigurationChecksum)               \
    X(nvmlDeviceValidateInforom) X(nvmlDeviceGetLastBBXFlushTime) X(nvmlDeviceGetModuleId)         \
    X(nvmlDeviceGetArchitecture) X(nvmlDeviceGetAttributes) X(nvmlDeviceGetAttributes_v2)          \
    X(nvmlDeviceGetDisplayMode) X(nvmlDeviceGetDisplayActive) X(nvmlDeviceGetPersistenceMode)      \
    X(nvmlDeviceSetPersistenceMode) X(nvmlDeviceGetComputeMode) X(nvmlDeviceSetComputeMode)        \
    X(nvmlDeviceGetEccMode) X(nvmlDeviceSetEccMode) X(nvmlDeviceGetDefaultEccMode)                 \
    X(nvmlDeviceClearEccErrorCounts) X(nvmlDeviceGetTotalEccErrors)                                \
    X(nvmlDeviceGetDetailedEccErrors) X(nvmlDeviceGetMemoryErrorCounter)                           \
    X(nvmlDeviceGetDriverModel) X(nvmlDeviceGetDriverModel_v2) X(nvmlDeviceSetDriverModel)         \
    X(nvmlDeviceGetVbiosVersion) X(nvmlDeviceGetMultiGpuBoard) X(nvmlDeviceGetGpuOperationMode)    \
    X(nvmlDeviceSetGpuOperationMode) X(nvmlDeviceGetAPIRestriction) X(nvmlDeviceSetAPIRestriction) \
    X(nvmlDeviceGetMaxPcieLinkGeneration) X(nvmlDeviceGetGpuMaxPcieLinkGeneration)                 \
    X(nvmlDeviceGetMaxPcieLinkWidth) X(nvmlDeviceGetCurrPcieLinkGeneration)                        \
    X(nvmlDeviceGetCurrPcieLinkWidth) X(nvmlDeviceGetPcieThroughput)                               \
    X(nvmlDeviceGetPcieReplayCounter) X(nvmlDeviceGetPcieSpeed) X(nvmlDeviceGetPcieLinkMaxSpeed)   \
    X(nvmlDeviceGetClockInfo) X(nvmlDeviceGetMaxClockInfo) X(nvmlDeviceGetClock)                   \
    X(nvmlDeviceGetMaxCustomerBoostClock) X(nvmlDeviceGetApplicationsClock)                        \
    X(nvmlDeviceSetApplicationsClocks) X(nvmlDeviceResetApplicationsClocks)                        \
    X(nvmlDeviceGetDefaultApplicationsClock) X(nvmlDeviceGetSupportedMemoryClocks)                 \
    X(nvmlDeviceGetSupportedGraphicsClocks) X(nvmlDeviceGetAutoBoostedClocksEnabled)               \
    X(nvmlDeviceSetAutoBoostedClocksEnabled) X(nvmlDeviceSetDefaultAutoBoostedClocksEnabled)       \
    X(nvmlDeviceSetGpuLockedClocks) X(nvmlDeviceResetGpuLockedClocks)                              \
    X(nvmlDeviceSetMemoryLockedClocks) X(nvmlDeviceResetMemoryLockedClocks)                        \
    X(nvmlDeviceGetClkMonStatus) X(nvmlDeviceGetGpcClkVfOffset) X(nvmlDeviceSetGpcClkVfOffset)     \
    X(nvmlDeviceGetMemClkVfOffset) X(nvmlDeviceSetMemClkVfOffset)                                  \
    X(nvmlDeviceGetMinMaxClockOfPState) X(nvmlDeviceGetSupportedPerformanceStates)                 \
    X(nvmlDeviceGetGpcClkMinMaxVfOffset) X(nvmlDeviceGetMemClkMinMaxVfOffset)                      \
    X(nvmlDeviceGetClockOffsets) X(nvmlDeviceSetClockOffsets) X(nvmlDeviceGetPerformanceModes)     \
    X(nvmlDeviceGetCurrentClockFreqs) X(nvmlDeviceGetAdaptiveClockInfoStatus)                      \
    X(nvmlDeviceGetCurrentClocksEventReasons) X(nvmlDeviceGetCurrentClocksThrottleReasons)         \
    X(nvmlDeviceGetSupportedClocksEventReasons) X(nvmlDeviceGetSupportedClocksThrottleReasons)     \
    X(nvmlDeviceGetDynamicPstatesInfo) X(nvmlDeviceGetFanSpeed) X(nvmlDeviceGetFanSpeed_v2)        \
    X(nvmlDeviceGetFanSpeedRPM) X(nvmlDeviceGetTargetFanSpeed) X(nvmlDeviceSetFanSpeed_v2)         \
    X(nvmlDeviceSetDefaultFanSpeed_v2) X(nvmlDeviceGetMinMaxFanSpeed)                              \
    X(nvmlDeviceGetFanControlPolicy_v2) X(nvmlDeviceSetFanControlPolicy) X(nvmlDeviceGetNumFans)   \
    X(nvmlDeviceGetCoolerInfo) X(nvmlDeviceGetTemperature) X(nvmlDeviceGetTemperatureV)            \
    X(nvmlDeviceGetTemperatureThreshold) X(nvmlDeviceSetTemperatureThreshold)                      \
    X(nvmlDeviceGetMarginTemperature) X(nvmlDeviceGetThermalSettings)                              \
    X(nvmlDeviceGetPerformanceState) X(nvmlDeviceGetPowerState) X(nvmlDeviceGetPowerUsage)         \
    X(nvmlDeviceGetTotalEnergyConsumption) X(nvmlDeviceGetEnforcedPowerLimit)                      \
    X(nvmlDeviceGetPowerManagementMode) X(nvmlDeviceGetPowerManagementLimit)                       \
    X(nvmlDeviceSetPowerManagementLimit) X(nvmlDeviceSetPowerManagementLimit_v2)                   \
    X(nvmlDeviceGetPowerManagementLimitConstraints) X(nvmlDeviceGetPowerManagementDefaultLimit)    \
    X(nvmlDeviceGetPowerSource) X(nvmlDeviceGetPowerMizerMode_v1)                                  \
    X(nvmlDeviceSetPowerMizerMode_v1) X(nvmlDeviceGetBAR1MemoryInfo)                               \
    X(nvmlDeviceGetViolationStatus) X(nvmlDeviceGetBridgeChipInfo) X(nvmlDeviceGetSamples)         \
    X(nvmlDeviceGetFieldValues) X(nvmlDeviceClearFieldValues) X(nvmlDeviceGetEncoderUtilization)   \
    X(nvmlDeviceGetEncoderCapacity) X(nvmlDeviceGetEncoderStats) X(nvmlDeviceGetEncoderSessions)   \
    X(nvmlDeviceGetDecoderUtilization) X(nvmlDeviceGetJpgUtilization)                              \
    X(nvmlDeviceGetOfaUtilization) X(nvmlDeviceGetFBCStats) X(nvmlDeviceGetFBCSessions)            \
    X(nvmlDeviceGetProcessUtilization) X(nvmlDeviceGetProcessesUtilizationInfo)                    \
    X(nvmlDeviceGetRetiredPages) X(nvmlDeviceGetRetiredPages_v2)                                   \
    X(nvmlDeviceGetRetiredPagesPendingStatus) X(nvmlDeviceGetRemappedRows)                         \
    X(nvmlDeviceGetRowRemapperHistogram) X(nvmlDeviceGetSramEccErrorStatus)                        \
    X(nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts) X(nvmlDeviceGetRepairStatus)               \
    X(nvmlDeviceGetAccountingMode) X(nvmlDeviceSetAccountingMode) X(nvmlDeviceGetAccountingStats)  \
    X(nvmlDeviceGetAccountingPids) X(nvmlDeviceGetAccountingBufferSize)                            \
    X(nvmlDeviceClearAccountingPids) X(nvmlDeviceGetTopologyCommonAncestor)                        \
    X(nvmlDeviceGetTopologyNearestGpus) X(nvmlDeviceGetP2PStatus) X(nvmlDeviceOnSameBoard)         \
    X(nvmlDeviceGetCpuAffinity) X(nvmlDeviceGetCpuAffinityWithinScope) X(nvmlDeviceSetCpuAffinity) \
    X(nvmlDeviceClearCpuAffinity) X(nvmlDeviceGetMemoryAffinity) X(nvmlDeviceGetNumaNodeId)        \
    X(nvmlDeviceGetAddressingMode) X(nvmlDeviceGetBusType) X(nvmlDeviceGetIrqNum)                  \
    X(nvmlDeviceGetNumGpuCores) X(nvmlDeviceGetMemoryBusWidth) X(nvmlDeviceGetC2cModeInfoV)        \
    X(nvmlDeviceGetGspFirmwareVersion) X(nvmlDeviceGetGspFirmwareMode)                             \
    X(nvmlDeviceGetCapabilities) X(nvmlDeviceGetPlatformInfo) X(nvmlDeviceGetPdi)                  \
    X(nvmlDeviceGetHostname_v1) X(nvmlDeviceSetHostname_v1) X(nvmlDeviceGetNvLinkState)            \
    X(nvmlDeviceGetNvLinkVersion) X(nvmlDeviceGetNvLinkCapability)                                 \
    X(nvmlDeviceGetNvLinkRemotePciInfo) X(nvmlDeviceGetNvLinkRemotePciInfo_v2)                     \
    X(nvmlDeviceGetNvLinkErrorCounter) X(nvmlDeviceResetNvLinkErrorCounters)                       \
    X(nvmlDeviceSetNvLinkUtilizationControl) X(nvmlDeviceGetNvLinkUtilizationControl)              \
    X(nvmlDeviceGetNvLinkUtilizationCounter) X(nvmlDeviceFreezeNvLinkUtilizationCounter)           \
    X(nvmlDeviceResetNvLinkUtilizationCounter) X(nvmlDeviceGetNvLinkRemoteDeviceType)              \
    X(nvmlDeviceSetNvLinkDeviceLowPowerThreshold) X(nvmlDeviceGetNvlinkSupportedBwModes)           \
    X(nvmlDeviceGetNvlinkBwMode) X(nvmlDeviceSetNvlinkBwMode) X(nvmlDeviceGetNvLinkInfo)           \
    X(nvmlDeviceGetGpuFabricInfo) X(nvmlDeviceGetGpuFabricInfoV) X(nvmlDeviceGetMaxMigDeviceCount) \
    X(nvmlDeviceGetMigDeviceHandleByIndex) X(nvmlDeviceGetDeviceHandleFromMigDeviceHandle)         \
    X(nvmlDeviceIsMigDeviceHandle) X(nvmlDeviceGetGpuInstanceId) X(nvmlDeviceGetComputeInstanceId) \
    X(nvmlDeviceGetGpuInstanceProfileInfo) X(nvmlDeviceGetGpuInstanceProfileInfoV)                 \
    X(nvmlDeviceGetGpuInstanceProfileInfoByIdV) X(nvmlDeviceGetGpuInstancePossiblePlacements)      \
    X(nvmlDeviceGetGpuInstancePossiblePlacements_v2) X(nvmlDeviceGetGpuInstanceRemainingCapacity)  \
    X(nvmlDeviceCreateGpuInstance) X(nvmlDeviceCreateGpuInstanceWithPlacement)                     \
    X(nvmlDeviceGetGpuInstances) X(nvmlDeviceGetGpuInstanceById) X(nvmlGpuInstanceDestroy)         \
    X(nvmlGpuInstanceGetInfo) X(nvmlGpuInstanceGetComputeInstanceProfileInfo)                      \
    X(nvmlGpuInstanceGetComputeInstanceProfileInfoV)                                               \
    X(nvmlGpuInstanceGetComputeInstanceRemainingCapacity)                                          \
    X(nvmlGpuInstanceGetComputeInstancePossiblePlacements) X(nvmlGpuInstanceCreateComputeInstance) \
    X(nvmlGpuInstanceCreateComputeInstanceWithPlacement) X(nvmlGpuInstanceGetComputeInstances)     \
    X(nvmlGpuInstanceGetComputeInstanceById) X(nvmlComputeInstanceDestroy)                         \
    X(nvmlComputeInstanceGetInfo) X(nvmlComputeInstanceGetInfo_v2) X(nvmlEventSetCreate)           \
    X(nvmlEventSetWait) X(nvmlEventSetWait_v2) X(nvmlEventSetFree) X(nvmlDeviceRegisterEvents)     \
    X(nvmlDeviceGetSupportedEventTypes) X(nvmlDeviceModifyDrainState) X(nvmlDeviceQueryDrainState) \
    X(nvmlDeviceRemoveGpu) X(nvmlDeviceRemoveGpu_v2) X(nvmlDeviceDiscoverGpus)                     \
    X(nvmlGpmMetricsGet) X(nvmlGpmSampleAlloc) X(nvmlGpmSampleFree) X(nvmlGpmSampleGet)            \
    X(nvmlGpmMigSampleGet) X(nvmlGpmQueryDeviceSupport) X(nvmlGpmQueryIfStreamingEnabled)          \
    X(nvmlGpmSetStreamingEnabled)
