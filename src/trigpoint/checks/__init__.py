"""What may be wrong with a pool and its labels.

`label_issues` ranks labels by how far the others contradict them.
"""

from trigpoint.checks._label_issues import LabelIssues, class_issues, label_issues, value_issues

__all__ = ["LabelIssues", "class_issues", "label_issues", "value_issues"]
