"""What we ask of Dask: a client, tasks with our names, and nothing left behind where a call fails.

A call is a `Job`. Its tasks are called ``trigpoint-<call>-<stage>-<number>``, so that Dask's dashboard shows
our stages. They are plain functions of blocks, and all that they take are results of other such tasks, or
numbers that they carry with them: so whatever a dead worker held can be computed again, and Dask does that.
Results that nobody refers to any more leave the workers; if the call ends in an error, all of them do.
"""

import asyncio
import uuid
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property
from types import TracebackType
from typing import Any

from trigpoint._errors import InputError, needs_extra
from trigpoint._progress import stage
from trigpoint.distributed._shelf import opening

SHARE = 0.6  # of the memory of a worker: Dask begins to write to disk there
LOST = "scheduler-connection-lost"  # Dask's reason for a cancelled future
LOOKS = 20
PATIENCE = 10  # seconds to look for a scheduler
PAUSE = 20  # seconds after which to see whether workers are paused, if no task ends


class ClusterError(RuntimeError):
    """The cluster could not finish a call.

    Attributes
    ----------
    finished : stages of the call that were done
    """

    finished: tuple[str, ...]

    def __init__(self, message: str, finished: tuple[str, ...] = ()) -> None:
        super().__init__(message, finished)
        self.finished = finished

    def __str__(self) -> str:
        return str(self.args[0])


def dask() -> Any:
    """The package `distributed`, which is an extra."""
    try:
        import distributed
    except ImportError:
        raise ImportError(f"trigpoint.distributed {needs_extra('Dask', 'dask')}.") from None
    return distributed


def current_client(client: Any) -> Any:
    """The client that is given, or the one that was made last."""
    distributed = dask()
    if client is None:
        try:
            return distributed.default_client()
        except ValueError:
            rule = "must be given, or there must be a current one: distributed.Client(address) makes one"
            raise InputError("client", rule, "None") from None
    if not isinstance(client, distributed.Client):
        raise TypeError(f"client must be a distributed.Client; got {type(client).__name__}.")
    return client


@contextmanager
def connected(address: str, argument: str = "address") -> Iterator[Any]:
    """A client of the scheduler at an address, for as long as the block lasts."""
    try:
        distributed = dask()
    except ImportError:
        raise InputError(argument, needs_extra("Dask", "dask")) from None
    try:
        _knock(address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = str(error) or f"no answer in {PATIENCE} s"
        raise InputError(
            argument, f"must be that of a Dask scheduler that answers ({said})", address
        ) from None
    with client:
        if not client.nthreads():
            with suppress(TimeoutError):
                client.wait_for_workers(1, timeout=PATIENCE)
            worker_memory(client)  # refused if there are still none
        yield client


def _knock(address: str) -> None:
    """Whether a scheduler answers there: a client would wait for ever for a server of another kind.

    Nor does a client clean up after itself where its address makes no sense. In a thread, since the caller's
    may have an event loop that runs (a notebook).
    """
    distributed = dask()

    async def shake_hands() -> None:
        options = distributed.Security().get_connection_args("client")
        answer = distributed.comm.connect(address, timeout=PATIENCE, **options)
        await (await asyncio.wait_for(answer, PATIENCE + 1)).close()

    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, shake_hands()).result()


def worker_memory(client: Any) -> dict[str, float]:
    """Bytes that each worker may use; infinite where it has no limit."""
    for _ in range(LOOKS):
        known = client.scheduler_info(n_workers=-1)
        workers = known["workers"]
        if len(workers) >= known.get("n_workers", 0):
            break  # else Dask's own look, which asks for no workers, has come between
    if not workers:
        raise ClusterError("the cluster has no workers: start some with `dask worker ADDRESS`.")
    return {name: float(one["memory_limit"] or "inf") for name, one in workers.items()}


def roomiest(client: Any) -> tuple[str, float]:
    """The worker with the most memory, and the bytes that one of our tasks may use there."""
    room = worker_memory(client)
    name = max(sorted(room), key=lambda worker: room[worker])
    return name, SHARE * room[name]


def at(worker: str) -> dict[str, Any]:
    """Options of a task for this worker; if it dies, another one must do."""
    return {"workers": [worker], "allow_other_workers": True}


class Job:
    """One call on the cluster.

    with Job(client, "laplacian") as job:
        parts = job.each("weights", weights_of, blocks)      # futures
        total = job.result("total", job.submit("total", sum_of, parts))
    """

    def __init__(self, client: Any, name: str) -> None:
        self.client, self.name = client, name
        self._token, self._count = uuid.uuid4().hex[:10], 0
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()
        self._finished: list[str] = []

    @cached_property
    def _workers(self) -> list[str]:
        """In an order that all jobs share, as of the first time that somebody asks."""
        return sorted(worker_memory(self.client))

    def submit(
        self,
        step: str,
        function: Callable[..., Any],
        *args: Any,
        shelves: bool = False,
        opens: bool = True,
        **where: Any,
    ) -> Any:
        """The future of ``function(*args)``, in which futures stand for their results.

        With ``shelves`` the result lies on its worker's disk. ``opens=False`` is for functions that hand on
        what is shelved (`_shelf`).
        """
        import dask

        key = f"trigpoint-{self.name}-{step}-0{self._token}-{self._count}"
        self._count += 1
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "100 GB"}):
            task = (opening, function, shelves) if opens else (function,)
            future = self.client.submit(*task, *args, key=key, pure=False, **where)
        self._made.add(future)
        return future

    def adopt(self, futures: Sequence[Any]) -> None:
        """Futures that were made elsewhere for this call."""
        self._made.update(futures)

    def each(
        self, step: str, function: Callable[..., Any], *columns: Sequence[Any], shelves: bool = False
    ) -> list[Any]:
        """Futures of the function, one for each block, at the block's worker as long as it lives."""
        rows = list(zip(*columns, strict=True))
        homes = self.homes(len(rows))
        return [
            self.submit(step, function, *args, shelves=shelves, **home)
            for args, home in zip(rows, homes, strict=True)
        ]

    def homes(self, count: int) -> list[dict[str, Any]]:
        """Where so many blocks live: as many on each worker, in their order; if it dies, on another one."""
        names = self._workers
        return [at(names[b * len(names) // count]) for b in range(count)]

    def in_turn(
        self, step: str, function: Callable[..., Any], *columns: Sequence[Any], shelves: bool = False
    ) -> list[Any]:
        """As `each`, but a worker gets only as many blocks as it has threads: none waits in its memory."""
        made: list[Any] = []
        rows, threads = list(zip(*columns, strict=True)), max(self.client.nthreads().values())
        homes = self.homes(len(rows))
        for b, (args, home) in enumerate(zip(rows, homes, strict=True)):
            follows = b >= threads and home == homes[b - threads]
            turn = self.submit(step, nothing, made[b - threads], opens=False, **home) if follows else None
            made.append(self.submit(step, after, turn, function, *args, shelves=shelves, **home))
        return made

    def wait(self, step: str, futures: Sequence[Any]) -> None:
        """Until all are done; the first error is raised."""
        left, was_stuck = {future.key: future for future in futures}, False
        with self.client.as_current(), stage(step, len(left)) as told:  # as_completed asks for it
            while left:
                some = len(left)
                for done in _in_time(dask().as_completed(list(left.values()), timeout=PAUSE)):
                    if done.status != "finished":
                        done.result()
                    del left[done.key]
                    told.advance()
                stuck = len(left) == some and _is_stuck(self.client)
                if stuck and was_stuck:
                    raise self._out_of_memory()
                was_stuck = stuck
        self._finished.append(step)

    def _out_of_memory(self) -> ClusterError:
        limit = min(worker_memory(self.client).values())
        return ClusterError(
            f"all workers are paused during {self.name}, since their memory is full: the least of them "
            f"may use {limit / 1e6:.0f} MB. Python and our packages take 250 MB before a worker gets a "
            "sample; more memory, or more partitions, may help.",
            tuple(dict.fromkeys(self._finished)),
        )

    def results(self, step: str, futures: Sequence[Any]) -> list[Any]:
        self.wait(step, futures)
        found: list[Any] = self.client.gather(list(futures))
        return found

    def result(self, step: str, future: Any) -> Any:
        return self.results(step, [future])[0]

    def __enter__(self) -> "Job":
        if self.client.status == "closed":
            raise InputError("client", "must be connected to a scheduler", "one that is closed")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        lost = _scheduler_is_gone(self.client, error)
        for future in list(self._made):  # to cancel them would also end what hangs on released ones
            future.release()
        finished = tuple(dict.fromkeys(self._finished))
        done = f"Finished before: {', '.join(finished)}." if finished else "No stage was finished before."
        if lost:
            kept = "What was on the workers is lost with it; what was gathered is kept."
            raise ClusterError(
                f"the scheduler went away during trigpoint.distributed's {self.name}. {done} {kept}", finished
            ) from error
        if kind is not None and kind.__name__ in ("KilledWorker", "NoValidWorkerError"):
            raise ClusterError(
                f"workers died again and again during {self.name}: {error}. {done} More partitions, or "
                "workers with more memory, may help.",
                finished,
            ) from error


def _scheduler_is_gone(client: Any, error: BaseException) -> bool:
    if client.status not in ("running", "closing") or client.scheduler_comm is None:
        return True
    reasons = [
        getattr(error, "reason", None),
        *(getattr(one, "reason", None) for one in getattr(error, "errors", ())),
    ]
    return LOST in reasons or type(error).__name__ == "CommClosedError"


def _in_time(coming: Iterator[Any]) -> Iterator[Any]:
    """What comes before the time is over."""
    while True:
        try:
            done = next(coming)
        except (StopIteration, TimeoutError):
            return
        yield done


def _is_stuck(client: Any) -> bool:
    """Whether Dask has paused all workers, and none of them runs a task that could give memory back."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return bool(workers) and all(
        one["status"] == "paused" and not one["metrics"]["task_counts"].get("executing") for one in workers
    )


def nothing(_: Any) -> None:
    """What a task waits for, without its result."""


def after(_: None, function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def heard(
    function: Callable[..., Any], *args: Any, **options: Any
) -> tuple[Any, list[tuple[str, type[Warning]]]]:
    """What a function returns, and what it warns of: on a worker nobody would see it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(*args, **options)
    return found, [(str(one.message), one.category) for one in told]
