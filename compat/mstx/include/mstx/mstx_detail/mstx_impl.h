/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the functions. With MSTX_DISABLE no slot has a function, so that each call behaves as if
 * there were no tool. Only mstx/ms_tools_ext.h includes the contents.
 */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_IMPL_H
#define MSTX_MSTX_DETAIL_MSTX_IMPL_H

#if defined(MSTX_DISABLE)
#define mstxDetailSlot(slot) ((mstxFuncPointer)0)
#else
#include <mstx/mstx_detail/mstx_init_defs.h>
#endif
#include <mstx/mstx_detail/mstx_impl_core.h>

#endif
#endif
