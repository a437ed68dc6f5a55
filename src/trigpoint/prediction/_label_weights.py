"""How much labels count, by the weights of their samples.

Of the labeled samples only, and of mean 1, since only their ratios matter. A label counts at least `LEAST`,
so that none is lost among labels that may be wrong (`_feature_models`); a sample of weight 0 counts 0.
"""

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_sample_weight

LEAST = 0.05


def label_weights(sample_weight: Floats | None, landmarks: Ints) -> Floats | None:
    """(l,) of the weights of all samples; None where all labels count the same."""
    if sample_weight is None or len(landmarks) == 0:
        return None
    if not sample_weight[landmarks].any():
        raise InputError("sample_weight", "must not be 0 for all labeled samples", "0 for all of them")
    found = check_sample_weight(sample_weight[landmarks], len(landmarks))
    return None if found is None else np.where(found > 0, np.maximum(found, LEAST), 0.0)
