import numpy as np
import pytest

import trigpoint as tp


@pytest.mark.parametrize("values", [["a", "b"], np.array(["a", "b"]), np.array(["a", "b"], dtype=object)])
def test_classes_are_refused_with_a_word_on_what_takes_them(values):
    phi = tp.laplacian(tp.neighbor_graph(np.arange(8.0)[:, None], 2))
    with pytest.raises(
        tp.InputError, match=r"values must be numbers; for classes use ManifoldClassifier.*got 'a'"
    ):
        tp.propagate(phi, [0, 7], values)
