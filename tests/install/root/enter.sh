#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command in a root folder that make.sh made, with /proc and /dev/null but without network: enter.sh
# ROOT COMMAND... Both scripts may run as a user who has namespaces (`unshare --map-root-user`).
set -eu
# shellcheck disable=SC2016 # the inner shell expands it
exec unshare --mount --net --fork --pid sh -c '
    mount --bind /dev/null "$0/dev/null"
    mount -t proc proc "$0/proc"
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp DEBIAN_FRONTEND=noninteractive "$@"' "$@"
