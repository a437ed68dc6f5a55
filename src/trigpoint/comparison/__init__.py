"""Does it beat random on my data? A fair bake-off of selectors on a pool whose labels are known.

_labeled             X, y, graph -> the labeled samples, targets in one scale
_split               a draw of 75 % of them: graph, Laplacian, and what is held out
_budgets             how many landmarks
_contestants         chosen how
_loop                methods that are told labels as they choose
_trial               one method on one split: errors on the rest and on the held out
_comparison, _answer the trials counted, told in words, a table and a picture
"""

from trigpoint.comparison._compare import compare
from trigpoint.comparison._comparison import Comparison

__all__ = ["Comparison", "compare"]
