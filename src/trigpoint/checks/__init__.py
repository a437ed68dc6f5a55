"""What may be wrong with a pool and its labels.

`label_issues` ranks labels by how far the others contradict them. `check_pool` looks at all of a pool.

_label_issues                    labels that the others contradict
_check_pool, _pool_check         the door, and the record that it gives, with its page
_known_labels, _spellings        labels of any kind; names that may mean one class
_copies, _outliers, _columns     samples that are there twice, samples far from all others, columns
_findings                        all of it in words, with the call that acts on it
"""

from trigpoint.checks._check_pool import check_pool
from trigpoint.checks._label_issues import LabelIssues, class_issues, label_issues, value_issues
from trigpoint.checks._pool_check import KINDS, SEVERITIES, Finding, PoolCheck, details, headline

__all__ = [
    "KINDS",
    "SEVERITIES",
    "Finding",
    "LabelIssues",
    "PoolCheck",
    "check_pool",
    "class_issues",
    "details",
    "headline",
    "label_issues",
    "value_issues",
]
