#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `./x python` builds a wheel and an archive of the source with the same modules. The wheel works where
# pip installs it, or where it is unpacked if there is no pip: with the library that TARN_LIBRARY names,
# and with pytest, which finds the plug-in.
set -eu
python=/usr/bin/python3
[ -x $python ] || python=python3
for module in pytest build setuptools wheel; do
    $python -c "import $module" 2>/dev/null || {
        echo "skipped: needs python3-$module"
        exit 77
    }
done
work=$BUILD/tests/python_package
rm -rf "$work"
mkdir -p "$work/site"
"$SRC/x" python "$work" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
wheel=$(echo "$work"/tarn-*-py3-none-any.whl)
source=$(echo "$work"/tarn-*.tar.gz)
pip=$(find /usr/share/python-wheels -name 'pip-*.whl' 2>/dev/null | head -n 1) # that of python3-venv
if [ -n "$pip" ]; then
    PYTHONPATH=$pip $python -m pip install -q --no-index --no-deps --target "$work/site" "$wheel"
else
    $python -m zipfile -e "$wheel" "$work/site"
fi
(cd "$SRC/python" && find tarn -name '*.py' -o -name py.typed) | sort >"$work/expected"
(cd "$work/site" && find tarn -type f ! -name '*.pyc') | sort | diff "$work/expected" - || fail "the wheel has other files"
tar -tzf "$source" | sed -n 's|^[^/]*/\(tarn/[^/]\{1,\}\)$|\1|p' | sort | diff "$work/expected" - ||
    fail "the archive has other files"
tar -tzf "$source" | grep -q '/LICENSE$' || fail "the archive has no licence"
ls "$work"/site/tarn-*.dist-info/LICENSE >/dev/null || fail "the wheel has no licence"

cd "$work"
cat >test_installed.py <<'END'
import tarn


def test_installed(tarn_device):
    assert "site" in tarn.__file__ and tarn.__version__ in VERSION
    with tarn_device.alloc(4) as memory:
        memory.write(b"disk")
        assert memory.read() == b"disk"
END
printf 'VERSION = "%s"\n' "$(basename "$wheel")" >>test_installed.py
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/site" TARN_LIBRARY="$BUILD/lib/libtarn.so"
$python -m pytest -q -p no:cacheprovider test_installed.py
