#!/usr/bin/env python3
"""Writes the JSON Schemas beside this file (draft 7, which editors know best). tests/cli/test_schema.py holds them to this program, and both
to what rta reads and prints."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import inputs
import results
import written

SCHEMAS = {
    "task-set": inputs.TaskSet().schema, "choices": inputs.TaskSet(choices=True).schema, "experiment": inputs.experiment, "sweep": inputs.sweep,
    "graph": inputs.graph,
    "trace": written.trace, "run": written.run, "schedule": written.schedule, "profile": written.profile,
    "limits": written.limits, "sweep-folder": written.sweep_folder,
    "result-analyze": results.analysis_result, "result-variants": results.variants_result, "result-simulate": results.simulation_result, "result-compare": results.comparison_result,
    "result-optimize": results.optimization_result, "result-compile": results.schedule_result, "result-examine": results.examination_result,
    "result-lint": results.lint_result, "result-doctor": results.doctor_result, "result-diff": results.difference_result}


def text(name):
    return json.dumps(SCHEMAS[name](), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for schema_name in SCHEMAS:
        pathlib.Path(__file__).with_name(f"{schema_name}.json").write_text(text(schema_name))
