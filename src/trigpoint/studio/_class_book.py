"""The classes of a studio: their names in order, what they were called before, and what is said of each.

A rename to a name that exists merges two classes. Both can be undone, as long as the new name is there and
the old one is free.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

COMMANDS = "ushmkginfz?/+=-"  # keys that mean something else on the page: as in static/store/keymap.js


@dataclass(frozen=True)
class ClassInfo:
    """What the owner says of a class: a line, the id of a sample that shows it, and its key."""

    text: str = ""
    example: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Renaming:
    """A rename, and how things were before it."""

    old: str
    new: str
    names: tuple[str, ...]
    renamed: dict[str, str]
    info: ClassInfo | None

    @property
    def merged(self) -> bool:
        return self.new in self.names


class ClassBook:
    """All classes.

    Attributes
    ----------
    names : in the order in which the page shows them
    renamed : former name -> what the class is called now
    infos : name -> ClassInfo, where somebody has said something
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names: tuple[str, ...] = tuple(dict.fromkeys(names))
        self.renamed: dict[str, str] = {}
        self.infos: dict[str, ClassInfo] = {}

    def add(self, name: str) -> bool:
        """Whether it is new."""
        if name in self.names:
            return False
        self.names = (*self.names, name)
        return True

    def named(self, name: str) -> str:
        """The name of now, for one that may be from before a rename."""
        return name if name in self.names else self.renamed.get(name, name)

    def now(self, name: str) -> str | None:
        """What a class of an earlier time is called now; None where there is no such class any more."""
        return name if name in self.names else self.renamed.get(name)

    def rename(self, old: str, new: str) -> Renaming:
        done = Renaming(old, new, self.names, self.renamed, self.infos.get(old))
        self.names = tuple(
            new if name == old else name for name in self.names if not (done.merged and name == old)
        )
        self.renamed = {name: new if now == old else now for name, now in self.renamed.items()} | {old: new}
        self.renamed.pop(new, None)
        info = self.infos.pop(old, None)
        if info is not None and not done.merged:
            self.infos[new] = info
        return done

    def can_undo(self, done: Renaming) -> bool:
        return done.new in self.names and done.old not in self.names

    def undo(self, done: Renaming) -> None:
        """The class has its old name again; after a merge, it is back where it was."""
        if not done.merged:
            self.rename(done.new, done.old)
            return
        at = min(done.names.index(done.old), len(self.names))
        self.names = (*self.names[:at], done.old, *self.names[at:])
        if done.info is not None:
            taken = self.key_problem(done.old, done.info.key) is not None
            self.describe(done.old, replace(done.info, key=None) if taken else done.info)
        back = {name for name, now in done.renamed.items() if now == done.old}
        self.renamed = {name: done.old if name in back else now for name, now in self.renamed.items()}
        self.renamed.pop(done.old, None)

    def order(self, names: Sequence[str]) -> None:
        """These first, in this order, and then the others as they are."""
        first = [name for name in dict.fromkeys(names) if name in self.names]
        self.names = (*first, *(name for name in self.names if name not in first))

    def key_problem(self, name: str, key: str | None) -> str | None:
        """Why a class cannot have this key."""
        if key is None:
            return None
        if not key.strip() or key != key.lower():
            return f"key must be a small letter, a digit or a sign; got {key!r}."
        if key in COMMANDS:
            return f"key must be none of {' '.join(COMMANDS)}, which are commands of the page; got {key!r}."
        other = next((one for one, info in self.infos.items() if info.key == key and one != name), None)
        return None if other is None else f"key must be free; {key!r} is the key of {other!r}."

    def describe(self, name: str, info: ClassInfo) -> None:
        if info == ClassInfo():
            self.infos.pop(name, None)
        else:
            self.infos[name] = info
