"""The experiments of the paper: settings as data, trials as tasks, a runner that goes on where it stopped.

_settings, _paper_methods         what is compared, on what
_regression, _classification,
_runtime, _bound, _torus          one file an experiment: its tasks, and one trial
_claims                           trials -> verdicts
_page*, _tables, _figures         what is read in the end

Running, keeping and counting trials is the business of `trigpoint.trials`.
"""

from trigpoint.experiments._reproduce import check, needs_data, reproduce
from trigpoint.experiments._settings import PRESETS, SUITES

__all__ = ["PRESETS", "SUITES", "check", "needs_data", "reproduce"]
