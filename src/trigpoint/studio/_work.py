"""The worker process: it owns the graph and the learner, and computes while people label.

    standard input   the job and the settings, then surveys
    standard output  news, each with whether the next survey may come

Three threads compute: rounds, in the main one; `_study`, on what rounds leave behind; and the map, once. The
last two have a lower priority. A fourth reads surveys, and ends the process when its parent is gone.
"""

import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO, TypeVar

from trigpoint.io import load_map, store_map
from trigpoint.learner import ActiveLearner
from trigpoint.studio._draw import draw
from trigpoint.studio._job import Job, Survey
from trigpoint.studio._news import Beliefs, Failed, Map, News, Stage
from trigpoint.studio._prepare import Prepared, prepare
from trigpoint.studio._round import round_news
from trigpoint.studio._settings import Settings
from trigpoint.studio._study import Study

NICE = 10  # below the server
NICER = 5  # below the rounds: on Linux each thread has a niceness of its own
T = TypeVar("T")

Tell = Callable[[News], None]


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_nice(NICE)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not print into the news
    job, settings = pickle.load(sys.stdin.buffer)
    surveys: SimpleQueue[Survey] = SimpleQueue()
    Thread(target=_receive, args=(sys.stdin.buffer, surveys), daemon=True).start()
    _Worker(job, settings, surveys, sink).run()


class _Worker:
    def __init__(self, job: Job, settings: Settings, surveys: "SimpleQueue[Survey]", sink: BinaryIO) -> None:
        self._job, self._settings, self._surveys, self._sink = job, settings, surveys, sink
        self._lock = Lock()
        self._version = -1  # of the survey that was begun last

    def tell(self, news: News, free: bool = False) -> None:
        """``free`` says that the next survey may come."""
        with self._lock:
            pickle.dump((news, free), self._sink, protocol=pickle.HIGHEST_PROTOCOL)
            self._sink.flush()

    def run(self) -> None:
        """Prepare, then rounds for ever; returns where there is no pool to work on."""
        try:
            prepared = prepare(self._job, self._settings, self.tell)
            self.tell(prepared.ready())
            learner = self._learner(prepared)
        except Exception as error:
            self.tell(Failed(_line(error), fatal=True))
            return
        warnings.simplefilter("ignore", UserWarning)  # for good: no thread may change filters beside another
        study, left = Study(prepared.graph, self._settings.regresses), SimpleQueue[Any]()
        Thread(target=self._nicely, args=(self._study_all, study, left), daemon=True).start()
        first = True
        while True:
            survey = _newest(self._surveys)
            self._version = survey.version
            if first:
                self.tell(Stage("choosing"))
            try:
                self._round(learner, survey, study)
                if learner.labels:
                    left.put((copy(learner), survey.version))
            except Exception as error:
                self.tell(Failed(_line(error), fatal=False), free=True)
            if first:
                first = False
                _be_a_nice_session(NICE)  # from here on people have something to do
                Thread(target=self._nicely, args=(self._draw, prepared), daemon=True).start()

    def _learner(self, prepared: Prepared) -> ActiveLearner:
        return ActiveLearner(
            graph=prepared.graph,
            task=self._settings.task,
            method=self._settings.method,
            classes=self._settings.classes,
            audit=self._settings.audit,
            random_state=self._settings.seed,
        )

    def _round(self, learner: ActiveLearner, survey: Survey, study: Study) -> None:
        for news in round_news(learner, survey, self._settings.regresses, study.std):
            last = isinstance(news, Beliefs) or not learner.labels
            self.tell(news, free=last)

    def _study_all(self, study: Study, left: "SimpleQueue[Any]") -> None:
        while True:
            found = _newest(left)
            try:
                for news in study.news(*found):
                    if not isinstance(news, Beliefs) or news.version == self._version:
                        self.tell(news)
            except Exception as error:
                self.tell(Failed(_line(error), fatal=False))

    def _draw(self, prepared: Prepared) -> None:
        graph, settings, folder = prepared.graph, self._settings, self._job.cache
        key = prepared.fingerprint, settings.n_neighbors, settings.metric
        found = None if folder is None else load_map(graph.n_samples, *key, folder)
        if found is not None:
            self.tell(Map(found, done=True))
        else:
            coordinates = draw(graph, self.tell)
            if folder is not None:
                store_map(coordinates, *key, folder)
        self.tell(Stage(""))

    def _nicely(self, function: Callable[..., None], *arguments: Any) -> None:
        """In a thread that nobody waits for: what goes wrong there is told, and all else goes on."""
        _be_nice(NICER)
        try:
            function(*arguments)
        except Exception as error:
            self.tell(Failed(_line(error), fatal=False))


def _receive(source: BinaryIO, surveys: "SimpleQueue[Survey]") -> None:
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            surveys.put(pickle.load(source))
    os._exit(0)  # the parent is gone, and what is being computed is of no use to anyone


def _newest(letters: "SimpleQueue[T]") -> T:
    """The last of those that are there; waits for one."""
    found = letters.get()
    while not letters.empty():
        found = letters.get()
    return found


def _be_nice(more: int) -> None:
    if hasattr(os, "nice"):
        os.nice(more)


def _be_a_nice_session(more: int) -> None:
    """Linux may share the processor among sessions first, and this process is one of its own."""
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(f"{more}\n")


def _line(error: Exception) -> str:
    """The readers' errors are sentences for people; of others the kind says more than the text."""
    said = " ".join(str(error).split())
    return said if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {said}"
