#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that starts a program makes a machine for it and its children, which share the memory of the devices.
# --machine joins a named one, and a bad name is refused before the program runs.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; the shell inside expands
. "$SRC/tests/support/cli.sh"
unset TARN_MACHINE

# machine_of OPTION...: sets $machine to that of a shell, which uses nothing of Tarn.
machine_of() {
    expect 122 run "$@" -- sh -c 'printf "%s\n" "$TARN_MACHINE"'
    machine=$(cat "$work/out")
}
machine_of --delay map:1ns
one=$machine
case $one in run-*) ;; *) fail "no machine of its own: $one" ;; esac
machine_of --delay map:1ns
[ "$one" != "$machine" ] || fail "two runs share the machine $one"
machine_of --machine shop
[ "$machine" = shop ] || fail "--machine shop gives $machine"
TARN_MACHINE=outer machine_of --delay map:1ns
[ "$machine" = outer ] || fail "TARN_MACHINE=outer becomes $machine"
expect 125 run --machine a/b -- true
says err '--machine=a/b is not a name'
TARN_MACHINE=a/b expect 125 run --machine shop -- true
says err 'environment variable TARN_MACHINE is "a/b"'

# Who holds what. `tarn info` of a platform is a member while it looks at it, and holds nothing.
expect 2 info --machine "absent-$$"
says err "no process of this user is in a machine absent-$$"
expect 2 info --machine a/b
says err '"a/b" is not the name of a machine'
