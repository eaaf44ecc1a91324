#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Frames go over UCX and TCP from one network to another: two namespaces that share nothing but a
# cable. BIN is where examples/frames was built. Skipped where a user may not make namespaces.
set -eu
for tool in unshare nsenter ip mount; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || {
        echo "skipped: no command $tool"
        exit 77
    }
done
unshare -Urnm true 2>/dev/null || {
    echo "skipped: no user namespaces"
    exit 77
}

# What follows runs as root of namespaces of its own. UCX looks for networks in /sys, which shows
# those of the namespace that mounted it.
export BIN UCX_TLS=tcp PATH="$PATH:/usr/sbin:/sbin"
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT
unshare -Urnm sh -eu <<'END'
cannot() {
    echo "skipped: a network namespace cannot $1"
    exit 77
}
mount -t sysfs sysfs /sys 2>/dev/null || cannot 'mount sysfs'
unshare -nm sh -c 'mount -t sysfs sysfs /sys && echo there && exec sleep infinity' >"$work/there" 2>/dev/null &
far=$!
trap 'kill $far 2>/dev/null || true' EXIT
until [ -s "$work/there" ]; do
    kill -0 $far 2>/dev/null || cannot 'be made'
    sleep 0.1
done
ip link set lo up
ip link add near type veth peer name far netns $far || cannot 'have a veth pair'
ip addr add 10.9.0.1/24 dev near
ip link set near up
nsenter -t $far -n sh -c 'ip addr add 10.9.0.2/24 dev far && ip link set far up && ip link set lo up'
# The kernel notices a cable some time after its two ends are up. UCX ignores a network without one.
until [ "$(cat /sys/class/net/near/operstate)" = up ] &&
    [ "$(nsenter -t $far -m cat /sys/class/net/far/operstate)" = up ]; do
    sleep 0.1
done
nsenter -t $far -n -m "$BIN/frames_device" ucx://10.9.0.1:7001 &
device=$!
"$BIN/frames_host" ucx://10.9.0.1:7001 -
wait $device
END
