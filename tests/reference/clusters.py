"""Real clusters for tests: a scheduler and workers as processes of their own, on loopback."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from distributed.security import Security

from distributed import Client

SOURCES = os.pathsep.join(str(Path(__file__).parents[2] / folder) for folder in ("src", "tests"))


def curved(n, p=8, seed=0):
    rng = np.random.default_rng(seed)
    return np.sin(3 * rng.random((n, 3)) @ rng.standard_normal((3, p))) + 0.02 * rng.standard_normal((n, p))


class Cluster:
    """A scheduler and some workers; a worker that is killed stays dead."""

    def __init__(self, folder: Path, n_workers: int = 2, memory: str = "2GB", tls: dict | None = None):
        self.folder, self.memory, self.tls = folder, memory, tls
        self.file = folder / "scheduler.json"
        self.log = (folder / "log").open("w")
        kind = ["--protocol", "tls"] if tls else []
        self.scheduler = self._start(
            "scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file), "--no-dashboard"),
            *kind,
        )
        self.workers = [self._worker() for _ in range(n_workers)]
        self._patiently(self.file.exists, "the scheduler's file")

    def _worker(self) -> subprocess.Popen:
        return self._start(
            "worker",
            *("--scheduler-file", str(self.file), "--nthreads", "1", "--memory-limit", self.memory),
            *(
                "--no-nanny",
                "--no-dashboard",
                "--local-directory",
                str(self.folder),
                "--death-timeout",
                "600",
            ),
        )

    def _start(self, what: str, *arguments: str) -> subprocess.Popen:
        own = {"PYTHONPATH": SOURCES, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        certificates = []
        if self.tls:
            certificates = [
                "--tls-ca-file",
                self.tls["ca"],
                "--tls-cert",
                self.tls["cert"],
                "--tls-key",
                self.tls["key"],
            ]
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, *certificates]
        return subprocess.Popen(command, env={**os.environ, **own}, stdout=self.log, stderr=self.log)

    def _patiently(self, there, what: str) -> None:
        end = time.monotonic() + 600
        while not there():
            assert time.monotonic() < end, f"{what} did not come: {(self.folder / 'log').read_text()}"
            time.sleep(0.05)

    def client(self) -> Client:
        security = None
        if self.tls:
            security = Security(
                tls_ca_file=self.tls["ca"], tls_client_cert=self.tls["cert"], tls_client_key=self.tls["key"],
                require_encryption=True,
            )  # fmt: skip
        client = Client(scheduler_file=str(self.file), security=security, timeout=600)
        if self.workers:
            client.wait_for_workers(len(self.workers), timeout=600)
        return client

    def kill_worker(self) -> None:
        os.kill(self.workers.pop().pid, signal.SIGKILL)

    def kill_scheduler(self) -> None:
        os.kill(self.scheduler.pid, signal.SIGKILL)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()


@contextmanager
def running(folder: Path, **options):
    cluster = Cluster(folder, **options)
    try:
        with cluster.client() as client:
            yield cluster, client
    finally:
        cluster.close()


def tasks(client: Client) -> dict[str, str]:
    """The states of all tasks that the scheduler knows."""
    return client.run_on_scheduler(_states)


def _states(dask_scheduler) -> dict[str, str]:
    return {str(key): task.state for key, task in dask_scheduler.tasks.items()}


@contextmanager
def when(client: Client, stage: str, act):
    """Calls ``act`` once a task of this stage is under way or done; it must come to that."""
    happened, over = threading.Event(), threading.Event()

    def watch() -> None:
        while not over.is_set():
            known = tasks(client)
            if any(
                key.startswith(f"trigpoint-{stage}") and state in ("processing", "memory")
                for key, state in known.items()
            ):
                act()
                happened.set()
                return
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert happened.is_set(), f"no task of {stage} was seen"
