# SPDX-License-Identifier: Apache-2.0
# The frame of a face's public functions, which runs before their work: `step` passes it.
skip function tarn_annotate_caller
skip -gfi */compat/face/inject.c
skip -rfu ^tn_(cu|cudart|hip|acl|hiai)(_[a-z]+)*_(ready|open|inject|enter)$
skip function tn_rt_capture_allows
skip function tn_rt_function_check
