# SPDX-License-Identifier: Apache-2.0
# The client side of MSTX. No face of a device: it only leads to the tool that listens, so it has no
# copy of Tarn inside.
set(face_library ms_tools_ext)
set(face_description "MSTX: annotations for memory checkers and profilers")
set(face_bare TRUE)
