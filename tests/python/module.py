"""`rta`, the package that PYTHONPATH names; the tests of who imports it are skipped where it was not built."""

import sys

try:
    import rta
except ModuleNotFoundError as error:
    if error.name != "rta":
        raise
    print("skipped: the Python module was not built, for pybind11 was not installed")
    sys.exit(0)
