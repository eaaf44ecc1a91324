# SPDX-License-Identifier: Apache-2.0
"""Recordings: the command's results as objects."""

import pytest

import tarn
from tarn.recordings import run_json


@pytest.fixture
def recording(tmp_path):
    """A text trace: 3 MiB live at the peak."""
    path = tmp_path / "small.trace"
    path.write_text("a 0 1 1048576\na 1 2 2097152\nf 2 1\na 3 3 1000\nf 4 2\nf 5 3\n")
    return path


def test_a_replay_has_the_numbers_of_the_command(recording):
    result = tarn.replay(recording, pool="segments", device="sim:0,memory=1G", rule="caching")
    assert result.completed and (result.pool, result.rule) == ("segments", "caching")
    assert (result.allocations, result.frees, result.peak_live_bytes) == (3, 3, 3 << 20)
    assert result.raw["format"] == "text" and result.raw["passes"]


def test_a_replay_that_does_not_fit_says_why(recording):
    result = tarn.replay(recording, limit="2M")
    assert not result.completed
    assert result.error.status == "NO_DEVICE_MEMORY" and result.error.exit_code == 3
    assert result.error.asked_bytes == 2 << 20 and result.error.cause == "limit"


def test_compare_runs_every_pool(recording):
    assert {"direct", "segments", "fixed", "expandable:memory"} <= {
        result.pool for result in tarn.compare(recording)
    }


def test_fit_finds_a_card(recording):
    result = tarn.fit(recording, context="0")
    needs = {need.pool: need.needs_bytes for need in result.needs}
    assert needs["expandable:memory"] >= 3 << 20
    card = result.smallest_card()
    assert card.fits("segments")
    assert card.memory_bytes == min(card.memory_bytes for card in result.cards)
    assert tarn.fit(recording, card="1M", context="0").smallest_card() is None


def test_explain_names_holders_and_answers(recording):
    result = tarn.explain(recording)
    assert result.peak_live_bytes == 3 << 20 and result.failure is None
    assert sum(holder.bytes for holder in result.holders("size")) == 3 << 20
    assert "3.00 MiB" in result.answer(3) and len(result.questions) == 20
    with pytest.raises(ValueError, match='"mood" is not one of function'):
        result.holders("mood")
    with pytest.raises(ValueError, match="question 21"):
        result.answer(21)


def test_a_wrong_file_has_the_commands_text(tmp_path):
    with pytest.raises(tarn.CommandError, match="nowhere.trace") as caught:
        tarn.replay(tmp_path / "nowhere.trace")
    assert caught.value.status == 2


def diff(recording, **options):
    return tarn.diff(recording, recording, **options)


OPTIONS = [
    *((tarn.replay, name) for name in ("pool", "streams", "rule", "device")),
    *((tarn.replay, name) for name in ("limit", "page", "segment", "repeat")),
    *((tarn.compare, name) for name in ("rule", "limit", "streams", "device", "max_memory")),
    *((tarn.fit, name) for name in ("pool", "rule", "context", "jobs", "streams", "device")),
    *((tarn.explain, name) for name in ("at", "device", "top", "max_events")),
    *((diff, name) for name in ("fail_over", "fail_over_holder", "pool", "by", "device", "top")),
]


@pytest.mark.parametrize("function, name", OPTIONS, ids=lambda x: getattr(x, "__name__", x))
def test_a_wrong_option_is_a_value_error_with_the_value(recording, function, name):
    with pytest.raises(ValueError, match="elastic") as caught:
        function(recording, **{name: "elastic"})
    assert isinstance(caught.value, tarn.CommandError) and caught.value.status == 2
    with pytest.raises(TypeError, match="elasticity"):
        function(recording, elasticity=1)


def test_every_option_of_a_command_has_a_name(recording):
    sizes = {"limit": "64M", "page": "4M", "max_memory": "1G"}
    common = {"rule": "caching", "streams": "ignore", "max_events": 100}
    device = "sim:0,memory=1G"
    assert tarn.replay(
        recording, pool="expandable:memory", device=device, repeat=2, touch=False, **sizes, **common
    ).completed
    assert tarn.replay(recording, pool="segments", segment="8M", scale=2).peak_live_bytes == 6 << 20
    assert len(tarn.compare(recording, device=device, repeat=1, **common)) > 3
    assert tarn.fit(recording, pool="segments", card="24", jobs=1, as_recorded=True, **common).needs
    explained = tarn.explain(recording, at=1, device=0, top=1, no_replay=True, max_events=100)
    assert len(explained.holders("size")) == 1


def test_a_file_whose_name_looks_like_an_option_is_a_file(recording, monkeypatch):
    monkeypatch.chdir(recording.parent)
    recording.rename("--json=here")
    assert tarn.replay("--json=here").completed


def test_diff_has_what_grew(recording, tmp_path):
    other = tmp_path / "other.trace"
    other.write_text("a 0 1 1048576\na 1 2 2097153\n")
    assert tarn.diff(recording, other, fail_over="1%").exceeded == ()
    (grown,) = tarn.diff(recording, other, fail_over="0%", by="size", device=0, top=1).exceeded
    assert (grown.device, grown.figure, grown.name) == (
        0, "peak_live_bytes", "blocks of 2097153 bytes",
    )  # fmt: skip
    assert (grown.before_bytes, grown.after_bytes) == (3 << 20, (3 << 20) + 1)


def test_any_command_with_json_can_be_run(recording):
    answer = run_json("diff", recording, recording, options={"by": "line"})
    assert isinstance(answer, dict)


def test_a_missing_command_says_what_to_set(recording, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("TARN_COMMAND", "")
    monkeypatch.setattr(tarn._library, "TREES", ())
    with pytest.raises(FileNotFoundError, match="TARN_COMMAND"):
        tarn.replay(recording)
