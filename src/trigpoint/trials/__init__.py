"""Trials of several methods: run so that they survive a kill, then counted, compared and written.

    tasks -> Store, run_tasks -> rows -> Series -> estimates, paired comparisons -> Page

_results, _run, _manifest   results that stay, tasks in parallel, a random stream for each
_series, _statistics        rows -> arrays over trials; means, ratios, verdicts at 95 %
_tables, _publish           what is read in the end
"""

from trigpoint.trials._manifest import code_digest, run_record
from trigpoint.trials._publish import Page, columns, series_panel, write_page
from trigpoint.trials._results import Memory, OtherSettingsError, Row, Store, Task
from trigpoint.trials._run import Work, rng_for, run_tasks
from trigpoint.trials._series import LEAST, Cell, Series, Tally, against, series, tally
from trigpoint.trials._statistics import Estimate, Ratio, estimate, overall_ratio, ratio, verdict
from trigpoint.trials._tables import budget_table, markdown, number, shown, summary

__all__ = [
    "LEAST",
    "Cell",
    "Estimate",
    "Memory",
    "OtherSettingsError",
    "Page",
    "Ratio",
    "Row",
    "Series",
    "Store",
    "Tally",
    "Task",
    "Work",
    "against",
    "budget_table",
    "code_digest",
    "columns",
    "estimate",
    "markdown",
    "number",
    "overall_ratio",
    "ratio",
    "rng_for",
    "run_record",
    "run_tasks",
    "series",
    "series_panel",
    "shown",
    "summary",
    "tally",
    "verdict",
    "write_page",
]
