/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/nvml_functions.h - the functions of NVML that Tarn does not implement. Each returns
 * NVML_ERROR_NOT_SUPPORTED, reads and writes nothing, and is named in the log. NVIDIA's manual has
 * their meaning. Included by nvml.h.
 */
#ifndef CUDA_DETAIL_NVML_FUNCTIONS_H
#define CUDA_DETAIL_NVML_FUNCTIONS_H

#include <cuda/detail/nvml_types.h>

/* Plain names mean the newest form. */
#define nvmlComputeInstanceGetInfo                 nvmlComputeInstanceGetInfo_v2
#define nvmlDeviceGetAttributes                    nvmlDeviceGetAttributes_v2
#define nvmlDeviceGetDriverModel                   nvmlDeviceGetDriverModel_v2
#define nvmlDeviceGetGpuInstancePossiblePlacements nvmlDeviceGetGpuInstancePossiblePlacements_v2
#define nvmlDeviceGetGridLicensableFeatures        nvmlDeviceGetGridLicensableFeatures_v4
#define nvmlDeviceGetMPSComputeRunningProcesses    nvmlDeviceGetMPSComputeRunningProcesses_v3
#define nvmlDeviceGetNvLinkRemotePciInfo           nvmlDeviceGetNvLinkRemotePciInfo_v2
#define nvmlDeviceRemoveGpu                        nvmlDeviceRemoveGpu_v2
#define nvmlEventSetWait                           nvmlEventSetWait_v2
#define nvmlVgpuInstanceGetLicenseInfo             nvmlVgpuInstanceGetLicenseInfo_v2

CUDA_EXTERN_C_BEGIN

/* ---- clocks, power, performance, fans and temperatures */

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock);
nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t clock_type,
                                nvmlClockId_t clock_id, unsigned *clock_mhz);
nvmlReturn_t nvmlDeviceGetMaxCustomerBoostClock(nvmlDevice_t device, nvmlClockType_t clock_type,
                                                unsigned *clock_mhz);
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t clock_type,
                                            unsigned *clock_mhz);
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned mem_clock_mhz,
                                             unsigned graphics_clock_mhz);
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t clock_type,
                                                   unsigned *clock_mhz);
nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned *count,
                                                unsigned *clocks_mhz);
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned memory_clock_mhz,
                                                  unsigned *count, unsigned *clocks_mhz);
nvmlReturn_t nvmlDeviceGetAutoBoostedClocksEnabled(nvmlDevice_t device,
                                                   nvmlEnableState_t *is_enabled,
                                                   nvmlEnableState_t *default_is_enabled);
nvmlReturn_t nvmlDeviceSetAutoBoostedClocksEnabled(nvmlDevice_t device, nvmlEnableState_t enabled);
nvmlReturn_t nvmlDeviceSetDefaultAutoBoostedClocksEnabled(nvmlDevice_t device,
                                                          nvmlEnableState_t enabled,
                                                          unsigned flags);
nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned min_gpu_clock_mhz,
                                          unsigned max_gpu_clock_mhz);
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceSetMemoryLockedClocks(nvmlDevice_t device, unsigned min_mem_clock_mhz,
                                             unsigned max_mem_clock_mhz);
nvmlReturn_t nvmlDeviceResetMemoryLockedClocks(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceGetClkMonStatus(nvmlDevice_t device, nvmlClkMonStatus_t *status);
nvmlReturn_t nvmlDeviceGetGpcClkVfOffset(nvmlDevice_t device, int *offset);
nvmlReturn_t nvmlDeviceSetGpcClkVfOffset(nvmlDevice_t device, int offset);
nvmlReturn_t nvmlDeviceGetMemClkVfOffset(nvmlDevice_t device, int *offset);
nvmlReturn_t nvmlDeviceSetMemClkVfOffset(nvmlDevice_t device, int offset);
nvmlReturn_t nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t device, nvmlClockType_t type,
                                              nvmlPstates_t pstate, unsigned *min_clock_mhz,
                                              unsigned *max_clock_mhz);
nvmlReturn_t nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device, nvmlPstates_t *pstates,
                                                     unsigned size);
nvmlReturn_t nvmlDeviceGetGpcClkMinMaxVfOffset(nvmlDevice_t device, int *min_offset,
                                               int *max_offset);
nvmlReturn_t nvmlDeviceGetMemClkMinMaxVfOffset(nvmlDevice_t device, int *min_offset,
                                               int *max_offset);
nvmlReturn_t nvmlDeviceGetClockOffsets(nvmlDevice_t device, nvmlClockOffset_t *info);
nvmlReturn_t nvmlDeviceSetClockOffsets(nvmlDevice_t device, nvmlClockOffset_t *info);
nvmlReturn_t nvmlDeviceGetPerformanceModes(nvmlDevice_t device, nvmlDevicePerfModes_t *modes);
nvmlReturn_t nvmlDeviceGetCurrentClockFreqs(nvmlDevice_t device,
                                            nvmlDeviceCurrentClockFreqs_t *frequencies);
nvmlReturn_t nvmlDeviceGetAdaptiveClockInfoStatus(nvmlDevice_t device,
                                                  unsigned *adaptive_clock_status);
nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                    unsigned long long *reasons);
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *clocks_throttle_reasons);
nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device,
                                                      unsigned long long *reasons);
nvmlReturn_t
nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                            unsigned long long *supported_clocks_throttle_reasons);
nvmlReturn_t nvmlDeviceGetDynamicPstatesInfo(nvmlDevice_t device,
                                             nvmlGpuDynamicPstatesInfo_t *dynamic_pstates_info);
nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned fan, unsigned *speed);
nvmlReturn_t nvmlDeviceGetFanSpeedRPM(nvmlDevice_t device, nvmlFanSpeedInfo_t *speed);
nvmlReturn_t nvmlDeviceGetTargetFanSpeed(nvmlDevice_t device, unsigned fan, unsigned *target_speed);
nvmlReturn_t nvmlDeviceSetFanSpeed_v2(nvmlDevice_t device, unsigned fan, unsigned speed);
nvmlReturn_t nvmlDeviceSetDefaultFanSpeed_v2(nvmlDevice_t device, unsigned fan);
nvmlReturn_t nvmlDeviceGetMinMaxFanSpeed(nvmlDevice_t device, unsigned *min_speed,
                                         unsigned *max_speed);
nvmlReturn_t nvmlDeviceGetFanControlPolicy_v2(nvmlDevice_t device, unsigned fan,
                                              nvmlFanControlPolicy_t *policy);
nvmlReturn_t nvmlDeviceSetFanControlPolicy(nvmlDevice_t device, unsigned fan,
                                           nvmlFanControlPolicy_t policy);
nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned *num_fans);
nvmlReturn_t nvmlDeviceGetCoolerInfo(nvmlDevice_t device, nvmlCoolerInfo_t *info);
nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t *temperature);
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device,
                                               nvmlTemperatureThresholds_t threshold_type,
                                               unsigned *temp);
nvmlReturn_t nvmlDeviceSetTemperatureThreshold(nvmlDevice_t device,
                                               nvmlTemperatureThresholds_t threshold_type,
                                               int *temp);
nvmlReturn_t nvmlDeviceGetMarginTemperature(nvmlDevice_t device,
                                            nvmlMarginTemperature_t *temperature);
nvmlReturn_t nvmlDeviceGetThermalSettings(nvmlDevice_t device, unsigned sensor_index,
                                          nvmlGpuThermalSettings_t *thermal_settings);
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *state);
nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t *state);
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *energy);
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned *limit);
nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t *mode);
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned *limit);
nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned limit);
nvmlReturn_t nvmlDeviceSetPowerManagementLimit_v2(nvmlDevice_t device, nvmlPowerValue_v2_t *value);
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned *min_limit,
                                                          unsigned *max_limit);
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned *default_limit);
nvmlReturn_t nvmlDeviceGetPowerSource(nvmlDevice_t device, nvmlPowerSource_t *power_source);
nvmlReturn_t nvmlDeviceGetPowerMizerMode_v1(nvmlDevice_t device,
                                            nvmlDevicePowerMizerModes_v1_t *mode);
nvmlReturn_t nvmlDeviceSetPowerMizerMode_v1(nvmlDevice_t device,
                                            nvmlDevicePowerMizerModes_v1_t *mode);
nvmlReturn_t nvmlDeviceSetNvLinkDeviceLowPowerThreshold(nvmlDevice_t device,
                                                        nvmlNvLinkPowerThres_t *info);
nvmlReturn_t nvmlDevicePowerSmoothingActivatePresetProfile(nvmlDevice_t device,
                                                           nvmlPowerSmoothingProfile_t *profile);
nvmlReturn_t nvmlDevicePowerSmoothingSetState(nvmlDevice_t device,
                                              nvmlPowerSmoothingState_t *state);
nvmlReturn_t nvmlDevicePowerSmoothingUpdatePresetProfileParam(nvmlDevice_t device,
                                                              nvmlPowerSmoothingProfile_t *profile);
nvmlReturn_t nvmlDeviceWorkloadPowerProfileClearRequestedProfiles(
    nvmlDevice_t device, nvmlWorkloadPowerProfileRequestedProfiles_t *profiles);
nvmlReturn_t nvmlDeviceWorkloadPowerProfileGetCurrentProfiles(
    nvmlDevice_t device, nvmlWorkloadPowerProfileCurrentProfiles_t *profiles);
nvmlReturn_t
nvmlDeviceWorkloadPowerProfileGetProfilesInfo(nvmlDevice_t device,
                                              nvmlWorkloadPowerProfileProfilesInfo_t *info);
nvmlReturn_t nvmlDeviceWorkloadPowerProfileSetRequestedProfiles(
    nvmlDevice_t device, nvmlWorkloadPowerProfileRequestedProfiles_t *profiles);
nvmlReturn_t nvmlDeviceWorkloadPowerProfileUpdateProfiles_v1(
    nvmlDevice_t device, nvmlWorkloadPowerProfileUpdateProfiles_v1_t *profiles);

/* ---- virtual GPUs and their types */

nvmlReturn_t nvmlDeviceGetActiveVgpus(nvmlDevice_t device, unsigned *vgpu_count,
                                      nvmlVgpuInstance_t *vgpu_instances);
nvmlReturn_t nvmlDeviceGetCreatableVgpus(nvmlDevice_t device, unsigned *vgpu_count,
                                         nvmlVgpuTypeId_t *vgpu_type_ids);
nvmlReturn_t
nvmlDeviceGetGridLicensableFeatures_v2(nvmlDevice_t device,
                                       nvmlGridLicensableFeatures_t *grid_licensable_features);
nvmlReturn_t
nvmlDeviceGetGridLicensableFeatures_v3(nvmlDevice_t device,
                                       nvmlGridLicensableFeatures_t *grid_licensable_features);
nvmlReturn_t
nvmlDeviceGetGridLicensableFeatures_v4(nvmlDevice_t device,
                                       nvmlGridLicensableFeatures_t *grid_licensable_features);
nvmlReturn_t nvmlDeviceGetHostVgpuMode(nvmlDevice_t device, nvmlHostVgpuMode_t *host_vgpu_mode);
nvmlReturn_t nvmlDeviceGetSupportedVgpus(nvmlDevice_t device, unsigned *vgpu_count,
                                         nvmlVgpuTypeId_t *vgpu_type_ids);
nvmlReturn_t nvmlDeviceGetVgpuCapabilities(nvmlDevice_t device,
                                           nvmlDeviceVgpuCapability_t capability, unsigned *result);
nvmlReturn_t nvmlDeviceGetVgpuHeterogeneousMode(nvmlDevice_t device,
                                                nvmlVgpuHeterogeneousMode_t *mode);
nvmlReturn_t nvmlDeviceGetVgpuInstancesUtilizationInfo(nvmlDevice_t device,
                                                       nvmlVgpuInstancesUtilizationInfo_t *info);
nvmlReturn_t nvmlDeviceGetVgpuMetadata(nvmlDevice_t device, nvmlVgpuPgpuMetadata_t *pgpu_metadata,
                                       unsigned *buffer_size);
nvmlReturn_t
nvmlDeviceGetVgpuProcessUtilization(nvmlDevice_t device, unsigned long long last_seen_time_stamp,
                                    unsigned *vgpu_process_samples_count,
                                    nvmlVgpuProcessUtilizationSample_t *utilization_samples);
nvmlReturn_t nvmlDeviceGetVgpuProcessesUtilizationInfo(nvmlDevice_t device,
                                                       nvmlVgpuProcessesUtilizationInfo_t *info);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerCapabilities(nvmlDevice_t device,
                                                    nvmlVgpuSchedulerCapabilities_t *capabilities);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerLog(nvmlDevice_t device, nvmlVgpuSchedulerLog_t *log);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerLog_v2(nvmlDevice_t device,
                                              nvmlVgpuSchedulerLogInfo_v2_t *info);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerState(nvmlDevice_t device,
                                             nvmlVgpuSchedulerGetState_t *state);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerState_v2(nvmlDevice_t device,
                                                nvmlVgpuSchedulerStateInfo_v2_t *info);
nvmlReturn_t nvmlDeviceGetVgpuTypeCreatablePlacements(nvmlDevice_t device, nvmlVgpuTypeId_t type,
                                                      nvmlVgpuPlacementList_t *list);
nvmlReturn_t nvmlDeviceGetVgpuTypeSupportedPlacements(nvmlDevice_t device, nvmlVgpuTypeId_t type,
                                                      nvmlVgpuPlacementList_t *list);
nvmlReturn_t nvmlDeviceGetVgpuUtilization(nvmlDevice_t device,
                                          unsigned long long last_seen_time_stamp,
                                          nvmlValueType_t *value_type,
                                          unsigned *vgpu_instance_samples_count,
                                          nvmlVgpuInstanceUtilizationSample_t *utilization_samples);
nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device,
                                             nvmlGpuVirtualizationMode_t *virtual_mode);
nvmlReturn_t nvmlDeviceSetVgpuCapabilities(nvmlDevice_t device,
                                           nvmlDeviceVgpuCapability_t capability,
                                           nvmlEnableState_t state);
nvmlReturn_t nvmlDeviceSetVgpuHeterogeneousMode(nvmlDevice_t device,
                                                const nvmlVgpuHeterogeneousMode_t *mode);
nvmlReturn_t nvmlDeviceSetVgpuSchedulerState(nvmlDevice_t device,
                                             nvmlVgpuSchedulerSetState_t *state);
nvmlReturn_t nvmlDeviceSetVgpuSchedulerState_v2(nvmlDevice_t device,
                                                nvmlVgpuSchedulerState_v2_t *state);
nvmlReturn_t nvmlDeviceSetVirtualizationMode(nvmlDevice_t device,
                                             nvmlGpuVirtualizationMode_t virtual_mode);
nvmlReturn_t nvmlGetVgpuCompatibility(nvmlVgpuMetadata_t *vgpu_metadata,
                                      nvmlVgpuPgpuMetadata_t *pgpu_metadata,
                                      nvmlVgpuPgpuCompatibility_t *compatibility_info);
nvmlReturn_t nvmlGetVgpuDriverCapabilities(nvmlVgpuDriverCapability_t capability, unsigned *result);
nvmlReturn_t nvmlGetVgpuVersion(nvmlVgpuVersion_t *supported, nvmlVgpuVersion_t *current);
nvmlReturn_t nvmlGpuInstanceGetActiveVgpus(nvmlGpuInstance_t instance,
                                           nvmlActiveVgpuInstanceInfo_t *info);
nvmlReturn_t nvmlGpuInstanceGetCreatableVgpus(nvmlGpuInstance_t instance,
                                              nvmlVgpuTypeIdInfo_t *types);
nvmlReturn_t nvmlGpuInstanceGetVgpuHeterogeneousMode(nvmlGpuInstance_t instance,
                                                     nvmlVgpuHeterogeneousMode_t *mode);
nvmlReturn_t nvmlGpuInstanceGetVgpuSchedulerLog(nvmlGpuInstance_t instance,
                                                nvmlVgpuSchedulerLogInfo_t *info);
nvmlReturn_t nvmlGpuInstanceGetVgpuSchedulerState(nvmlGpuInstance_t instance,
                                                  nvmlVgpuSchedulerStateInfo_t *info);
nvmlReturn_t nvmlGpuInstanceGetVgpuTypeCreatablePlacements(nvmlGpuInstance_t instance,
                                                           nvmlVgpuCreatablePlacementInfo_t *info);
nvmlReturn_t nvmlGpuInstanceSetVgpuHeterogeneousMode(nvmlGpuInstance_t instance,
                                                     const nvmlVgpuHeterogeneousMode_t *mode);
nvmlReturn_t nvmlGpuInstanceSetVgpuSchedulerState(nvmlGpuInstance_t instance,
                                                  nvmlVgpuSchedulerState_t *state);
nvmlReturn_t nvmlSetVgpuVersion(nvmlVgpuVersion_t *vgpu_version);
nvmlReturn_t nvmlVgpuInstanceClearAccountingPids(nvmlVgpuInstance_t vgpu_instance);
nvmlReturn_t nvmlVgpuInstanceGetAccountingMode(nvmlVgpuInstance_t vgpu_instance,
                                               nvmlEnableState_t *mode);
nvmlReturn_t nvmlVgpuInstanceGetAccountingPids(nvmlVgpuInstance_t vgpu_instance, unsigned *count,
                                               unsigned *pids);
nvmlReturn_t nvmlVgpuInstanceGetAccountingStats(nvmlVgpuInstance_t vgpu_instance, unsigned pid,
                                                nvmlAccountingStats_t *stats);
nvmlReturn_t nvmlVgpuInstanceGetEccMode(nvmlVgpuInstance_t vgpu_instance,
                                        nvmlEnableState_t *ecc_mode);
nvmlReturn_t nvmlVgpuInstanceGetEncoderCapacity(nvmlVgpuInstance_t vgpu_instance,
                                                unsigned *encoder_capacity);
nvmlReturn_t nvmlVgpuInstanceGetEncoderSessions(nvmlVgpuInstance_t vgpu_instance,
                                                unsigned *session_count,
                                                nvmlEncoderSessionInfo_t *session_info);
nvmlReturn_t nvmlVgpuInstanceGetEncoderStats(nvmlVgpuInstance_t vgpu_instance,
                                             unsigned *session_count, unsigned *average_fps,
                                             unsigned *average_latency);
nvmlReturn_t nvmlVgpuInstanceGetFBCSessions(nvmlVgpuInstance_t vgpu_instance,
                                            unsigned *session_count,
                                            nvmlFBCSessionInfo_t *session_info);
nvmlReturn_t nvmlVgpuInstanceGetFBCStats(nvmlVgpuInstance_t vgpu_instance,
                                         nvmlFBCStats_t *fbc_stats);
nvmlReturn_t nvmlVgpuInstanceGetFbUsage(nvmlVgpuInstance_t vgpu_instance,
                                        unsigned long long *fb_usage);
nvmlReturn_t nvmlVgpuInstanceGetFrameRateLimit(nvmlVgpuInstance_t vgpu_instance,
                                               unsigned *frame_rate_limit);
nvmlReturn_t nvmlVgpuInstanceGetGpuInstanceId(nvmlVgpuInstance_t vgpu_instance,
                                              unsigned *gpu_instance_id);
nvmlReturn_t nvmlVgpuInstanceGetGpuPciId(nvmlVgpuInstance_t vgpu_instance, char *vgpu_pci_id,
                                         unsigned *length);
nvmlReturn_t nvmlVgpuInstanceGetLicenseInfo_v2(nvmlVgpuInstance_t vgpu_instance,
                                               nvmlVgpuLicenseInfo_t *license_info);
nvmlReturn_t nvmlVgpuInstanceGetLicenseStatus(nvmlVgpuInstance_t vgpu_instance, unsigned *licensed);
nvmlReturn_t nvmlVgpuInstanceGetMdevUUID(nvmlVgpuInstance_t vgpu_instance, char *mdev_uuid,
                                         unsigned size);
nvmlReturn_t nvmlVgpuInstanceGetMetadata(nvmlVgpuInstance_t vgpu_instance,
                                         nvmlVgpuMetadata_t *vgpu_metadata, unsigned *buffer_size);
nvmlReturn_t nvmlVgpuInstanceGetPlacementId(nvmlVgpuInstance_t instance,
                                            nvmlVgpuPlacementId_t *placement);
nvmlReturn_t nvmlVgpuInstanceGetRuntimeStateSize(nvmlVgpuInstance_t instance,
                                                 nvmlVgpuRuntimeState_t *state);
nvmlReturn_t nvmlVgpuInstanceGetType(nvmlVgpuInstance_t vgpu_instance,
                                     nvmlVgpuTypeId_t *vgpu_type_id);
nvmlReturn_t nvmlVgpuInstanceGetUUID(nvmlVgpuInstance_t vgpu_instance, char *uuid, unsigned size);
nvmlReturn_t nvmlVgpuInstanceGetVmDriverVersion(nvmlVgpuInstance_t vgpu_instance, char *version,
                                                unsigned length);
nvmlReturn_t nvmlVgpuInstanceGetVmID(nvmlVgpuInstance_t vgpu_instance, char *vm_id, unsigned size,
                                     nvmlVgpuVmIdType_t *vm_id_type);
nvmlReturn_t nvmlVgpuInstanceSetEncoderCapacity(nvmlVgpuInstance_t vgpu_instance,
                                                unsigned encoder_capacity);
nvmlReturn_t nvmlVgpuTypeGetBAR1Info(nvmlVgpuTypeId_t type, nvmlVgpuTypeBar1Info_t *info);
nvmlReturn_t nvmlVgpuTypeGetCapabilities(nvmlVgpuTypeId_t vgpu_type_id,
                                         nvmlVgpuCapability_t capability, unsigned *cap_result);
nvmlReturn_t nvmlVgpuTypeGetClass(nvmlVgpuTypeId_t vgpu_type_id, char *vgpu_type_class,
                                  unsigned *size);
nvmlReturn_t nvmlVgpuTypeGetDeviceID(nvmlVgpuTypeId_t vgpu_type_id, unsigned long long *device_id,
                                     unsigned long long *subsystem_id);
nvmlReturn_t nvmlVgpuTypeGetFbReservation(nvmlVgpuTypeId_t type, unsigned long long *bytes);
nvmlReturn_t nvmlVgpuTypeGetFrameRateLimit(nvmlVgpuTypeId_t vgpu_type_id,
                                           unsigned *frame_rate_limit);
nvmlReturn_t nvmlVgpuTypeGetFramebufferSize(nvmlVgpuTypeId_t vgpu_type_id,
                                            unsigned long long *fb_size);
nvmlReturn_t nvmlVgpuTypeGetGpuInstanceProfileId(nvmlVgpuTypeId_t vgpu_type_id,
                                                 unsigned *gpu_instance_profile_id);
nvmlReturn_t nvmlVgpuTypeGetGspHeapSize(nvmlVgpuTypeId_t type, unsigned long long *bytes);
nvmlReturn_t nvmlVgpuTypeGetLicense(nvmlVgpuTypeId_t vgpu_type_id, char *vgpu_type_license_string,
                                    unsigned size);
nvmlReturn_t nvmlVgpuTypeGetMaxInstances(nvmlDevice_t device, nvmlVgpuTypeId_t vgpu_type_id,
                                         unsigned *vgpu_instance_count);
nvmlReturn_t nvmlVgpuTypeGetMaxInstancesPerGpuInstance(nvmlVgpuTypeMaxInstance_t *max);
nvmlReturn_t nvmlVgpuTypeGetMaxInstancesPerVm(nvmlVgpuTypeId_t vgpu_type_id,
                                              unsigned *vgpu_instance_count_per_vm);
nvmlReturn_t nvmlVgpuTypeGetName(nvmlVgpuTypeId_t vgpu_type_id, char *vgpu_type_name,
                                 unsigned *size);
nvmlReturn_t nvmlVgpuTypeGetNumDisplayHeads(nvmlVgpuTypeId_t vgpu_type_id,
                                            unsigned *num_display_heads);
nvmlReturn_t nvmlVgpuTypeGetResolution(nvmlVgpuTypeId_t vgpu_type_id, unsigned display_index,
                                       unsigned *xdim, unsigned *ydim);
nvmlReturn_t nvmlDeviceVgpuForceGspUnload(nvmlDevice_t device);
nvmlReturn_t nvmlGpuInstanceGetVgpuSchedulerState_v2(nvmlGpuInstance_t instance,
                                                     nvmlVgpuSchedulerStateInfo_v2_t *info);
nvmlReturn_t nvmlGpuInstanceSetVgpuSchedulerState_v2(nvmlGpuInstance_t instance,
                                                     nvmlVgpuSchedulerState_v2_t *state);
nvmlReturn_t nvmlGpuInstanceGetVgpuSchedulerLog_v2(nvmlGpuInstance_t instance,
                                                   nvmlVgpuSchedulerLogInfo_v2_t *info);

/* ---- links, buses, topology and affinity */

nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned cpu_number, unsigned *count,
                                         nvmlDevice_t *device_array);
nvmlReturn_t nvmlSystemGetNvlinkBwMode(unsigned *mode);
nvmlReturn_t nvmlSystemSetNvlinkBwMode(unsigned mode);
nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci);
nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t *pci);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned *max_link_gen);
nvmlReturn_t nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t device, unsigned *generation);
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned *max_link_width);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned *curr_link_gen);
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned *curr_link_width);
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter,
                                         unsigned *value);
nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned *value);
nvmlReturn_t nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned *pcie_speed);
nvmlReturn_t nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned *max_speed);
nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *bar1_memory);
nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2,
                                                 nvmlGpuTopologyLevel_t *path_info);
nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level,
                                              unsigned *count, nvmlDevice_t *device_array);
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                    nvmlGpuP2PCapsIndex_t p2p_index,
                                    nvmlGpuP2PStatus_t *p2p_status);
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned cpu_set_size,
                                      unsigned long *cpu_set);
nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned cpu_set_size,
                                                 unsigned long *cpu_set, nvmlAffinityScope_t scope);
nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned node_set_size,
                                         unsigned long *node_set, nvmlAffinityScope_t scope);
nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned *node);
nvmlReturn_t nvmlDeviceGetBusType(nvmlDevice_t device, nvmlBusType_t *type);
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bus_width);
nvmlReturn_t nvmlDeviceGetC2cModeInfoV(nvmlDevice_t device, nvmlC2cModeInfo_v1_t *info);
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned link,
                                      nvmlEnableState_t *is_active);
nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned link, unsigned *version);
nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned link,
                                           nvmlNvLinkCapability_t capability, unsigned *cap_result);
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned link,
                                                 nvmlPciInfo_t *pci);
nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned link,
                                             nvmlNvLinkErrorCounter_t counter,
                                             unsigned long long *counter_value);
nvmlReturn_t nvmlDeviceResetNvLinkErrorCounters(nvmlDevice_t device, unsigned link);
nvmlReturn_t nvmlDeviceSetNvLinkUtilizationControl(nvmlDevice_t device, unsigned link,
                                                   unsigned counter,
                                                   nvmlNvLinkUtilizationControl_t *control,
                                                   unsigned reset);
nvmlReturn_t nvmlDeviceGetNvLinkUtilizationControl(nvmlDevice_t device, unsigned link,
                                                   unsigned counter,
                                                   nvmlNvLinkUtilizationControl_t *control);
nvmlReturn_t nvmlDeviceGetNvLinkUtilizationCounter(nvmlDevice_t device, unsigned link,
                                                   unsigned counter, unsigned long long *rxcounter,
                                                   unsigned long long *txcounter);
nvmlReturn_t nvmlDeviceFreezeNvLinkUtilizationCounter(nvmlDevice_t device, unsigned link,
                                                      unsigned counter, nvmlEnableState_t freeze);
nvmlReturn_t nvmlDeviceResetNvLinkUtilizationCounter(nvmlDevice_t device, unsigned link,
                                                     unsigned counter);
nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned link,
                                                 nvmlIntNvLinkDeviceType_t *nv_link_device_type);
nvmlReturn_t nvmlDeviceGetNvlinkSupportedBwModes(nvmlDevice_t device,
                                                 nvmlNvlinkSupportedBwModes_t *modes);
nvmlReturn_t nvmlDeviceGetNvlinkBwMode(nvmlDevice_t device, nvmlNvlinkGetBwMode_t *mode);
nvmlReturn_t nvmlDeviceSetNvlinkBwMode(nvmlDevice_t device, nvmlNvlinkSetBwMode_t *mode);
nvmlReturn_t nvmlDeviceGetNvLinkInfo(nvmlDevice_t device, nvmlNvLinkInfo_t *info);
nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *info);
nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t *info);

/* ---- parts of a device: GPU instances and compute instances */

nvmlReturn_t nvmlDeviceSetMigMode(nvmlDevice_t device, unsigned mode,
                                  nvmlReturn_t *activation_status);
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned *count);
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned index,
                                                 nvmlDevice_t *mig_device);
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig_device,
                                                          nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned *is_mig_device);
nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned *id);
nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned *id);
nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfo(nvmlDevice_t device, unsigned profile,
                                                 nvmlGpuInstanceProfileInfo_t *info);
nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfoV(nvmlDevice_t device, unsigned profile,
                                                  nvmlGpuInstanceProfileInfo_v2_t *info);
nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfoByIdV(nvmlDevice_t device, unsigned profile_id,
                                                      nvmlGpuInstanceProfileInfo_v2_t *info);
nvmlReturn_t nvmlDeviceGetGpuInstancePossiblePlacements_v2(nvmlDevice_t device, unsigned profile_id,
                                                           nvmlGpuInstancePlacement_t *placements,
                                                           unsigned *count);
nvmlReturn_t nvmlDeviceGetGpuInstanceRemainingCapacity(nvmlDevice_t device, unsigned profile_id,
                                                       unsigned *count);
nvmlReturn_t nvmlDeviceCreateGpuInstance(nvmlDevice_t device, unsigned profile_id,
                                         nvmlGpuInstance_t *gpu_instance);
nvmlReturn_t nvmlDeviceCreateGpuInstanceWithPlacement(nvmlDevice_t device, unsigned profile_id,
                                                      const nvmlGpuInstancePlacement_t *placement,
                                                      nvmlGpuInstance_t *gpu_instance);
nvmlReturn_t nvmlDeviceGetGpuInstances(nvmlDevice_t device, unsigned profile_id,
                                       nvmlGpuInstance_t *gpu_instances, unsigned *count);
nvmlReturn_t nvmlDeviceGetGpuInstanceById(nvmlDevice_t device, unsigned id,
                                          nvmlGpuInstance_t *gpu_instance);
nvmlReturn_t nvmlGpuInstanceDestroy(nvmlGpuInstance_t gpu_instance);
nvmlReturn_t nvmlGpuInstanceGetInfo(nvmlGpuInstance_t gpu_instance, nvmlGpuInstanceInfo_t *info);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceProfileInfo(nvmlGpuInstance_t gpu_instance,
                                                          unsigned profile, unsigned eng_profile,
                                                          nvmlComputeInstanceProfileInfo_t *info);
nvmlReturn_t
nvmlGpuInstanceGetComputeInstanceProfileInfoV(nvmlGpuInstance_t gpu_instance, unsigned profile,
                                              unsigned eng_profile,
                                              nvmlComputeInstanceProfileInfo_v2_t *info);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceRemainingCapacity(nvmlGpuInstance_t gpu_instance,
                                                                unsigned profile_id,
                                                                unsigned *count);
nvmlReturn_t
nvmlGpuInstanceGetComputeInstancePossiblePlacements(nvmlGpuInstance_t instance, unsigned profile_id,
                                                    nvmlComputeInstancePlacement_t *placements,
                                                    unsigned *count);
nvmlReturn_t nvmlGpuInstanceCreateComputeInstance(nvmlGpuInstance_t gpu_instance,
                                                  unsigned profile_id,
                                                  nvmlComputeInstance_t *compute_instance);
nvmlReturn_t
nvmlGpuInstanceCreateComputeInstanceWithPlacement(nvmlGpuInstance_t instance, unsigned profile_id,
                                                  const nvmlComputeInstancePlacement_t *placement,
                                                  nvmlComputeInstance_t *compute_instance);
nvmlReturn_t nvmlGpuInstanceGetComputeInstances(nvmlGpuInstance_t gpu_instance, unsigned profile_id,
                                                nvmlComputeInstance_t *compute_instances,
                                                unsigned *count);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceById(nvmlGpuInstance_t gpu_instance, unsigned id,
                                                   nvmlComputeInstance_t *compute_instance);
nvmlReturn_t nvmlComputeInstanceDestroy(nvmlComputeInstance_t compute_instance);
nvmlReturn_t nvmlComputeInstanceGetInfo_v2(nvmlComputeInstance_t compute_instance,
                                           nvmlComputeInstanceInfo_t *info);
nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t device, unsigned gpu_instance,
                                 nvmlGpmSample_t sample);

/* ---- errors of the hardware: ECC, retired pages and rows */

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending);
nvmlReturn_t nvmlDeviceSetEccMode(nvmlDevice_t device, nvmlEnableState_t ecc);
nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t *default_mode);
nvmlReturn_t nvmlDeviceClearEccErrorCounts(nvmlDevice_t device, nvmlEccCounterType_t counter_type);
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t error_type,
                                         nvmlEccCounterType_t counter_type,
                                         unsigned long long *ecc_counts);
nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t error_type,
                                            nvmlEccCounterType_t counter_type,
                                            nvmlEccErrorCounts_t *ecc_counts);
nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t error_type,
                                             nvmlEccCounterType_t counter_type,
                                             nvmlMemoryLocation_t location_type,
                                             unsigned long long *count);
nvmlReturn_t nvmlDeviceGetViolationStatus(nvmlDevice_t device,
                                          nvmlPerfPolicyType_t perf_policy_type,
                                          nvmlViolationTime_t *viol_time);
nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                       unsigned *page_count, unsigned long long *addresses);
nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                          unsigned *page_count, unsigned long long *addresses,
                                          unsigned long long *timestamps);
nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device,
                                                    nvmlEnableState_t *is_pending);
nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned *corr_rows, unsigned *unc_rows,
                                       unsigned *is_pending, unsigned *failure_occurred);
nvmlReturn_t nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device,
                                               nvmlRowRemapperHistogramValues_t *values);
nvmlReturn_t nvmlDeviceGetSramEccErrorStatus(nvmlDevice_t device, nvmlEccSramErrorStatus_t *status);
nvmlReturn_t
nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts(nvmlDevice_t device,
                                                 nvmlEccSramUniqueUncorrectedErrorCounts_t *counts);
nvmlReturn_t nvmlDeviceGetRepairStatus(nvmlDevice_t device, nvmlRepairStatus_t *status);
nvmlReturn_t nvmlDeviceGetUnrepairableMemoryFlag_v1(nvmlDevice_t device,
                                                    nvmlUnrepairableMemoryStatus_v1_t *status);

/* ---- confidential computing */

nvmlReturn_t
nvmlDeviceGetConfComputeGpuAttestationReport(nvmlDevice_t device,
                                             nvmlConfComputeGpuAttestationReport_t *report);
nvmlReturn_t nvmlDeviceGetConfComputeGpuCertificate(nvmlDevice_t device,
                                                    nvmlConfComputeGpuCertificate_t *certificate);
nvmlReturn_t nvmlDeviceGetConfComputeMemSizeInfo(nvmlDevice_t device,
                                                 nvmlConfComputeMemSizeInfo_t *info);
nvmlReturn_t nvmlDeviceGetConfComputeProtectedMemoryUsage(nvmlDevice_t device,
                                                          nvmlMemory_t *memory);
nvmlReturn_t nvmlDeviceGetDramEncryptionMode(nvmlDevice_t device, nvmlDramEncryptionInfo_t *current,
                                             nvmlDramEncryptionInfo_t *pending);
nvmlReturn_t nvmlDeviceSetConfComputeUnprotectedMemSize(nvmlDevice_t device,
                                                        unsigned long long kibibytes);
nvmlReturn_t nvmlDeviceSetDramEncryptionMode(nvmlDevice_t device,
                                             const nvmlDramEncryptionInfo_t *mode);
nvmlReturn_t nvmlSystemGetConfComputeCapabilities(nvmlConfComputeSystemCaps_t *capabilities);
nvmlReturn_t nvmlSystemGetConfComputeGpusReadyState(unsigned *accepts);
nvmlReturn_t nvmlSystemGetConfComputeKeyRotationThresholdInfo(
    nvmlConfComputeGetKeyRotationThresholdInfo_t *info);
nvmlReturn_t nvmlSystemGetConfComputeSettings(nvmlSystemConfComputeSettings_t *settings);
nvmlReturn_t nvmlSystemGetConfComputeState(nvmlConfComputeSystemState_t *state);
nvmlReturn_t nvmlSystemSetConfComputeGpusReadyState(unsigned accepts);
nvmlReturn_t nvmlSystemSetConfComputeKeyRotationThresholdInfo(
    nvmlConfComputeSetKeyRotationThresholdInfo_t *info);

/* ---- events, samples of GPM, accounting and drain states */

nvmlReturn_t nvmlSystemEventSetCreate(nvmlSystemEventSetCreateRequest_t *request);
nvmlReturn_t nvmlSystemEventSetFree(nvmlSystemEventSetFreeRequest_t *request);
nvmlReturn_t nvmlSystemEventSetWait(nvmlSystemEventSetWaitRequest_t *request);
nvmlReturn_t nvmlSystemRegisterEvents(nvmlSystemRegisterEventRequest_t *request);
nvmlReturn_t nvmlDeviceClearFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values);
nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t device, nvmlEnableState_t *mode);
nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t device, nvmlEnableState_t mode);
nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned pid,
                                          nvmlAccountingStats_t *stats);
nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned *count, unsigned *pids);
nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t device, unsigned *buffer_size);
nvmlReturn_t nvmlDeviceClearAccountingPids(nvmlDevice_t device);
nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t *set);
nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned timeoutms);
nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set);
nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long event_types,
                                      nvmlEventSet_t set);
nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *event_types);
nvmlReturn_t nvmlDeviceModifyDrainState(nvmlPciInfo_t *pci_info, nvmlEnableState_t new_state);
nvmlReturn_t nvmlDeviceQueryDrainState(nvmlPciInfo_t *pci_info, nvmlEnableState_t *current_state);
nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *metrics_get);
nvmlReturn_t nvmlGpmSampleAlloc(nvmlGpmSample_t *gpm_sample);
nvmlReturn_t nvmlGpmSampleFree(nvmlGpmSample_t gpm_sample);
nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t gpm_sample);
nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *gpm_support);
nvmlReturn_t nvmlGpmQueryIfStreamingEnabled(nvmlDevice_t device, unsigned *state);
nvmlReturn_t nvmlGpmSetStreamingEnabled(nvmlDevice_t device, unsigned state);

/* ---- processes, encoders and frame buffer capture */

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device, unsigned *info_count,
                                                        nvmlProcessInfo_v2_t *infos);
nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned *info_count,
                                                        nvmlProcessInfo_t *infos);
nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device,
                                                   nvmlProcessDetailList_t *list);
nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type,
                                  unsigned long long last_seen_time_stamp,
                                  nvmlValueType_t *value_type, unsigned *sample_count,
                                  nvmlSample_t *samples);
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned *utilization,
                                             unsigned *sampling_period_us);
nvmlReturn_t nvmlDeviceGetEncoderCapacity(nvmlDevice_t device, nvmlEncoderType_t encoder_query_type,
                                          unsigned *encoder_capacity);
nvmlReturn_t nvmlDeviceGetEncoderStats(nvmlDevice_t device, unsigned *session_count,
                                       unsigned *average_fps, unsigned *average_latency);
nvmlReturn_t nvmlDeviceGetEncoderSessions(nvmlDevice_t device, unsigned *session_count,
                                          nvmlEncoderSessionInfo_t *session_infos);
nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned *utilization,
                                             unsigned *sampling_period_us);
nvmlReturn_t nvmlDeviceGetJpgUtilization(nvmlDevice_t device, unsigned *utilization,
                                         unsigned *period);
nvmlReturn_t nvmlDeviceGetOfaUtilization(nvmlDevice_t device, unsigned *utilization,
                                         unsigned *period);
nvmlReturn_t nvmlDeviceGetFBCStats(nvmlDevice_t device, nvmlFBCStats_t *fbc_stats);
nvmlReturn_t nvmlDeviceGetFBCSessions(nvmlDevice_t device, unsigned *session_count,
                                      nvmlFBCSessionInfo_t *session_info);
nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device,
                                             nvmlProcessUtilizationSample_t *utilization,
                                             unsigned *process_samples_count,
                                             unsigned long long last_seen_time_stamp);
nvmlReturn_t nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device,
                                                   nvmlProcessesUtilizationInfo_t *info);

/* ---- the system, identities and modes */

nvmlReturn_t nvmlSystemGetHicVersion(unsigned *hwbc_count, nvmlHwbcEntry_t *hwbc_entries);
nvmlReturn_t nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t *info, unsigned length);
nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *uuid, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *type);
nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char *serial, unsigned length);
nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned *board_id);
nvmlReturn_t nvmlDeviceGetBoardPartNumber(nvmlDevice_t device, char *part_number, unsigned length);
nvmlReturn_t nvmlDeviceGetInforomVersion(nvmlDevice_t device, nvmlInforomObject_t object,
                                         char *version, unsigned length);
nvmlReturn_t nvmlDeviceGetInforomImageVersion(nvmlDevice_t device, char *version, unsigned length);
nvmlReturn_t nvmlDeviceGetInforomConfigurationChecksum(nvmlDevice_t device, unsigned *checksum);
nvmlReturn_t nvmlDeviceValidateInforom(nvmlDevice_t device);
nvmlReturn_t nvmlDeviceGetLastBBXFlushTime(nvmlDevice_t device, unsigned long long *timestamp,
                                           unsigned long *microseconds);
nvmlReturn_t nvmlDeviceGetModuleId(nvmlDevice_t device, unsigned *id);
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *arch);
nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t device, nvmlDeviceAttributes_t *attributes);
nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t *display);
nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t *is_active);
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode);
nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode);
nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t mode);
nvmlReturn_t nvmlDeviceGetDriverModel_v2(nvmlDevice_t device, nvmlDriverModel_t *current,
                                         nvmlDriverModel_t *pending);
nvmlReturn_t nvmlDeviceSetDriverModel(nvmlDevice_t device, nvmlDriverModel_t driver_model,
                                      unsigned flags);
nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char *version, unsigned length);
nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned *multi_gpu_bool);
nvmlReturn_t nvmlDeviceGetGpuOperationMode(nvmlDevice_t device, nvmlGpuOperationMode_t *current,
                                           nvmlGpuOperationMode_t *pending);
nvmlReturn_t nvmlDeviceSetGpuOperationMode(nvmlDevice_t device, nvmlGpuOperationMode_t mode);
nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api_type,
                                         nvmlEnableState_t *is_restricted);
nvmlReturn_t nvmlDeviceSetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api_type,
                                         nvmlEnableState_t is_restricted);
nvmlReturn_t nvmlDeviceGetBridgeChipInfo(nvmlDevice_t device,
                                         nvmlBridgeChipHierarchy_t *bridge_hierarchy);
nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int *on_same_board);
nvmlReturn_t nvmlDeviceGetAddressingMode(nvmlDevice_t device, nvmlDeviceAddressingMode_t *mode);
nvmlReturn_t nvmlDeviceGetIrqNum(nvmlDevice_t device, unsigned *irq_num);
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *num_cores);
nvmlReturn_t nvmlDeviceGetGspFirmwareVersion(nvmlDevice_t device, char *version);
nvmlReturn_t nvmlDeviceGetGspFirmwareMode(nvmlDevice_t device, unsigned *is_enabled,
                                          unsigned *default_mode);
nvmlReturn_t nvmlDeviceGetCapabilities(nvmlDevice_t device, nvmlDeviceCapabilities_t *capabilities);
nvmlReturn_t nvmlDeviceGetPlatformInfo(nvmlDevice_t device, nvmlPlatformInfo_t *info);
nvmlReturn_t nvmlDeviceGetPdi(nvmlDevice_t device, nvmlPdi_t *pdi);
nvmlReturn_t nvmlDeviceGetHostname_v1(nvmlDevice_t device, nvmlHostname_v1_t *name);
nvmlReturn_t nvmlDeviceSetHostname_v1(nvmlDevice_t device, nvmlHostname_v1_t *name);
nvmlReturn_t nvmlDeviceRemoveGpu_v2(nvmlPciInfo_t *pci_info, nvmlDetachGpuState_t gpu_state,
                                    nvmlPcieLinkState_t link_state);
nvmlReturn_t nvmlDeviceDiscoverGpus(nvmlPciInfo_t *pci_info);
nvmlReturn_t nvmlDeviceGetPgpuMetadataString(nvmlDevice_t device, char *pgpu_metadata,
                                             unsigned *buffer_size);
nvmlReturn_t nvmlDeviceReadWritePRM_v1(nvmlDevice_t device, nvmlPRMTLV_v1_t *buffer);
nvmlReturn_t nvmlDeviceSetRusdSettings_v1(nvmlDevice_t device, nvmlRusdSettings_v1_t *settings);
nvmlReturn_t nvmlUnitSetLedState(nvmlUnit_t unit, nvmlLedColor_t color);
nvmlReturn_t nvmlDeviceGetBBXTimeData_v1(nvmlDevice_t device, nvmlBBXTimeData_v1_t *data);
nvmlReturn_t nvmlDeviceReadPRMCounters_v1(nvmlDevice_t device, nvmlPRMCounterList_v1_t *list);

CUDA_EXTERN_C_END
#endif
