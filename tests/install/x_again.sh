#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `./x test` runs up to three tests that failed in a part once more, alone. One that passes then is named and counts as
# passed; one that fails twice fails the run. What they printed stands at the end.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    cat "$work/out" >&2
    echo "FAILED: $*" >&2
    exit 1
}
says() { grep -q -e "$1" "$work/out" || fail "no line matches: $1"; }

# A tree whose cmake builds nothing, and whose ctest fails the tests of $FAIL, and alone only those named bad.
mkdir -p "$work/tree" "$work/bin"
cp "$SRC/x" "$work/tree"
printf '#!/bin/sh\n' >"$work/bin/cmake"
printf '#!/bin/sh\nprintf installed\n' >"$work/bin/dpkg-query"
cat >"$work/bin/ctest" <<'END'
#!/bin/sh
only=
while [ $# -gt 0 ]; do
    case $1 in
    --output-junit) report=$2 ;;
    -R) only=$2 ;;
    esac
    shift
done
case $only in
'') names=$FAIL ;;
*bad*) names=$(echo "$only" | tr -d '^$') ;;
*) names= ;;
esac
echo "${only:-all}" >>"$LOG"
count=$(echo $names | wc -w)
{
    printf '<testsuite name="(empty)"\n\ttests="%d"\n\tfailures="%d"\n\tdisabled="0"\n\tskipped="0"\n\t>\n' \
        $((count + 5)) "$count"
    printf '\t<testcase name="fine" classname="fine" time="0.1" status="run">\n'
    printf '\t\t<system-out>all is well\n</system-out>\n\t</testcase>\n'
    for name in $names; do
        printf '\t<testcase name="%s" classname="%s" time="0.1" status="fail">\n\t\t<failure message=""/>\n' "$name" "$name"
        printf '\t\t<system-out>%s says 1 &lt; 2%s\n</system-out>\n\t</testcase>\n' "$name" "${only:+ again}"
    done
    printf '</testsuite>\n'
} >"$report"
[ "$count" = 0 ] || exit 8
END
chmod +x "$work"/bin/*

# run STATUS NAME...: runs the part install, in which the named tests fail.
run() {
    wanted=$1
    shift
    got=0
    rm -f "$work/log"
    LOG=$work/log FAIL="$*" PATH=$work/bin:$PATH "$work/tree/x" test install >"$work/out" 2>&1 || got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted, with failures: $*"
}
last() { [ "$(tail -n 1 "$work/out")" = "$1" ] || fail "the last line is not: $1"; }

run 0
last '5 passed, 0 failed'
grep -qE 'again|once' "$work/out" && fail "something was run again"

run 0 shaky
last '6 passed, 0 failed'
says '^failed once, then passed: shaky$'
says '^shaky says 1 < 2$'

run 1 bad
last '5 passed, 1 failed'
says '^--- bad (failed twice, in build): '
says '^bad says 1 < 2$'
says '^bad says 1 < 2 again$'
grep -q '^failed once, then passed:' "$work/out" && fail "a test that failed twice is called unsteady"

run 1 bad shaky
last '6 passed, 1 failed'
says '^failed once, then passed: shaky$'
grep -q 'all is well' "$work/out" && fail "a test that passed is shown"

# The fourth is not run again, and has failed.
run 1 one two three four
last '8 passed, 1 failed'
says '^failed once, then passed: one two three$'
[ "$(wc -l <"$work/log")" = 4 ] || fail "ctest ran $(wc -l <"$work/log") times, not 4"
exit 0
