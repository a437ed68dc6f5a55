"""The experiments of the paper: settings as data, trials as tasks, a runner that goes on where it stopped.

_settings, _methods               what is compared, on what
_regression, _classification,
_runtime, _bound, _torus          one file an experiment: its tasks, and one trial
_store, _run, _manifest           results that survive a kill
_series, _statistics, _claims     trials -> means, paired comparisons, verdicts
_page*, _tables, _figures         what is read in the end
"""

from trigpoint.experiments._reproduce import check, needs_data, reproduce
from trigpoint.experiments._run import Progress
from trigpoint.experiments._settings import PRESETS, SUITES

__all__ = ["PRESETS", "SUITES", "Progress", "check", "needs_data", "reproduce"]
