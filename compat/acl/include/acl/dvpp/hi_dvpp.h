/* SPDX-License-Identifier: Apache-2.0 */
/* acl/dvpp/hi_dvpp.h - the second generation of media functions: those for memory. */
#ifndef ACL_DVPP_HI_DVPP_H
#define ACL_DVPP_HI_DVPP_H

#include <acl/dvpp/hi_media_common.h>
#include <acl/dvpp/hi_mpi_sys.h>

#endif
