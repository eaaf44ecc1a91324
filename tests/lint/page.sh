#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts of the page of `tarn view` are valid, and none turns a text into markup or code.
set -eu
cd "$SRC"
bad=0
for script in tools/view/page/*.js; do
    if command -v node >/dev/null; then
        node --check "$script" || bad=1
    fi
    head -n 1 "$script" | grep -q 'SPDX-License-Identifier: Apache-2\.0' || {
        echo "$script: no SPDX line at the top" >&2
        bad=1
    }
done
if grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(|XMLHttpRequest|https?:' \
    tools/view/page/*.js tools/view/page/page.css tools/view/page/page.html; then
    echo "the lines above make markup or code from text, or use the network" >&2
    bad=1
fi
exit $bad
