#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without /sys, as in some chroots, UCX finds no network. A channel over UCX refuses at once and says why, and
# the tests of such channels are skipped. BIN is where they and examples/frames were built. Skipped where a
# user may not make namespaces.
set -eu
unshare -Urm mount -t tmpfs none /sys 2>/dev/null || {
    echo "skipped: no user namespaces"
    exit 77
}
# try STATUS LINE COMMAND...: with an empty /sys, the command must end with the status and print the line.
try() {
    wanted=$1 line=$2
    shift 2
    status=0
    # shellcheck disable=SC2016 # the inner shell expands it
    said=$(timeout 900 unshare -Urm sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@" 2>&1) || status=$?
    if [ "$status" != "$wanted" ] || ! printf '%s\n' "$said" | grep -qF "$line"; then
        printf '%s\n%s: status %s, wanted %s with: %s\n' "$said" "$1" "$status" "$wanted" "$line" >&2
        exit 1
    fi
}
try 1 'UCX finds no network without /sys/class/net' "$BIN/frames_host" ucx://127.0.0.1:7003
try 77 'skipped: UCX finds no network without /sys/class/net' "$BIN/channel_ucx"
try 77 'skipped: UCX finds no network without /sys/class/net' env TARN_TEST_CHANNEL=ucx "$BIN/channel_message"
