"""Points on pictures in the form of COCO: images, annotations and one category with the names of the points.

The points of a picture are [x1, y1, v1, x2, y2, v2, ...] in pixels, with v = 2: seen and labeled. The box of
an annotation is the smallest one around its points. https://cocodataset.org/#format-data
"""

import json
from typing import Any

from trigpoint.io import Samples, paced
from trigpoint.studio._export_values import NothingYetError
from trigpoint.studio._pictures import picture_size
from trigpoint.studio._state import State

SEEN = 2
CATEGORY = 1


def coco_points(samples: Samples, state: State) -> str:
    """A JSON document of all pictures that people have put points on."""
    names = state.settings.points
    if not names:
        raise NothingYetError("COCO is for points on pictures: this studio was not opened with --points.")
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for i, value in paced(sorted(state.labels.items())):
        size = picture_size(samples, i)
        if size is None:
            continue
        number = i + 1  # COCO counts from 1
        images.append({"id": number, "file_name": str(samples.ids[i]), "width": size[0], "height": size[1]})
        annotations.append(_annotation(number, [float(x) for x in value]))
    category = {
        "id": CATEGORY,
        "name": "object",
        "supercategory": "",
        "keypoints": list(names),
        "skeleton": [],
    }
    found = {
        "info": {},
        "licenses": [],
        "images": images,
        "annotations": annotations,
        "categories": [category],
    }
    return json.dumps(found, ensure_ascii=False)


def _annotation(number: int, numbers: list[float]) -> dict[str, Any]:
    across, down = numbers[::2], numbers[1::2]
    width, height = max(across) - min(across), max(down) - min(down)
    return {
        "id": number,
        "image_id": number,
        "category_id": CATEGORY,
        "keypoints": [part for x, y in zip(across, down, strict=True) for part in (x, y, SEEN)],
        "num_keypoints": len(across),
        "bbox": [min(across), min(down), width, height],
        "area": width * height,
        "iscrowd": 0,
    }
