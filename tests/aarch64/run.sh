#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh PROGRAM [ARGUMENT...]: runs an AArch64 test with qemu's user-mode emulation. Tests that cannot run
# there, or take too long, are listed in skipped.txt by their ctest name, each with its reason.
set -eu
here=$(dirname "$(realpath "$0")")
name=$(basename "$1")
case $name in api_*) name=${name}_${TARN_TEST_DEVICE%%:*} ;; esac
reason=$(sed -n "s/^$name //p" "$here/skipped.txt")
if [ -n "$reason" ]; then
    echo "skipped: under qemu, $reason"
    exit 77
fi
exec qemu-aarch64 -L "$here/../../build/aarch64-root" "$@"
