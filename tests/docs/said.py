"""What a block of Python prints, beside what the comment on that line says that it prints.

``print(x)  # 99.2% right``: every number of the comment must be among the numbers that were printed there,
rounded as it is. A comment without numbers tells in words what is printed.
"""

import re
import sys
from collections import defaultdict
from typing import Any

NUMBER = re.compile(r"(?<![\w.])-?(?:\d[\d,]*\d|\d)?(?:\.\d+)?(?:e-?\d+)?(?<=\d)")


def run(text: str, name: str, namespace: dict[str, Any]) -> list[str]:
    """Run the block; a line for each comment that is not what was printed."""
    lines = text.splitlines()
    printed = defaultdict(list)

    def note(*values: Any, sep: str = " ", end: str = "\n", **_: Any) -> None:
        printed[sys._getframe(1).f_lineno - 1].append(sep.join(map(str, values)))

    namespace["print"] = note
    exec(compile(text, name, "exec"), namespace)
    wrong = []
    for at, outputs in printed.items():
        comment = said(lines, at)
        if comment and missing(comment, "\n".join(outputs)):
            wrong.append(f"{name}: said {comment!r}, printed {' / '.join(outputs)[:300]!r}")
    return wrong


def said(lines: list[str], at: int) -> str:
    """The comment at the end of the line, or the one above it."""
    if "  # " in lines[at]:
        return lines[at].rpartition("  # ")[2]
    above = lines[at - 1].strip() if at else ""
    return above.removeprefix("# ") if above.startswith("# ") else ""


def missing(comment: str, output: str) -> list[str]:
    """Numbers of the comment that were not printed."""
    found = [float(text.replace(",", "")) for text in NUMBER.findall(output)]
    return [
        text
        for text in NUMBER.findall(comment)
        if not any(rounds_to(value, text.replace(",", "")) for value in found)
    ]


def rounds_to(value: float, text: str) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.5000001 * 10**-decimals
