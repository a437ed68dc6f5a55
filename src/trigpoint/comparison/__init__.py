"""What is best on my data? A fair bake-off of selectors and predictors on a pool whose labels are known.

_labeled             X, y, graph -> the labeled samples, targets in one scale
_split               a draw of 75 % of them: graph, Laplacian, and what is held out
_budgets             how many landmarks
_contestants         chosen how
_loop                methods that are told labels as they choose
_predictors          labels of landmarks -> those of all other samples
_trial               one method on one split: errors on the rest and on the held out
_comparison          the trials counted
_sentences, _answer  told in words, tables and a picture
"""

from trigpoint.comparison._compare import compare
from trigpoint.comparison._comparison import Comparison
from trigpoint.comparison._sentences import in_words

__all__ = ["Comparison", "compare", "in_words"]
