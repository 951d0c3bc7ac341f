"""A sweep of four points, in a folder of its own."""

import pathlib
import shutil
import tempfile
import unittest

SPEC = """
platform:
  cpu: {processors: 8}
  gpu: {device: titan-v}
random:
  dags: 4
  nodes: 3 .. 6
  periods: [10 Hz, 30 Hz, 40 Hz]
  deadline: 4
  shape: {layers: 2 .. 3, p: 50 %}
  cpu: {utilization: 30 %}
  gpu: {share: 50 %, utilization: 30 %, split: proportional, L: 50 us .. 1 ms, B: 16 .. 64, H: [128, 256]}
sweep:
  seed: 11
  sets: SETS
  grid:
    random.gpu.utilization: {from: 20 %, to: 80 %, step: 20 %}
  analyses:
    - {name: T5, cpu_bound: T1, gpu_bound: T5, refine: none}
    - {name: T6a, cpu_bound: T1, gpu_bound: T6a, refine: none}
"""
TABLES = ["results.csv", "summary.csv", "ratios.csv", "weighted.csv", "points.csv"]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rta-sweep-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def spec(self, sets=100, text=SPEC):
        path = self.folder / "spec.yaml"
        path.write_text(text.replace("SETS", str(sets)))
        return path

    def tables(self, name):
        return {table: (self.folder / name / table).read_bytes() for table in TABLES}
