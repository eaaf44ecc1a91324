#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command whose standard output cannot be written exits with 1, or with 125 if it starts programs, and says so.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# loses_output ARGUMENTS...: runs the command with a full disk, and with a closed output.
loses_output() {
    got=0 wanted=1
    case $1 in check | record | run | torture) wanted=125 ;; esac
    "$TARN" "$@" >/dev/full 2>"$work/err" </dev/null || got=$?
    [ "$got" = "$wanted" ] || fail "exit $got, not $wanted, of: tarn $* >/dev/full"
    says err 'standard output cannot be written'
    got=0
    "$TARN" "$@" >&- 2>"$work/err" </dev/null || got=$?
    [ "$got" = "$wanted" ] || fail "exit $got, not $wanted, of: tarn $* >&-"
    says err 'standard output cannot be written'
}

loses_output --version
loses_output --help
loses_output info
loses_output info --json
loses_output info --help
loses_output layout --rule acl 1 2
loses_output replay --help
loses_output replay "$SRC"/traces/serve.trace.gz
loses_output replay --json "$SRC"/traces/serve.trace.gz
loses_output check --help
loses_output run --help
loses_output channel --help
