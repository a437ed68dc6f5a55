"""What a killed server leaves behind, and that a store has one studio; the storm is in test_kill_server."""

import sys
import time
from pathlib import Path

import pytest

from studio.running import PATIENCE


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_worker_ends_with_its_server(studio, digits):
    running = studio(digits, "--classes", "a,b")
    workers = running.children()
    assert workers
    running.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "Traceback" not in running.complaints()


@pytest.mark.slow
def test_one_store_has_one_studio(studio, digits):
    running = studio(digits, "--classes", "a,b")
    with pytest.raises(RuntimeError, match="another studio"):
        studio(digits, "--classes", "a,b", "--store", str(running.store))
    running.restart()
