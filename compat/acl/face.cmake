# SPDX-License-Identifier: Apache-2.0
# AscendCL's runtime. One library answers for all: programs link several names.
set(face_library ascendcl)
set(face_soversion)
set(face_runtime TRUE)
set(face_aliases libacl_rt.so libacl_dvpp.so libacl_dvpp_mpi.so)
set(face_description "AscendCL's runtime and media memory, answered by Tarn")
