"""The bound of a set of landmarks: how sensitive propagation is to noise in phi.

`landmark_bound` tells it for one set, `selection_path` after every pick.
"""

from trigpoint.bound._certificate import LandmarkBound, landmark_bound
from trigpoint.bound._path import SelectionPath, selection_path

__all__ = ["LandmarkBound", "SelectionPath", "landmark_bound", "selection_path"]
