# SPDX-License-Identifier: Apache-2.0
# HiAI's Matrix. One library for both sides.
set(face_library hiai_matrix)
set(face_soversion)
set(face_description "HiAI Matrix: memory that travels between processes, and graphs of engines, answered by Tarn")
