#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Blocks on the software device are written and verified. A device without bytes refuses this.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# Sizes around the steps of the pattern, freed in another order than allocated.
awk 'BEGIN {
    split("1 7 8 9 15 16 17 4087 4088 4095 4096 4097 4103 4104 4105 8191 8200 70000 3000000", size)
    for (i = 1; i in size; i++) print "a", i, i, size[i]
    for (i = 1; i in size; i += 2) print "f", i, i
    for (i = 1; i in size; i++) print "a", i, i + 100, size[i] * 3
    for (i = 2; i in size; i += 2) print "f", i, i
    print "m 1 the end"
}' >"$work/sizes"

for pool in direct fixed segments expandable:time expandable:balanced expandable:memory expandable:planned; do
    for rule in plain gpu dvpp; do
        expect 0 replay "$work/sizes" --device host:0 --touch --pool $pool --rule $rule --repeat 3
    done
done
expect 0 replay "$work/sizes" --device host:0,access=strict --touch --compare --json
is_json
[ "$(grep -c '"pool"' "$work/out")" = 7 ] || fail "not seven runs"
expect 2 replay "$work/sizes" --device sim:0,memory=80G --touch
says err '--touch needs a device whose memory stores bytes'
