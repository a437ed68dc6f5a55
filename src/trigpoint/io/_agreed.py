"""The label that several people come to, where a file says who said what.

It is their consensus (`annotators.consensus`); whoever decides among them is right. A set of tags counts as a
whole.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from trigpoint.annotators import consensus
from trigpoint.io._samples import Answers, Labels
from trigpoint.io._tag_cells import tags_of, tags_text


def agreed(labels: Labels, people: list[str | None], decides: list[bool]) -> Labels:
    """One label a sample, of labels that are answers of these people, and the answers beside them."""
    tags = labels.task == "tags"
    given = [tags_text(value) for value in labels.values] if tags else labels.values
    task = "classification" if tags else labels.task
    found = consensus(labels.indices, given, people, task=task)
    answers = Answers(labels.indices, labels.values, people, found, decides)
    settled: dict[int, Any] = dict(
        zip(found.samples[found.decided].tolist(), found.labels[found.decided].tolist(), strict=True)
    )
    if tags:
        settled = {i: tags_of(value, "tags") for i, value in settled.items()}
    for i, value, final in zip(labels.indices.tolist(), labels.values, decides, strict=True):
        if final:
            settled[i] = value
    values: Any = list(settled.values())
    values = np.array(values, dtype=np.float64) if task == "regression" else values
    indices = np.array(list(settled), dtype=np.int64)
    return replace(labels, indices=indices, values=values, answers=answers)
