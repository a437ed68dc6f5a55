from io import BytesIO

import numpy as np

from trigpoint.plots import data_uri
from trigpoint.plots._png import indexed_png


def test_pillow_reads_back_what_was_written():
    from PIL import Image

    pixels = np.array([[0, 1, 1], [2, 1, 0]], dtype=np.uint8)
    read = np.asarray(Image.open(BytesIO(indexed_png(pixels, ["#ff0000", "#00ff7f"]))).convert("RGBA"))
    assert read.shape == (2, 3, 4)
    assert read[..., 3].tolist() == [[0, 255, 255], [255, 255, 0]], "0 is transparent"
    assert read[0, 1].tolist() == [255, 0, 0, 255]
    assert read[1, 0].tolist() == [0, 255, 127, 255]


def test_a_data_address():
    assert data_uri(b"abc") == "data:image/png;base64,YWJj"
