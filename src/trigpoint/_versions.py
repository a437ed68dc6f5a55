"""What a run was made with."""

import platform
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("trigpoint", "numpy", "scipy", "scikit-learn", "numba", "joblib", "matplotlib")


def library_versions() -> dict[str, str]:
    """Versions of Python and of the libraries that results depend on, as far as installed.

    Notes
    -----
    Cost: the records of installed packages are read; none is imported.

    Examples
    --------
    >>> from trigpoint.report import library_versions
    >>> "numpy" in library_versions()
    True
    """
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
