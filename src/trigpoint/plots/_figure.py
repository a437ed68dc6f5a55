"""An empty figure of matplotlib, which is an extra."""

from typing import Any

from trigpoint._errors import needs_extra


def empty_figure(**options: Any) -> Any:
    """A `matplotlib.figure.Figure`, which knows nothing of windows and of the user's own figures."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        rule = needs_extra("matplotlib", "plots")
        raise ModuleNotFoundError(f"trigpoint.plots {rule}.", name=error.name) from None
    return Figure(**options)
