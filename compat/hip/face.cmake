# SPDX-License-Identifier: Apache-2.0
# HIP's runtime, by the names that ROCm 6 and ROCm 7 give it. Each behaves as its release.
set(face_library amdhip64)
set(face_soversion 6)
set(face_releases 7)
set(face_runtime TRUE)
set(face_description "HIP's runtime API, answered by Tarn")
# Programs ask which of HIP's platforms they are compiled for, and AMD's own packages tell them.
set(face_definitions __HIP_PLATFORM_AMD__=1)
