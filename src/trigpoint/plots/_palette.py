"""Colors for pools, one set for light pages and one for dark.

Classes can be told apart by color alone only with care. Each pair of the first ten differs by at least 7 in
OKLab (100 = black to white), also as seen with protanopia, deuteranopia and tritanopia. Each pair of the 24
differs by 8 for most people, and by 5.5 as seen with these. Each color has a contrast of at least 3 with its
page (WCAG 1.4.11). A test recomputes all this. Values go along the part of matplotlib's inferno with that
contrast. Samples without a label are fainter on purpose.
"""

from typing import NamedTuple


class Palette(NamedTuple):
    classes: tuple[str, ...]
    ramp: tuple[str, ...]  # from small to large values
    rest: str  # classes beyond those with a color of their own
    none: str  # samples that nothing is known of


LIGHT = Palette(
    (
        "#1868d0",
        "#d06058",
        "#489888",
        "#a850a0",
        "#c88800",
        "#0098f8",
        "#680050",
        "#302098",
        "#588000",
        "#585020",
        "#283000",
        "#2800f0",
        "#6000c0",
        "#405870",
        "#885848",
        "#9878c8",
        "#b00078",
        "#6848a0",
        "#a038f8",
        "#e058f0",
        "#001078",
        "#f06098",
        "#401830",
        "#683848",
    ),
    ("#10092d", "#2d0b59", "#4c0c6b", "#6a176e", "#87216b", "#a52c60", "#c03a51", "#d94d3d", "#eb6628"),
    "#7c838b",
    "#b4b8bd",
)
DARK = Palette(
    (
        "#3880c0",
        "#e08800",
        "#50c080",
        "#d0a0d0",
        "#f0e098",
        "#a8e0f8",
        "#b84880",
        "#a088f8",
        "#b0d040",
        "#b07858",
        "#9030f8",
        "#806808",
        "#18c8f8",
        "#68a088",
        "#e01000",
        "#c8f028",
        "#c0f8d8",
        "#e018a8",
        "#7058d0",
        "#a860f0",
        "#90d0a0",
        "#f8c0d0",
        "#287888",
        "#b088b8",
    ),
    ("#bc3754", "#d24644", "#e45a31", "#f1731d", "#f98e09", "#fcac11", "#f9cb35", "#f2ea69", "#fcffa4"),
    "#868d96",
    "#565d66",
)


def colors(palette: Palette) -> dict[str, str]:
    """Each color by the name that groups of samples know it by."""
    named = {f"class-{k}": color for k, color in enumerate(palette.classes)}
    named |= {f"ramp-{k}": color for k, color in enumerate(palette.ramp)}
    return named | {"class-rest": palette.rest, "class-none": palette.none}


def palette_css(palette: Palette) -> str:
    """The palette as declarations of CSS variables."""
    return " ".join(f"--{name}: {color};" for name, color in colors(palette).items())
