#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The workflow files of GitHub and GitLab are valid YAML, run nothing but ./x, and together run every part
# of `./x test` and the quick tests. The quick tests that x names exist.
set -eu
command -v yamllint >/dev/null || {
    echo "skipped: needs yamllint"
    exit 77
}
cd "$SRC"
bad=0
complain() {
    echo "$*" >&2
    bad=1
}
# shellcheck disable=SC2046 # file names without spaces
yamllint -s -d '{extends: default, rules: {line-length: {max: 120}, document-start: disable,
    truthy: {check-keys: false}, comments: disable}}' $(tests/lint/files '*.yml' '*.yaml') || bad=1

parts=$(sed -n "s/^test_parts='\(.*\)'$/\1/p" x | tr ' ' '\n' | sort)
[ -n "$parts" ] || complain "x: no line test_parts='...'"
for file in .github/workflows/ci.yml .gitlab-ci.yml; do
    run=$(awk '/^ *script:/ { script = 1; next }
               script && !/^ *- / { script = 0 }
               script || /run:/ { sub(/^ *- (run: )?/, ""); print }' "$file")
    if [ -z "$run" ] || printf '%s\n' "$run" | grep -v '^\./x '; then
        complain "$file: runs no command, or one that is not ./x"
    fi
    printf '%s\n' "$run" | grep -qx '\./x test --quick' || complain "$file: does not run ./x test --quick"
    listed=$(sed -nE 's/^ *(part:|-) ([a-z0-9 ]+)$/\2/p' "$file" | tr ' ' '\n' | sort)
    [ "$listed" = "$parts" ] || complain "$file: does not run each of these once:" "$parts"
done

# Each quick test exists.
listed=$(sed -nE "s/^quick_(command|lint)s='(.*)'$/\1 \2/p" x | sed 's/^command /cli /' |
    awk '{ for (i = 2; i <= NF; i++) print "tests/" $1 "/" $i ".sh" }')
[ -n "$listed" ] || complain "x: no line quick_commands='...'"
for script in $listed; do
    [ -e "$script" ] || complain "x: a quick test is $script, which does not exist"
done
exit $bad
