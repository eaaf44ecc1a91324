#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `./x python` builds a wheel and an archive of the source with the same modules. The commands of docs/python.md install
# the wheel into a virtual environment, where it works alone: with the library in it, and with pytest, which finds the
# plug-in. Another library is preferred if it is installed, or if TARN_LIBRARY names it.
set -eu
python=/usr/bin/python3
[ -x $python ] || python=python3
for module in pytest build setuptools wheel ensurepip:venv; do
    $python -c "import ${module%:*}" 2>/dev/null || {
        echo "skipped: needs python3-${module#*:}"
        exit 77
    }
done
work=$BUILD/tests/python_package
rm -rf "$work"
mkdir -p "$work/home" "$work/bin"
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# The commands of the document, in a tree with an ./x that packs the library of this build.
ln -s "$python" "$work/bin/python3"
cat >"$work/x" <<END
#!/bin/sh
TARN_LIBRARY='$BUILD/lib/libtarn.so' exec '$SRC/x' "\$@" '$work/build/python'
END
chmod +x "$work/x"
awk '/^<!-- not run: tests\/python\/package.sh does -->$/ { is_here = 1; next }
    is_here && /^[^ ]/ { exit }
    is_here && sub(/^    /, "")' "$SRC/docs/python.md" >"$work/shown"
sed -n 's/^\$ //p' "$work/shown" >"$work/commands"
grep -q '^python3 -m venv' "$work/commands" || fail "docs/python.md makes no virtual environment"
unset TARN_LIBRARY TARN_COMMAND TARN_DEVICE PYTHONPATH LD_LIBRARY_PATH
export HOME="$work/home" PATH="$work/bin:$PATH" PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
cd "$work"
sh -e "$work/commands" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the commands of docs/python.md"
}
[ "$(tail -n 1 "$work/log")" = "$(grep -v '^\$' "$work/shown" | sed '/^$/d' | tail -n 1)" ] || fail "another output than shown"

# Their contents, and the tag: the newest version of glibc that the library asks for.
wheel=$(echo "$work"/build/python/tarn-*.whl)
source=$(echo "$work"/build/python/tarn-*.tar.gz)
glibc=$(objdump -T "$BUILD/lib/libtarn.so" | sed -n 's/.*GLIBC_2\.\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
case $wheel in
*-py3-none-manylinux_2_"${glibc}_$(uname -m)".whl) ;;
*) fail "the library needs glibc 2.$glibc, but the wheel is $wheel" ;;
esac
(cd "$SRC/python" && find tarn -name '*.py' -o -name py.typed) | sort >"$work/modules"
{ cat "$work/modules" && echo tarn/libtarn.so.0; } | sort >"$work/expected"
$python -m zipfile -l "$wheel" | sed -n 's|^\(tarn/[^ ]*\) .*|\1|p' | sort | diff "$work/expected" - || fail "the wheel has other files"
tar -tzf "$source" | sed -n 's|^[^/]*/\(tarn/[^/]\{1,\}\)$|\1|p' | sort | diff "$work/modules" - ||
    fail "the archive has other files"
tar -tzf "$source" | grep -q '/LICENSE$' || fail "the archive has no licence"
site=$(echo "$HOME"/tarn-venv/lib/python3*/site-packages)
ls "$site"/tarn-*.dist-info/LICENSE >/dev/null || fail "the wheel has no licence"
for field in '^Summary: .' '^License: Apache-2.0' '^Requires-Python: >=3.9' '^Classifier: Framework :: Pytest' '^Classifier: License ::' \
    '^Description-Content-Type: text/markdown' '^# tarn for Python'; do
    grep -q "$field" "$site"/tarn-*.dist-info/METADATA || fail "the metadata has no $field"
done

# path LIBRARY: opens the library, which must be the one at that path.
path() {
    found=$("$HOME/tarn-venv/bin/python" -c 'import tarn; tarn.backends(); print(tarn.lib.path())')
    [ "$found" = "$1" ] || fail "the library is $found, not $1"
}
path "$site/tarn/libtarn.so.0"
LD_LIBRARY_PATH=$BUILD/lib path libtarn.so.0
TARN_LIBRARY=$BUILD/lib/libtarn.so path "$BUILD/lib/libtarn.so"

cat >test_installed.py <<'END'
import tarn


def test_installed(tarn_device):
    assert "site-packages" in tarn.__file__ and tarn.__version__ in VERSION
    with tarn_device.alloc(4) as memory:
        memory.write(b"disk")
        assert memory.read() == b"disk"
END
printf 'VERSION = "%s"\n' "${wheel##*/}" >>test_installed.py
"$HOME/tarn-venv/bin/python" -m pytest -q -p no:cacheprovider test_installed.py
