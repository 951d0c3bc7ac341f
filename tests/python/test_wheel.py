"""A wheel of the Python package: what pyproject.toml says, and, where scikit-build-core is installed, that the wheel installs and imports."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Wheel(unittest.TestCase):
    def test_pyproject_names_what_there_is(self):
        try:
            import tomllib
        except ModuleNotFoundError:
            self.skipTest("Python is older than 3.11")
        said = tomllib.loads((ROOT / "pyproject.toml").read_text())
        cmake = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "python/CMakeLists.txt").read_text()
        tool = said["tool"]["scikit-build"]
        for option in tool["cmake"]["define"]:
            self.assertRegex(cmake, rf"\b(option|set)\({option} ")
        for target in tool["build"]["targets"]:
            self.assertIn(f"add_module({target} ", cmake)
        for component in tool["install"]["components"]:
            self.assertRegex(cmake, rf"COMPONENT {component}\b")
        found = re.search(tool["metadata"]["version"]["regex"], (ROOT / tool["metadata"]["version"]["input"]).read_text())
        self.assertIn(f"## {found['value']} (", (ROOT / "CHANGELOG.md").read_text())

    def test_the_wheel_imports(self):
        if importlib.util.find_spec("scikit_build_core") is None:
            self.skipTest("scikit_build_core is not installed (Debian 13: python3-scikit-build-core)")
        if shutil.which("pip") is None and importlib.util.find_spec("pip") is None:
            self.skipTest("pip is not installed")
        with tempfile.TemporaryDirectory() as folder:
            build = ROOT / "build/wheel"
            made = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, "--config-settings", f"build-dir={build}", ROOT],
                                  capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stdout[-2000:] + made.stderr[-2000:])
            (wheel,) = pathlib.Path(folder).glob("rta-*.whl")
            with zipfile.ZipFile(wheel) as content:
                names = [name for name in content.namelist() if not name.split("/")[0].endswith(".dist-info")]
                self.assertEqual({name.split("/")[0] for name in names}, {"rta"}, names)
                content.extractall(f"{folder}/site")
            program = f"import sys; sys.path.insert(0, {folder + '/site'!r}); import rta; print(rta.__file__); print(rta.analyze(rta.read(sys.argv[1]))['verdict'])"
            run = subprocess.run([sys.executable, "-I", "-c", program, ROOT / "tasksets/examples/pedestrian.yaml"], capture_output=True, text=True)
            self.assertEqual(run.stdout.splitlines(), [f"{folder}/site/rta/__init__.py", "schedulable"], run.stderr)


if __name__ == "__main__":
    unittest.main()
