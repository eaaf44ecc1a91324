/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bodies the functions get. Only mstx/ms_tools_ext.h includes what is behind the guard.
 */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_IMPL_H
#define MSTX_MSTX_DETAIL_MSTX_IMPL_H

#if defined(MSTX_DISABLE)
#include <mstx/mstx_detail/mstx_impl_none.h>
#else
#include <mstx/mstx_detail/mstx_impl_core.h>
#endif

#endif
#endif
