"""The files that the commands of the pages speak of, as a reader would have them in a folder."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from trigpoint.io import glimpse
from trigpoint.studio import Draft, Settings, default_store, open_studio

N = 240


def lay_out(folder: Path) -> None:
    """Two clouds of 120 as a table and an array, texts, pictures, labels, a network and a studio."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (N // 2, 2)), rng.normal(50, 1, (N // 2, 2))])
    ids = [f"s{i}" for i in range(N)]
    second = np.arange(N) >= N // 2
    pd.DataFrame({"id": ids, "height": X[:, 0], "width": X[:, 1]}).to_csv(folder / "pool.csv", index=False)
    np.save(folder / "pool.npy", X)
    vectors = np.hstack([X, rng.normal(size=(N, 6))]).astype(np.float32)
    np.save(folder / "embeddings.npy", vectors)
    pd.DataFrame({"id": ids, "vector": list(vectors)}).to_parquet(folder / "notes.parquet")
    notes = [{"id": one, "vector": row} for one, row in zip(ids, X.tolist(), strict=True)]
    _write(folder / "notes.jsonl", *map(json.dumps, notes))
    texts = [f"{'the tea is good' if i % 2 else 'my parcel is late'}, day {i}" for i in range(N)]
    for name in ("reviews", "texts"):
        pd.DataFrame({"id": ids, "review": texts}).to_csv(folder / f"{name}.csv", index=False)
    _write(folder / "edges.csv", "source,target", *(f"n{i},n{i + 1}" for i in range(59)))
    _write(folder / "new.csv", "id,height,width", "t1,1,2", "t2,51,48")
    _labels(folder, ids, second)
    _pictures(folder / "pictures", 12)
    _pictures(folder / "photos", N)
    _studio(folder)


def _labels(folder: Path, ids: list[str], second) -> None:
    known = [f"{one},{'ab'[int(there)]}" for one, there in zip(ids, second, strict=True)]
    _write(folder / "known.csv", "id,label", *known)
    _write(folder / "random_labels.csv", "id,label", *known[::3])
    _write(folder / "labels.csv", "id,label", "s3,low", "s200,high", "s8,")
    _write(folder / "numbers.csv", "id,score", "s3,1.5", "s5,1.25", "s200,8", "s204,8.5")
    _write(folder / "tags.csv", "id,label", "s3,cat;outdoor", "s200,cat", "s204,cat")
    _write(folder / "answers.csv", "id,label,annotator", "s1,a,ada", "s1,a,bob", "s190,b,ada")
    choice = {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": ["tall"]}}
    task = {"data": {"id": "s4"}, "annotations": [{"result": [choice]}]}
    (folder / "export.json").write_text(json.dumps([task]))


def _pictures(folder: Path, count: int) -> None:
    folder.mkdir()
    for i in range(count):
        Image.fromarray(np.full((8, 8), i, dtype=np.uint8)).save(folder / f"{i:03}.png")  # no two are equal


def _studio(folder: Path) -> None:
    """A studio of the photos, with two labels, and a folder of studios."""
    for pool in (folder / "photos", folder / "projects" / "photos"):
        if not pool.exists():
            pool.parent.mkdir()
            _pictures(pool, 20)
        store, _ = open_studio(
            default_store(pool), glimpse(pool), Settings(classes=("cat", "dog", "neither")), (), {}
        )
        labels = {"003.png": "cat", "007.png": "dog"}
        store.append(
            [Draft("label", "ann", one, one, {"value": v, "source": "queue"}) for one, v in labels.items()]
        )
        store.close()


def _write(path: Path, *lines: str) -> None:
    path.write_text("\n".join(lines) + "\n")
