# SPDX-License-Identifier: Apache-2.0
"""The plug-in for pytest, seen from tests that use it."""

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def run(pytester):
    """Runs a file of tests in this process with the plug-in."""

    def run_tests(text, *arguments):
        pytester.makepyfile("import pytest, tarn\n" + text)
        return pytester.runpytest_subprocess(
            "-p", "tarn.pytest_plugin", "-p", "no:cacheprovider", *arguments
        )

    return run_tests


def test_a_leak_is_named_with_its_line(run):
    result = run(
        "def test_kept(tarn_device):\n"
        "    global kept\n"
        "    kept = tarn_device.alloc(4096), tarn_device.pool()\n"
        "def test_dropped(tarn_device):\n"
        "    tarn_device.pool().alloc(100)\n"
        "def test_native(tarn_device):\n"
        "    from tarn._library import number\n"
        "    number('tarn_memory_alloc', tarn_device.handle, 777)\n"
        "def test_clean(tarn_device):\n"
        "    with tarn_device.pool() as pool, pool.alloc(100): pass\n"
        "@pytest.mark.tarn(leaks=False)\n"
        "def test_accepted(tarn_device):\n"
        "    tarn_device.alloc(4096)\n"
    )
    result.assert_outcomes(passed=5, errors=3)
    result.stdout.fnmatch_lines([
        "2 leaked on host:0,memory=1G:",
        "  memory of 4096 bytes at 0x*, created at *test_a_leak_is_named_with_its_line.py:4",
        "  pool 0x*, created at *test_a_leak_is_named_with_its_line.py:4",
        "2 leaked on host:0,memory=1G:",
        "  unclosed block of 100 bytes at 0x*, created at *:6",
        "  unclosed pool 0x*, created at *:6",
        "1 leaked on host:0,memory=1G:",
        "  memory region of 777 bytes at 0x*",
    ])  # fmt: skip


def test_a_failed_test_is_not_blamed_for_leaks(run):
    result = run("def test_it(tarn_device):\n    kept = tarn_device.alloc(4096)\n    assert 0\n")
    result.assert_outcomes(failed=1)


def test_marker_and_ini_choose_the_device(run, pytester):
    pytester.makeini("[pytest]\ntarn_device = host:0,memory=64M\ntarn_fail = memory_alloc:2\n")
    result = run(
        "def test_ini(tarn_device):\n"
        "    assert tarn_device.total_bytes == 64 << 20\n"
        "    tarn_device.alloc(1).close()\n"
        "    with pytest.raises(MemoryError): tarn_device.alloc(1)\n"
        "@pytest.mark.tarn(device='sim:0,memory=80G', fail='', quirk='no-vmm')\n"
        "def test_marker(tarn_device, tarn_log):\n"
        "    assert tarn_device.total_bytes == 80 << 30\n"
        "    assert not tarn_device.features & tarn.FeatureFlags.VMM\n"
        "    assert tarn_log.read() == []\n"
        "@pytest.mark.tarn(devise='sim:0')\n"
        "def test_misspelt(tarn_device): pass\n"
        "@pytest.mark.tarn('sim:0')\n"
        "def test_unnamed(tarn_device): pass\n",
        "--strict-markers",
    )
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines([
        "*the marker tarn has no argument devise*",
        "*the marker tarn has no argument 'sim:0'*",
    ])  # fmt: skip


def test_every_call_fails_once(run):
    result = run(
        "def upload(device):\n"
        "    with device.alloc(64) as one, device.alloc(64) as two:\n"
        "        one.write(b'x')\n"
        "        device.copy(two, one)\n"
        "def test_it(tarn_failures):\n"
        "    specs = tarn_failures.each(upload)\n"
        "    assert specs == ['memory_alloc:1', 'memory_alloc:2', 'copy:1', 'copy:2']\n"
        "    small = 'host:0,memory=1M'\n"
        "    assert tarn_failures.each(upload, calls='memory_alloc', device=small) == specs[:2]\n"
        "def careless(device):\n"
        "    one = device.alloc(64)\n"
        "    two = device.alloc(64)\n"
        "    two.close(); one.close()\n"
        "def test_leak(tarn_failures):\n"
        "    tarn_failures.each(careless)\n"
        "def swallow(device):\n"
        "    try: device.alloc(64).close()\n"
        "    except MemoryError: return None.close()\n"
        "def test_crash(tarn_failures):\n"
        "    tarn_failures.each(swallow)\n"
    )
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines([
        "1 leaked on host:0,memory=1G,fail=memory_alloc:2:",
        "  unclosed memory of 64 bytes*",
        "*AssertionError: AttributeError on host:0,memory=1G,fail=memory_alloc:1: *",
    ])  # fmt: skip


def test_a_budget_names_what_grew(run, pytester):
    pytester.path.joinpath("main.trace").write_text("a 1 0 40000000\na 2 1 60000000\n")
    now = "a 1 0 40000000\na 2 1 40000000\nf 3 0\na 4 2 62000000\n"
    pytester.path.joinpath("now.trace").write_text(now)
    result = run(
        "def test_same(tarn_budget):\n"
        "    tarn_budget('main.trace', 'main.trace', '0%', pool='segments')\n"
        "def test_within(tarn_budget):\n"
        "    tarn_budget('main.trace', 'now.trace', '2%')\n"
        "def test_over(tarn_budget):\n"
        "    tarn_budget('main.trace', 'now.trace', pool='expandable:time', by='size',\n"
        "                fail_over_holder='50%')\n"
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([
        "now.trace exceeds the budget of 1% over main.trace:",
        "  device 0: peak_live_bytes (blocks of 62000000 bytes) grew from 100000000 to 102000000 bytes",
        "  device 0: peak_reserved_bytes (expandable:time) grew from * to * bytes",
        "  device 0: holder_bytes (blocks of 62000000 bytes) grew from 0 to 62000000 bytes",
    ])  # fmt: skip
