#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every option of every command that takes a size or a number reads it in the same way. A value with
# junk, a sign, too many bits or nothing in it is refused, and the message names the option and the value.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

each_command | while read -r words; do
    # shellcheck disable=SC2086 # words
    "$TARN" help $words | sed -n 's/^  .*\(--[a-z-]*\)\[\{0,1\}=\([^] ]*\).*/\1 \2/p' | sed "s/\$/ $words/"
done >"$work/options"

# kind_of ARGUMENT: the kind of a value by its word in the help. A new word needs a line here.
kind_of() {
    case $1 in
    SIZE) echo size ;;
    N | N\|off | *\|N | MS) echo number ;;
    SECONDS) echo seconds ;;
    SIZE,...) echo sizes ;;
    ADDRESS) echo address ;;
    CALL:TIME | FACE | FACES | FILE | FILES | FORMAT | IDS | KIND | LEVEL | NAME | NAME,... | PATTERN | PERCENT | POOL | QUIRK* | ROLE=* | RULE | SPEC | \
        URI | *\|*) echo text ;;
    *) fail "the word $1 for an argument is not known here" ;;
    esac
}

# run WORDS: the exit status; the operand is none, so that nothing is done behind the options.
run() {
    got=0
    "$TARN" "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
}

# is_refused OPTION VALUE: the last run named both.
is_refused() {
    grep -qFe "$1 takes" "$work/err" && grep -qFe "not \"$2\"" "$work/err" && [ "$got" != 0 ] && [ "$got" != 1 ]
}

# takes WORDS OPTION VALUE...: the message, if any, is about something else than the option.
takes() {
    words=$1 option=$2
    shift 2
    for value in "$@"; do
        # shellcheck disable=SC2086 # words
        run $words "$option=$value" /nonexistent
        ! grep -qFe "$option takes" "$work/err" || fail "tarn $words refuses $option=$value"
    done
}

# refuses WORDS OPTION VALUE...
refuses() {
    words=$1 option=$2
    shift 2
    for value in "$@"; do
        # shellcheck disable=SC2086 # words
        run $words "$option=$value" /nonexistent
        is_refused "$option" "$value" || fail "tarn $words $option=$value: the message lacks one of them"
    done
}

number='1x 1.5 -1 +1 1e3 18446744073709551616 99999999999999999999 x 0x'
size='1X -1G +-1 1.G .5G 1.5 1e3 1.5B 1GiBs 1KK 16E 18446744073709551616 G'
sizes=0 numbers=0
while read -r option word words; do
    kind=$(kind_of "$word")
    [ "$kind" != text ] || continue
    refuses "$words" "$option" '' ' 1' '1 '
    case $kind in
    size)
        # shellcheck disable=SC2086 # values
        refuses "$words" "$option" $size 1,5G
        takes "$words" "$option" 3GB 1.5G 2M 512K 1TiB 4096 1b 1.001kib 0.5g
        sizes=$((sizes + 1))
        ;;
    sizes)
        # shellcheck disable=SC2086 # values
        refuses "$words" "$option" $size
        takes "$words" "$option" 64,1.5M,2MB,512K,0.25GiB
        sizes=$((sizes + 1))
        ;;
    *)
        [ "$kind" = seconds ] && bad='nan inf 1. .5 -1 1s' || bad=$number
        # shellcheck disable=SC2086 # values
        refuses "$words" "$option" $bad
        takes "$words" "$option" 1 2 16
        numbers=$((numbers + 1))
        ;;
    esac
done <"$work/options"
[ "$sizes" -gt 12 ] || fail "only $sizes options take sizes"
[ "$numbers" -gt 24 ] || fail "only $numbers options take numbers"

# Operands, lists and names of devices that hold sizes and numbers.
for value in '' 1X -1 1.5 16E; do
    run layout -- "$value"
    is_refused LENGTH "$value" || fail "tarn layout $value"
done
for value in 3GB 1.5G 1TiB 512k 0.001M; do
    expect 0 info --device "sim:0,memory=$value" --json
    expect 0 layout --json -- "$value"
done
expect 0 layout --rule plain --json 1.5G
says out '"length": 1610612736'
for value in 0x 1.5 -1 1x ''; do
    run channel top -- "$value"
    is_refused PID "$value" || fail "tarn channel top \"$value\""
done
takes replay --limit 1.02x +1.5G 3GB
refuses replay --limit 0 0x x + 1.02 1..2x +-1M 1.02X
