# SPDX-License-Identifier: Apache-2.0
"""Pools, their blocks and reports."""

import pytest

import tarn


def test_blocks_are_counted_and_freed(tarn_device):
    with tarn_device.pool(rule="caching", limit=64 << 20) as pool:
        assert pool.info().kind == tarn.PoolKind.EXPANDABLE
        assert pool.info().rule == tarn.Rule(512, 512, 0)
        with pool.alloc(5000, tag=3) as block, pool.alloc(100) as other:
            block.write(b"text")
            assert [(b.addr, b.bytes, b.tag) for b in pool.blocks() if b.tag == 3] == [
                (block.address, 5000, 3)
            ]
            assert pool.stats().live_blocks == 2
            assert pool.stats().live_bytes == 5100
            assert pool.tag_stats(3).live_bytes == 5000
            assert len(pool.blocks(None)) > 2
            assert block.info().block == block.address != other.address
            pool.verify()
            with pytest.raises(tarn.Busy, match="2 blocks"):
                pool.close()
        assert pool.stats().live_blocks == 0
        assert pool.trim() > 0 and pool.stats().held_bytes == 0


def test_a_refusal_explains_itself(tarn_device):
    with tarn_device.pool(limit=4 << 20) as pool:
        with pytest.raises(tarn.NotReady):
            pool.explain()
        with pytest.raises(tarn.NoDeviceMemory, match="limit: 8388608 bytes") as caught:
            pool.alloc(8 << 20)
        assert isinstance(caught.value, MemoryError)
        report = pool.explain()
        assert report.cause == tarn.PoolCause.LIMIT and report.requested == 8 << 20
        assert report.status == tarn.Status.NO_DEVICE_MEMORY and report.text in str(caught.value)
        pool.set_limit(16 << 20)
        pool.alloc(8 << 20).close()


def test_a_fixed_pool_divides_a_buffer_and_keeps_it_open(tarn_device):
    memory = tarn_device.alloc(1 << 20)
    with tarn_device.pool(over=memory, rule="aclrtMalloc") as pool:
        block = pool.alloc(100)
        assert memory.address <= block.address < memory.address + memory.nbytes
        assert pool.info().rule == tarn.Rule(64, 32, 32)
        with pytest.raises(BufferError):
            memory.close()
        block.close()
    memory.close()


def test_unknown_names_are_refused(tarn_device):
    with pytest.raises(tarn.BadArgument, match='"elastic"'):
        tarn_device.pool(rule="elastic")
    with pytest.raises(ValueError, match='kind is "elastic", not one of "fixed", "segments"'):
        tarn_device.pool("elastic")
    with pytest.raises(ValueError, match='policy is "elastic", not one of "balanced", "time"'):
        tarn_device.pool(policy="elastic")
    with pytest.raises(ValueError, match='kind is "fixed"'):
        tarn_device.pool("fixed")
    with tarn_device.alloc(1 << 20) as memory, pytest.raises(ValueError, match="segments"):
        tarn_device.pool("segments", over=memory)
    with tarn_device.pool("Segments", policy=tarn.PoolPolicy.TIME) as pool:
        assert pool.kind == pool.info().kind == tarn.PoolKind.SEGMENTS


def test_reset_closes_the_blocks(tarn_device):
    with tarn_device.pool("segments") as pool:
        blocks = [pool.alloc(1000) for _ in range(3)]
        view = blocks[1].view()
        with pytest.raises(BufferError):
            pool.reset()
        del view
        pool.reset()
        assert all(block.closed for block in blocks) and pool.stats().live_blocks == 0
        blocks[0].close()
        pool.alloc(1000).close()


def test_a_block_grows_in_place(tarn_device):
    with tarn_device.pool() as pool, pool.alloc(1 << 20) as block:
        block.extend(3 << 20)
        assert block.nbytes == 3 << 20 == pool.stats().live_bytes
        block.write(b"end", (3 << 20) - 3)


def test_a_snapshot_is_replayed_by_the_command(tarn_device, tmp_path):
    path = tmp_path / "now.pickle"
    with tarn_device.pool() as pool, pool.alloc(5000), pool.alloc(1 << 20):
        pool.save_snapshot(path)
        tarn.save_snapshot(path, [pool])
        assert tarn.replay(path).peak_live_bytes == (1 << 20) + 5000
        with pytest.raises(tarn.System, match="nowhere"):
            pool.save_snapshot(tmp_path / "nowhere" / "x")


def test_a_walk_passes_exceptions_on(tarn_device, monkeypatch):
    with tarn_device.pool() as pool, pool.alloc(100):
        monkeypatch.setattr(tarn.BlockInfo, "__new__", lambda *a, **k: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            pool.blocks()


def run_pass(pool):
    """A pass of three blocks, of which the second outlives the others."""
    with pool.alloc(2 << 20) as first, pool.alloc(1 << 20, tag=2) as kept:
        first.close()
        pool.alloc(3 << 20).close()
        return kept.address


def test_a_pool_learns_a_plan(tarn_device, tmp_path):
    with tarn_device.pool(learn=True) as pool:
        for _ in range(6):
            pool.mark()
            run_pass(pool)
        stats = pool.stats()
        assert (stats.plans, stats.passes, stats.planned) == (1, 5, 12)
        assert stats.planned_bytes == 4 * (6 << 20) and stats.plan_bytes > 4 << 20
        with pytest.raises(tarn.NotReady):
            pool.explain()
        pool.alloc(5 << 20, tag=7).close()
        report = pool.explain()
        assert report.cause == tarn.PoolCause.PLAN and report.status == tarn.Status.OK
        assert report.misses[0] == tarn.PlanMiss(5 << 20, 1, 0, 7, 0)
        assert report.text.startswith("plan: 1 of 13 large requests")
        with pool.alloc(2 << 20):
            pool.save_snapshot(tmp_path / "now.pickle")
        explained = tarn.explain(tmp_path / "now.pickle")
        assert "Pool 0 followed a plan: 13 requests of " in str(explained.questions[5])


def test_a_pool_follows_a_plan_of_a_recording(tarn_device, tmp_path):
    recording, file = tmp_path / "pass.trace", tmp_path / "pass.plan"
    recording.write_text("a 1 0 2097152\na 2 1 1048576\nf 3 0\na 4 2 3145728\nf 5 2\nf 6 1\n")
    plan = tarn.plan(recording, file)
    assert plan.requests == 3 and plan.plan_bytes == plan.bound_bytes == 4 << 20
    for given in (file, str(file), file.read_bytes()):
        with tarn_device.pool(plan=given) as pool:
            with pool.alloc(2 << 20), pool.alloc(1 << 20):
                assert pool.stats().planned == 2
            pool.mark()  # the next pass; the first one was cut short
            with pool.alloc(2 << 20):
                assert pool.stats().planned == 3


def test_wrong_plans_are_refused(tarn_device, tmp_path):
    with pytest.raises(ValueError, match="plan and learn exclude each other"):
        tarn_device.pool(plan=b"x", learn=True)
    with pytest.raises(ValueError, match="plan is b'', of 0 bytes"):
        tarn_device.pool(plan=b"")
    with pytest.raises(TypeError, match="plan is 7, not a path"):
        tarn_device.pool(plan=7)
    with pytest.raises(tarn.Corrupt):
        tarn_device.pool(plan=b"no plan")
    with pytest.raises(tarn.System, match="not a readable file"):
        tarn_device.pool(plan=tmp_path / "missing")
