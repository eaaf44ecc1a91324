// SPDX-License-Identifier: Apache-2.0
// HEADERS: acl/acl.h acl/acl_rt.h
// Uses names as programs do, without an include of its own.
aclError configure(aclrtStream stream, void *word);

aclError configure(aclrtStream stream, void *word) {
    const uint32_t flags[] = {ACL_STREAM_WAIT_VALUE_GEQ, ACL_STREAM_WAIT_VALUE_EQ,
                              ACL_STREAM_WAIT_VALUE_AND, ACL_STREAM_WAIT_VALUE_NOR};
    const uint64_t modes[] = {ACL_CONTINUE_ON_FAILURE, ACL_STOP_ON_FAILURE};
    size_t count = sizeof flags / sizeof flags[0];
    for (size_t i = 0; i < count; i++) (void)aclrtValueWait(word, INT64_MAX, flags[i], stream);
    return aclrtSetStreamFailureMode(stream, modes[1]);
}
