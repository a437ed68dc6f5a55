"""Many mutants of one file, read one after the other: python storm.py FILE COUNT [SEED].

Prints JSON: how many were refused and read, what failed, and by how many bytes the process grew. A mutant
fails if reading it raises anything but one line that names it, or returns what does not fit: shapes, ids, or
the content, where a checksum in the file or a second reader can tell.
"""

import json
import resource
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from reference.mutants import mutant
from trigpoint.io import content, read_pool

ROOM = 2**31  # bytes of address space that a mutant may ask for, and be refused
CHECKED = (".csv.gz", "ubyte.gz", ".npz")  # by a checksum over all that is read


def second_opinion(path: Path):
    """X by another reader of the same format, or None."""
    if path.suffix == ".npy":
        return np.load(path, allow_pickle=False)
    if path.suffix == ".safetensors":
        from safetensors import safe_open

        with safe_open(path, "np") as file:
            return file.get_tensor("X")
    return None


def misfit(path: Path, samples, truth) -> str | None:
    n = samples.n_samples
    if n == 0 or len(set(samples.ids)) != n or not all(isinstance(i, str) and i for i in samples.ids):
        return "ids"
    if samples.graph is not None:
        return None if samples.graph.n_samples == n else "graph"
    X = samples.X
    if X.ndim != 2 or X.shape[0] != n or not np.isfinite(X.sum()):
        return "features"
    if content(samples, n - 1)["id"] != samples.ids[-1]:
        return "content"
    if path.name.endswith(CHECKED) and not _same(X, truth):
        return "other content than before, though a checksum tells"
    other = second_opinion(path)
    if other is not None and not _same(X, other.reshape(len(other), -1)):
        return "other content than a second reader finds"
    return None


def _same(X, Z) -> bool:
    X, Z = (A.toarray() if hasattr(A, "toarray") else np.asarray(A) for A in (X, Z))
    return X.shape == Z.shape and np.array_equal(X.astype(np.float64), Z.astype(np.float64))


def peak() -> int:
    """The most memory that this process has held; getrusage would count its parent's, too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def limit() -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))


def main(path: Path, count: int, seed: int = 0) -> dict:
    data, rng = path.read_bytes(), np.random.default_rng(seed)
    read = lambda file: read_pool(file, graph=False if file.name == "sparse.npz" else None)  # noqa: E731
    truth = read(path).X
    told = {"refused": 0, "read": 0, "failures": []}
    with TemporaryDirectory() as folder:
        file = Path(folder) / path.name
        second_opinion(path)
        (Path(folder) / "warm.txt").write_text("what texts need\nis loaded\n")
        read_pool(Path(folder) / "warm.txt")
        limit()
        before = peak()
        for k in range(count):
            file.unlink(missing_ok=True)  # a map of the last one may still be open
            file.write_bytes(mutant(data, rng))
            try:
                samples = read(file)
            except (ValueError, OSError) as error:
                told["refused"] += 1
                if file.name not in str(error) or "\n" in str(error):
                    told["failures"].append([k, repr(error)])
            except BaseException as error:
                told["refused"] += 1
                told["failures"].append([k, repr(error)])
            else:
                told["read"] += 1
                try:
                    problem = misfit(file, samples, truth)
                except Exception as error:  # of the second reader
                    problem = repr(error)
                if problem:
                    told["failures"].append([k, problem])
    return told | {"grown": peak() - before, "seconds": resource.getrusage(resource.RUSAGE_SELF).ru_utime}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:]))))
