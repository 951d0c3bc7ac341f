"""The schemas of schema/, and how tests read YAML and hold values to them."""

import json
import pathlib
import re

import jsonschema
import yaml

from program import ROOT

SCHEMAS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "schema").glob("*.json"))}


class Loader(yaml.SafeLoader):
    """YAML 1.2 as editors and rta read it: `on` is a word, a key stands once, and what JSON cannot hold, such as .nan, is text."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(set(keys)) < len(keys):
            raise yaml.constructor.ConstructorError("a key is given twice", node.start_mark)
        return super().construct_mapping(node, deep)


# Scalars of the core schema.
for tag, pattern, first in (("bool", "true|false", "tf"), ("null", "~|null|", ["~", "n", ""]), ("int", "[-+]?[0-9]+", "-+0123456789"),
                            ("float", r"[-+]?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?", "-+0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))


def document(path):
    """As JSON knows it: all keys are texts."""
    return json.loads(json.dumps(yaml.load(path.read_text(), Loader)))


def errors(schema, value):
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:500]
            for error in jsonschema.Draft7Validator(SCHEMAS[schema]).iter_errors(value)]
