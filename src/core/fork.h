// SPDX-License-Identifier: Apache-2.0
// fork(): what was opened before it belongs to the parent. In the child it is refused with FORKED,
// and the same device can be opened anew.
#ifndef TARN_CORE_FORK_H
#define TARN_CORE_FORK_H

// Installs the handlers, once.
void tn_fork_watch(void);

#endif
