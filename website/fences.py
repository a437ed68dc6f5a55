"""Formulas in fences of the language ``math`` become MathML, which browsers draw without a script."""

from typing import Any

from latex2mathml.converter import convert


def math(source: str, language: str, css_class: str, options: Any, md: Any, **more: Any) -> str:
    """The formula in TeX as MathML, a block for each part between ``\\qquad``; called by superfences."""
    parts = "".join(convert(part.strip(), display="block") for part in source.split("\\qquad"))
    return f'<div class="{css_class}">{parts}</div>'
