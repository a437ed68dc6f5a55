"""Labels that somebody has checked: looked at again, beside what the others suggest.

To keep a label is an action of its own: it changes no label, and says of one that it is right. Whoever gives
a label in the tab "Check" says the same of that label. A label is confirmed while it is one that somebody
kept or gave there: one that changes is not confirmed any more, and one that changes back is again.

A confirmed label is not shown again, with one exception: it was doubtful when it was kept, and has become
hopeless since.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from trigpoint.annotators import Value
from trigpoint.studio._history import Action

CHECK = "check"  # the source of what is done in that tab
DOUBTFUL, HOPELESS = 0.1, 0.01  # chances that a label is right


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """A label that was kept; ``quality`` is how likely it was right by what the page knew then."""

    quality: float = 0.0


def confirmed_at(label: Value, actions: Iterable[Action]) -> float | None:
    """How likely a label was right when it was confirmed last, 0 where nobody knows; None: it is not.

    ``actions`` are the current labels and keeps of all people.
    """
    checks = [action for action in actions if action.source == CHECK and action.value == label]
    if not checks:
        return None
    last = max(checks, key=lambda action: action.seq)
    return last.quality if isinstance(last, Keep) else 0.0


def is_shown(quality: float, confirmed: float | None) -> bool:
    """Whether a label that looks wrong is shown; ``confirmed`` as from `confirmed_at`.

    >>> is_shown(0.3, None), is_shown(0.02, 0.3), is_shown(0.001, 0.3), is_shown(0.0, 0.02)
    (True, False, True, False)
    """
    return confirmed is None or (confirmed >= DOUBTFUL and quality < HOPELESS)
