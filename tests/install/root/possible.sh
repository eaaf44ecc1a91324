#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Succeeds if make.sh and enter.sh can work here, else prints the reason.
command -v dpkg-query >/dev/null || {
    echo "skipped: the system has no packages of Debian"
    exit 1
}
unshare --mount --net --fork --pid true 2>/dev/null || {
    echo "skipped: the user may not make namespaces"
    exit 1
}
