/* SPDX-License-Identifier: Apache-2.0 */
/* acl/acl_mdl.h - dumps of models, which return 207000. Tarn has no models. */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include <acl/acl_base.h>

ACL_EXTERN_C_BEGIN

aclError aclmdlInitDump(void);
aclError aclmdlSetDump(const char *dumpCfgPath);
aclError aclmdlFinalizeDump(void);

ACL_EXTERN_C_END
#endif
