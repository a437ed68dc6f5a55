"""Data sets with known answers: surfaces and pictures that are drawn here, loaders for real data.

    make_torus, make_swiss_roll                       -> Surface, points and their coordinates
    make_faces, make_lips, make_jazz_hands            -> Pictures and the values that they show
    make_deformed_grid                                -> DeformedGrid, patches of whole pictures
    load_isomap_faces                                 -> Pictures
    load_digits                                       -> Portraits, pictures and their classes
    load_ar_faces, load_extended_yaleb, load_mnist    -> Portraits
    random_faces                                      -> features of pictures

A generator is a function of its seed alone. A loader takes the folder that holds the files, and names the
missing one and its source where there is none.
"""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.datasets._deformed_grid import make_deformed_grid
    from trigpoint.datasets._faces import make_faces
    from trigpoint.datasets._jazz_hands import make_jazz_hands
    from trigpoint.datasets._lips import make_lips
    from trigpoint.datasets._loaders import (
        load_ar_faces,
        load_digits,
        load_extended_yaleb,
        load_isomap_faces,
        load_mnist,
    )
    from trigpoint.datasets._random_faces import random_faces
    from trigpoint.datasets._records import DeformedGrid, Pictures, Portraits, Surface
    from trigpoint.datasets._surfaces import make_swiss_roll, make_torus

__all__ = [
    "DeformedGrid",
    "Pictures",
    "Portraits",
    "Surface",
    "load_ar_faces",
    "load_digits",
    "load_extended_yaleb",
    "load_isomap_faces",
    "load_mnist",
    "make_deformed_grid",
    "make_faces",
    "make_jazz_hands",
    "make_lips",
    "make_swiss_roll",
    "make_torus",
    "random_faces",
]

_FILE = {
    "make_deformed_grid": "_deformed_grid",
    "make_faces": "_faces",
    "make_jazz_hands": "_jazz_hands",
    "make_lips": "_lips",
    **dict.fromkeys(
        ("load_ar_faces", "load_digits", "load_extended_yaleb", "load_isomap_faces", "load_mnist"), "_loaders"
    ),
    "random_faces": "_random_faces",
    **dict.fromkeys(("DeformedGrid", "Pictures", "Portraits", "Surface"), "_records"),
    **dict.fromkeys(("make_swiss_roll", "make_torus"), "_surfaces"),
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)
