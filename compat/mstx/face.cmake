# SPDX-License-Identifier: Apache-2.0
# The client side of MSTX. It is not a face of a device: it only passes calls on to a tool, so it
# contains no copy of Tarn.
set(face_library ms_tools_ext)
set(face_description "MSTX: annotations for memory checkers and profilers")
set(face_bare TRUE)
