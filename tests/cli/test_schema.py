"""schema/*.json: what rta reads and prints is accepted, what is wrong by its form is refused."""

import importlib.util
import json
import pathlib
import re
import tempfile
import unittest

import jsonschema
import yaml

from program import EXAMPLE, ROOT, one_test_each, rta
from schemas import SCHEMAS, Loader, document, errors

BROKEN = sorted((ROOT / "tests/cli/broken").glob("*.yaml"))
# Their form is right: what is wrong with them lies between values, in names, or beyond a schema (a loop, a tag, a number without a unit where the file
# says none).
WRONG_BY_MEANING = {
    "after-and-threads", "after-of-unknown-node", "after-twice", "stream-against-edges", "stream-of-cpu-node", "stream-of-cuda", "stream-of-two-priorities", "stream-on-two-gpus",
    "alone-in-clusters", "alone-in-part", "alone-without-interference", "class-unknown", "class-without-interference", "interference-of-processes",
    "interference-row-missing", "interference-short-row", "beside-short-column",
    "block-larger-than-device-allows", "block-larger-than-sm", "chain-loops", "chain-with-unknown-stage", "copies-collide",
    "cluster-does-not-divide", "cluster-larger-than-device", "cooperative-larger-than-device", "cpu-node-on-gpu-pool", "cycle", "dag-and-task-of-one-name", "duplicate-dag", "edge-to-itself", "edge-to-unknown-node", "edge-twice",
    "executor-beside-node", "executor-of-several-threads", "reservation-of-several-threads", "reservation-above-its-period", "reservation-of-a-pool", "threads-on-wait-set", "executor-on-gpu", "executor-on-two-processors", "executor-unknown",
    "executors-on-one-pool", "threads-on-executor", "wait-set-on-two-processors", "callbacks-on-two-processors", "executor-step-with-priority", "executor-step-without-entity", "execution-time-min-above-max", "execution-time-mode-outside", "gpu-node-on-cpu-pool", "jitter-of-a-period", "periodic-without-phase", "kind-of-pool-not-unique", "launched-by-nobody",
    "in-flight-and-threads", "longest-period-below-period", "no-pool-of-that-name", "partition-beside-granularity", "partitioned-pool-as-a-whole", "priority-of-some-nodes-only", "registers-more-than-a-block-may-have",
    "registers-more-than-a-thread-may-have", "registers-more-than-sm",
    "several-cycles", "shared-memory-larger-than-sm", "shared-memory-more-than-a-block-may-have", "simultaneous-with-preemption", "tag", "time-not-whole-nanoseconds", "time-too-large", "time-without-unit",
    "threads-sequential", "threads-with-cut", "threads-without-order", "wait-without-threads", "wait-without-processor", "wait-on-two-pools", "two-processes-without-sharing"}
# No YAML document at all, as rta and every other reader see it.
NO_DOCUMENT = {"duplicate-key", "duplicate-node", "duplicate-pool", "tab-as-indentation", "two-documents", "unclosed-brace"}


def schema_of(path):
    """The schema that the documents name for such a file."""
    relative = path.relative_to(ROOT / "tasksets")
    if relative.parts[0] == "sweeps":
        return "sweep"
    if relative.parts[0] == "optimize":
        return "choices"
    if relative.parts[0] == "static" or relative.name == "static.yaml":
        return "graph"
    return "experiment" if "experiments" in relative.parts else "task-set"


class Schemas(unittest.TestCase):
    def test_each_is_what_its_generator_writes(self):
        spec = importlib.util.spec_from_file_location("generate", ROOT / "schema/generate.py")
        generate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(generate)
        self.assertEqual(set(SCHEMAS), set(generate.SCHEMAS))
        for name in SCHEMAS:
            self.assertEqual((ROOT / f"schema/{name}.json").read_text(), generate.text(name), f"{name}: run schema/generate.py")

    def test_each_is_a_schema(self):
        for name, schema in SCHEMAS.items():
            with self.subTest(name):
                jsonschema.Draft7Validator.check_schema(schema)

    def test_devices_schedulers_and_options_are_those_of_the_program(self):
        text = rta("analyze", "-", stdin="platform: {gpu: {device: none}}\ndags: []\n").stderr
        devices = re.search(r"allowed: ([^)]*)\)", text)[1].split(", ")
        gpu = SCHEMAS["task-set"]["definitions"]["pool"]["oneOf"][1]["properties"]
        self.assertEqual(set(gpu["device"]["enum"]), set(devices))
        spec = (ROOT / "tasksets/sweeps/schedulers.yaml").read_text().replace("{name: LP,", "{nome: 1, name: LP,")
        text = rta("generate", "-", "-o", "none", stdin=spec).stderr
        allowed = set(re.search(r"allowed: ([^)]*)\)", text)[1].split(", "))
        self.assertEqual(set(SCHEMAS["sweep"]["properties"]["sweep"]["properties"]["analyses"]["items"]["properties"]), allowed)

    def test_a_task_set_in_time_units_may_have_numbers(self):
        text = "time_unit: ms\nplatform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1.5, T: 10}]\n"
        self.assertEqual(rta("analyze", "-", stdin=text).returncode, 0)
        self.assertEqual(errors("task-set", yaml.load(text, Loader)), [])

    def test_a_choice_is_none_of_a_plain_task_set(self):
        for path in (ROOT / "tasksets/optimize").glob("*.yaml"):
            self.assertNotEqual(errors("task-set", document(path)), [], path.name)

    def test_costs_of_choices(self):
        path = ROOT / "tasksets/optimize/machine-prices.yaml"
        for processors, right in (({"value": 3, "cost": 0}, True), (3, True), ({"value": 3}, False), ({"value": 3, "cost": -1}, False),
                                  ({"value": 3, "cost": 1.5}, False), ({"value": 3, "cost": 1, "price": 1}, False)):
            value = document(path)
            value["platform"]["cpu"]["processors"][1] = processors
            self.assertEqual(errors("choices", value) == [], right, processors)

    def test_the_documents_name_every_schema(self):
        text = (ROOT / "docs/guide-schema.md").read_text()
        for name in SCHEMAS:
            self.assertIn(f"`{name}.json`", text)


@one_test_each(sorted((ROOT / "tasksets").rglob("*.yaml")), lambda path: "_".join(path.relative_to(ROOT / "tasksets").with_suffix("").parts))
class ShippedFiles(unittest.TestCase):
    def check(self, path):
        self.assertEqual(errors(schema_of(path), document(path)), [])
        if schema_of(path) == "task-set":  # whoever leaves nothing open may use either
            self.assertEqual(errors("choices", document(path)), [])


@one_test_each(BROKEN, lambda path: path.stem)
class BrokenFiles(unittest.TestCase):
    def check(self, path):
        if path.stem in NO_DOCUMENT:
            with self.assertRaises(yaml.YAMLError):
                document(path)
        elif path.stem in WRONG_BY_MEANING:
            self.assertEqual(errors("task-set", document(path)), [])
        else:
            self.assertNotEqual(errors("task-set", document(path)), [])


class OfTheGuides(unittest.TestCase):
    """Blocks of YAML in the guides that are whole files, or whole parts of one."""

    def test_examples_of_the_guides_are_accepted(self):
        seen = 0
        for guide in ("guide-task-set.md", "guide-experiment.md", "guide-sweep.md"):
            for block in re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / guide).read_text(), re.S):
                value = json.loads(json.dumps(yaml.load(block, Loader)))
                kind = "experiment" if "experiment" in value else "sweep" if "random" in value else "task-set"
                if "platform" not in value and kind == "task-set" and ("dags" in value or "tasks" in value):
                    value["platform"] = {"cpu": {"processors": 1}}
                if "platform" not in value:
                    continue
                if kind == "task-set" and not {"dags", "tasks"} & set(value):
                    continue
                seen += 1
                self.assertEqual(errors(kind, value), [], f"{guide}:\n{block}")
        self.assertGreater(seen, 4)


SET = """platform:
  cpu: {processors: 2, scheduler: FP}
  gpu: {device: tx2}
dags:
  - {name: camera, T: 30 ms, D: 20 ms, nodes: {take: {on: cpu, C: 9 ms}, detect: {on: gpu, B: 4, H: 256, L: 2 ms, D: 25 ms}}, edges: [take -> detect]}
  - {name: plan, T: 50 ms, D: 3 ms, nodes: {plan: {on: cpu, C: 4 ms}}}
chains:
  - {name: react, stages: [camera, plan], reaction: 500 ms, age: 500 ms}
"""
HOL = ROOT / "tasksets/literature/experiments/yang2020-table-3.1.yaml"
GRAPH = ROOT / "tasksets/static/cpu_gpu.yaml"
# What prints JSON, by its schema. {set}: a file with SET, {folder}: where the files that `prepared` makes are.
RESULTS = [
    ("result-analyze", ("analyze", "{set}", "--why", "camera", "--slack", "--largest-rate", "camera", "--explain", "camera/detect", "--time-limit", "3")),
    ("result-analyze", ("analyze", ROOT / "tasksets/examples/two-buffers.yaml")),  # with `forgone`
    ("result-analyze", ("analyze", EXAMPLE, "--release", "offsets", "--suggest", "--certificate", "{folder}/a.cert")),
    ("result-analyze", ("analyze", ROOT / "tasksets/literature/theorem-4.2.yaml")),
    ("result-analyze", ("analyze", ROOT / "tasksets/examples/contention.yaml", "--release", "completion", "--set", "camera.T=3ms")),  # with `kept_apart`
    ("result-analyze", ("analyze", ROOT / "tasksets/examples/processes.yaml", "--why", "camera")),  # time slices are a part of its bound
    ("result-variants", ("analyze", "{set}", EXAMPLE, "--set", "cpu.processors=1,2", "--largest-rate", "camera")),
    ("result-simulate", ("simulate", "{set}", "--duration", "100ms")),
    ("result-simulate", ("simulate", EXAMPLE, "--duration", "100ms", "--search-runs", "3")),
    ("result-simulate", ("simulate", HOL)),
    ("result-compare", ("compare", "{folder}/t.jsonl", "{set}")),
    ("result-optimize", ("optimize", ROOT / "tasksets/optimize/cameras-composite.yaml")),
    ("result-optimize", ("optimize", ROOT / "tasksets/optimize/machine-prices.yaml")),
    ("result-compile", ("compile", GRAPH, "--effort", "1")),
    ("result-compile", ("compile", GRAPH, "--check", "{folder}/schedule.yaml")),
    ("result-examine", ("examine", "--traces", "{folder}/traces", "-o", "{folder}/results")),
    ("result-lint", ("lint", ROOT / "tasksets/examples/camera.cu", "--no-clang", "--allowed")),
    ("result-lint", ("lint", "--rules")),
    ("result-doctor", ("workload", "--doctor")),
    ("result-diff", ("diff", "{folder}/a.json", "{folder}/b.json")),
]


class Prepared(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.names = {"folder": folder.name, "set": f"{folder.name}/set.yaml"}
        pathlib.Path(self.names["set"]).write_text(SET)

    def prepare(self, arguments):
        folder = self.names["folder"]
        if arguments[0] == "compare":
            rta("simulate", self.names["set"], "--duration", "100ms", "--trace", f"{folder}/t.jsonl")
        if "--check" in arguments:
            rta("compile", GRAPH, "--effort", "1", "-o", f"{folder}/schedule.yaml")
        if arguments[0] == "examine":
            rta("examine", "--write", f"{folder}/program", "--device", "tx2")
            traces = pathlib.Path(folder, "traces")
            traces.mkdir()
            scale = (pathlib.Path(folder) / "program/scale.json").read_text()
            (traces / "scale.json").write_text(scale)
            (traces / "limits.json").write_text(json.dumps(json.loads(scale) | {"driver": "550.54", "cuda": "12.4", "warp": 32}))
            (traces / "measure-kernel_switch.jsonl").write_text('{"measure": "kernel_switch", "sample": 0, "switch_ns": 1200}\n')
            rta("simulate", f"{folder}/program/experiments/head-of-line.yaml", "--trace", traces / "head-of-line-000.jsonl")
        if arguments[0] == "diff":
            rta("analyze", self.names["set"], "-o", f"{folder}/a.json")
            rta("analyze", EXAMPLE, "--release", "segments", "-o", f"{folder}/b.json")


@one_test_each(enumerate(RESULTS), lambda case: f"{case[0]:02}_{case[1][0]}")
class Results(Prepared):
    def check(self, case):
        schema, arguments = case[1]
        self.prepare(arguments)
        run = rta(*(str(argument).format(**self.names) for argument in arguments), "--format", "json")
        self.assertLess(run.returncode, 2, run.stderr)
        result = json.loads(run.stdout)
        self.assertEqual(errors(schema, result), [])
        # Nothing that the schema asks for can be left out, and no time can be text.
        for key in SCHEMAS[schema]["required"]:
            self.assertNotEqual(errors(schema, {name: value for name, value in result.items() if name != key}), [], key)
        for other in SCHEMAS:
            if other.startswith("result-") and other != schema:
                self.assertNotEqual(errors(other, result), [], other)


class WrongResults(Prepared):
    def test_times_and_verdicts_of_other_kinds_are_refused(self):
        result = json.loads(rta("analyze", EXAMPLE, "--format", "json").stdout)
        for change in (lambda r: r["dags"][0].update(response_bound_ns="1 ms"), lambda r: r["dags"][0]["nodes"][0].update(response_bound_ns=1.5),
                       lambda r: r.update(verdict="fine"), lambda r: r.update(schema=2), lambda r: r["pools"][0].update(kind="fpga"),
                       lambda r: r["dags"][0].pop("meets_deadline"), lambda r: r["evidence"]["inputs"][0].update(sha256="12")):
            wrong = json.loads(json.dumps(result))
            change(wrong)
            self.assertNotEqual(errors("result-analyze", wrong), [])
        result["later"] = {"key": 1}
        self.assertEqual(errors("result-analyze", result), [])


if __name__ == "__main__":
    unittest.main()
