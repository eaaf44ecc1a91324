# SPDX-License-Identifier: Apache-2.0
# CUDA. The driver library contains the implementation; the runtime of both releases and NVML are fronts
# of it, so a program that loads several of them has one state.
set(face_library cuda)
set(face_soversion 1)
set(face_older 12) # for programs that look for the newest form of each name
set(face_fronts cudart:13 cudart:12 nvidia-ml:1)
set(face_runtime TRUE)
set(face_description "CUDA's driver and runtime API and NVML, answered by Tarn")
